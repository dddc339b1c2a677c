// The stream for everything that is said to people. Events of the library become words
// here: messages of one line each, and progress as one line that is overwritten, as git does.

internal import RedoObject
package import RedoRepository
internal import RedoStore
internal import Synchronization

/// Messages, and the line that shows the progress of long work.
///
/// A class, because the command and the library write messages to the same stream, the latter from
/// several threads.
package final class MessageStream: Reporter {
  /// Work that ends sooner than this gets no progress line, in milliseconds.
  package static let delayMilliseconds: Int64 = 500
  /// The shortest time between two updates of the line, in milliseconds.
  package static let intervalMilliseconds: Int64 = 100

  private struct State: ~Copyable {
    var output: Output
    /// Whether progress is shown; `nil` for only on a terminal.
    var showsProgress: Bool?
    /// Whether only errors are said.
    var isQuiet = false
    /// Whether the present work is shown.
    var isShown = false
    /// When the line may be updated next.
    var nextTime: Int64 = 0
    /// The unfinished line on the terminal; empty when there is none.
    var line = ""

    /// The stores of which it was said what is passed over.
    var passedOver: Set<String> = []

    /// Whether nothing was said of a store yet; from now on something was.
    mutating func isNew(_ path: String) -> Bool { passedOver.insert(path).inserted }

    mutating func show(_ text: String) {
      try? output.write(text)
      output.flushOrDrop()
    }

    /// Ends the unfinished progress line, so that what follows does not run into it.
    mutating func endLine() {
      guard !line.isEmpty else { return }
      show(line + "\n")
      line = ""
    }
  }

  private let state: Mutex<State>
  private let clock: @Sendable () -> Int64
  private let isTerminal: @Sendable () -> Bool

  /// Creates a message stream on an output.
  ///
  /// - Parameters:
  ///   - output: receives the messages.
  ///   - clock: milliseconds since 1970.
  ///   - isTerminal: whether the output is a terminal.
  package init(
    _ output: consuming Output, clock: @escaping @Sendable () -> Int64,
    isTerminal: @escaping @Sendable () -> Bool
  ) {
    state = Mutex(State(output: output))
    self.clock = clock
    self.isTerminal = isTerminal
  }

  /// Sets whether progress is shown.
  ///
  /// - Parameter wanted: `--progress` (true), `--no-progress` or `-q` (false), or neither (`nil`): then it is shown
  ///   on a terminal.
  package func showProgress(_ wanted: Bool?) {
    state.withLock { if !$0.isQuiet { $0.showsProgress = wanted } }
  }

  /// Says nothing but errors from now on.
  func silence() {
    state.withLock { state in
      state.isQuiet = true
      state.showsProgress = false
    }
  }

  /// Everything that was said so far, as text, if the output is kept in memory.
  package var text: String { state.withLock { $0.output.text } }

  /// Writes one line in one piece; characters that could move a terminal's cursor are escaped.
  package func say(_ prefix: String, _ message: String) {
    state.withLock { state in
      guard !state.isQuiet || prefix == "error: " || prefix == "fatal: " else { return }
      state.endLine()
      try? state.output.writeLine(prefix + Escape.text(message))
      state.output.flushOrDrop()
    }
  }

  private func say(_ line: (prefix: String, text: String)) { say(line.prefix, line.text) }

  /// Writes bytes as they are.
  package func write(_ bytes: [UInt8]) {
    state.withLock { state in
      state.endLine()
      try? state.output.write(bytes)
      state.output.flushOrDrop()
    }
  }

  /// Writes a text as it is.
  package func write(_ text: String) {
    state.withLock { state in
      state.endLine()
      state.show(text)
    }
  }

  /// Reports an event in words.
  package func report(_ event: RedoEvent) {
    switch event {
    case .progress(let progress): show(progress)
    case .notOffered(let nodes, let remote): sayNotOffered(nodes, by: remote)
    case .recoveryLeftOver(let path):
      say("warning: ", "'\(path)' was left by an interrupted recovery, and can be removed")
    case .refs(let warning): say("warning: ", warning.description)
    case .opening(.passedOver(_, let path, _, _)) where !state.withLock({ $0.isNew(path) }): break
    case .opening(let event): for line in event.lines { say(line) }
    case .sync(let event): for line in event.lines { say(line) }
    case .writing(let event): for line in event.lines { say(line.prefix, line.text) }
    case .importing(let event): say(event.line.prefix, event.line.text)
    case .repairing(let event): say("warning: ", event.words)
    case .unknownRule(let name, let key, let place): sayUnknownRule(name, key, place)
    case .weakPassphrase(let weakness): say("warning: ", weakness.words)
    case .archive(let event): for line in event.lines { say(line.prefix, line.text) }
    case .point(let point): say("", point.words)
    case .replay(let event): say(event)
    case .index(let event): say(event)
    }
  }

  /// The lines that describe an event.
  package static func lines(of event: RedoEvent) -> [String] {
    let stream = MessageStream(.memory(), clock: { 0 }, isTerminal: { false })
    stream.report(event)
    return stream.text.split(separator: "\n").map(String.init)
  }

  private func show(_ progress: WorkProgress) {
    state.withLock { state in
      switch progress.step {
      case .begun:
        state.isShown = state.showsProgress ?? isTerminal()
        state.nextTime = state.isShown ? clock() + Self.delayMilliseconds : 0
        state.line = ""
        return
      case .ended:
        guard !state.line.isEmpty else { return }
        state.show(state.line + ", done\n")
        state.line = ""
        return
      case .done, .moved: break
      }
      guard state.isShown, let line = progress.text else { return }
      let now = clock()
      let isDue = now >= state.nextTime
      if isDue {
        state.nextTime = now + Self.intervalMilliseconds
        state.show(line + "\r")
      }
      if isDue || !state.line.isEmpty { state.line = line }
    }
  }
}

extension WorkProgress {
  /// The text of the progress line; `nil` at the beginning and the end.
  fileprivate var text: String? {
    switch step {
    case .begun, .ended: return nil
    case .moved(let received, let sent):
      return "\(title): \(Self.size(received)) received, \(Self.size(sent)) sent"
    case .done(let done):
      guard let total, total > 0 else { return "\(title): \(done)" }
      return "\(title): \(done * 100 / total)% (\(done)/\(total))"
    }
  }

  private var title: String {
    switch work {
    case .importing: "importing changes"
    case .checkingStore: "checking the store"
    case .readingCopy: "reading the source"
    case .readingNodes: "reading changes"
    case .packing: "packing changes"
    case .exporting: "exporting changes"
    case .talking(let remote): Escape.text("'\(remote)'")
    }
  }

  private static func size(_ bytes: Int) -> String {
    bytes < 10_240 ? "\(bytes) bytes" : "\(bytes >> 10) KiB"
  }
}
