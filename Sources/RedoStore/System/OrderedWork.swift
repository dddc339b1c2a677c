// Work on one input after another by several threads, whose results come in the order of the inputs. The caller
// takes part where it would have to wait, so that all processors have work until there is no more.

/// Results that threads make ahead of the caller.
///
/// A class, because its threads end with it: dropping it waits for what they are at.
package final class OrderedWork<
  Source, Input: Sendable, State: ~Copyable, Output: Sendable
>: @unchecked Sendable {
  /// How inputs become results.
  package struct Steps: Sendable {
    /// Gives the next input, `nil` at the end; one thread at a time.
    let next: @Sendable (inout Source) -> Input?
    /// Makes what a thread keeps for itself, such as a buffer.
    let makeState: @Sendable () -> State
    /// Makes a result, told whether no thread works beside this one.
    let make: @Sendable (inout State, Input, Bool) -> Output
    /// What a result counts against the limit.
    let cost: @Sendable (Output) -> Int

    package init(
      next: @escaping @Sendable (inout Source) -> Input?,
      makeState: @escaping @Sendable () -> State,
      make: @escaping @Sendable (inout State, Input, Bool) -> Output,
      cost: @escaping @Sendable (Output) -> Int
    ) {
      self.next = next
      self.makeState = makeState
      self.make = make
      self.cost = cost
    }
  }

  private let line: Line
  private let steps: Steps
  private var threads: [Threads.Started] = []
  private var state: State?

  /// Work that no thread has begun.
  ///
  /// - Parameters:
  ///   - source: where the inputs come from.
  ///   - limit: the costs of results not yet fetched at which no more work is begun ahead.
  ///   - steps: how inputs become results.
  package init(_ source: Source, limit: Int, _ steps: Steps) {
    line = Line(source, limit)
    self.steps = steps
  }

  deinit {
    line.close()
    for thread in threads { thread.join() }
  }

  /// Whether threads work ahead.
  package var isBegun: Bool { !threads.isEmpty }

  /// Begins to work ahead.
  ///
  /// - Parameter count: the number of threads; if the system gives none, the caller does everything.
  package func begin(threads count: Int) {
    for _ in 0..<count {
      let started = Threads.start { [line, steps] in
        var state = steps.makeState()
        while let (number, input) = line.claim(steps.next) {
          let output = steps.make(&state, input, false)
          line.put(output, at: number, cost: steps.cost(output))
        }
      }
      guard let started else { return }
      threads.append(started)
    }
  }

  /// Changes where inputs come from: what had no more may have some then.
  package func extend(_ body: (inout Source) -> Void) { line.extend(body) }

  /// The next result; to be asked for by one thread.
  ///
  /// - Returns: `nil` when all results of what the source has given were returned, and it gives no more.
  package func next() -> Output? {
    while true {
      switch line.step(steps.next, steps.cost) {
      case .result(let output): return output
      case .end: return nil
      case .input(let number, let input):
        var own = state.take() ?? steps.makeState()
        let output = steps.make(&own, input, threads.isEmpty)
        state = consume own
        line.put(output, at: number, cost: steps.cost(output))
      }
    }
  }

  /// What threads share.
  private final class Line: Sendable {
    private struct Content {
      var source: Source
      /// The results from number `first` on; `nil` while one is being made.
      var results: [Output?] = []
      var first = 0
      /// The costs of the results that are ready.
      var held = 0
      var isClosed = false

      mutating func draw(_ next: (inout Source) -> Input?) -> (number: Int, input: Input)? {
        guard let input = next(&source) else { return nil }
        results.append(nil)
        return (first + results.count - 1, input)
      }
    }

    enum Step {
      case result(Output)
      case input(Int, Input)
      case end
    }

    private let content: Monitor<Content>
    private let limit: Int

    init(_ source: Source, _ limit: Int) {
      content = Monitor(Content(source: source))
      self.limit = limit
    }

    func close() { content.change { $0.isClosed = true } }

    func extend(_ body: (inout Source) -> Void) { content.change { body(&$0.source) } }

    func put(_ output: Output, at number: Int, cost: Int) {
      content.change { content in
        content.results[number - content.first] = output
        content.held += cost
      }
    }

    /// Waits for an input; `nil` at the end of the work.
    func claim(_ next: (inout Source) -> Input?) -> (number: Int, input: Input)? {
      content.wait { content -> (number: Int, input: Input)?? in
        if content.isClosed { return .some(nil) }
        guard content.held < limit, let drawn = content.draw(next) else { return nil }
        return drawn
      }
    }

    /// What the caller can do while it needs the next result; waits if that is nothing.
    func step(_ next: (inout Source) -> Input?, _ cost: (Output) -> Int) -> Step {
      content.wait { content in
        if let first = content.results.first, let output = first {
          content.results.removeFirst()
          content.first += 1
          content.held -= cost(output)
          return .result(output)
        }
        // A result that takes long holds up the others, whose number stays bounded.
        guard content.results.isEmpty || content.held < limit else { return nil }
        if let drawn = content.draw(next) { return .input(drawn.number, drawn.input) }
        return content.results.isEmpty ? .end : nil
      }
    }
  }
}
