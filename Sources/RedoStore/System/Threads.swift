// A bounded number of threads for one piece of work, gone when it is done (pthreads(7)).

internal import CLinux
internal import Glibc
internal import Synchronization

/// Work on several threads.
package enum Threads {
  /// The number of processors this process may run on; `taskset` counts.
  package static var processorCount: Int { max(1, Int(linux_processor_count())) }

  /// Transforms many inputs on several threads; the outputs have the order of the inputs.
  ///
  /// The calling thread takes part. Few inputs, or one thread, run on the calling thread alone.
  ///
  /// - Parameters:
  ///   - inputs: what to transform.
  ///   - threads: the most threads to use, the calling one among them.
  ///   - makeState: makes what one thread keeps for itself, such as an open directory or a buffer.
  ///   - transform: makes one output of one input.
  /// - Returns: one output for each input.
  @inlinable
  package static func parallelMap<Input: Sendable, State: ~Copyable, Output: Sendable>(
    _ inputs: [Input], threads: Int, makeState: @Sendable () -> State,
    _ transform: @Sendable (inout State, Input) -> Output
  ) -> [Output] {
    let count = inputs.count
    guard threads > 1, count > 1 else {
      var state = makeState()
      return inputs.map { transform(&state, $0) }
    }
    let used = min(threads, count)
    // Small enough that threads end together, large enough that the counter is not contended.
    let chunk = max(1, min(16, count / (used * 32)))
    let next = Atomic<Int>(0)
    // SAFETY: every index is handed out once by the counter, so each output is initialized exactly
    // once, by one thread; all threads have ended when `run` returns.
    return unsafe [Output](unsafeUninitializedCapacity: count) { buffer, initialized in
      nonisolated(unsafe) let outputs = unsafe buffer
      run(threads: used) {
        var state: State? = nil
        while true {
          let start = next.add(chunk, ordering: .relaxed).oldValue
          if start >= count { return }
          var own = state.take() ?? makeState()
          for index in start..<min(start + chunk, count) {
            unsafe outputs.initializeElement(at: index, to: transform(&own, inputs[index]))
          }
          state = consume own
        }
      }
      initialized = count
    }
  }

  /// Runs the same work on several threads at once, and waits for all.
  ///
  /// - Parameters:
  ///   - threads: how many, the calling one among them; fewer when the system gives no more.
  ///   - body: the work.
  package static func run(threads: Int, _ body: @Sendable () -> Void) {
    withoutActuallyEscaping(body) { body in
      var handles: [pthread_t] = []
      for _ in 1..<max(threads, 1) {
        var handle = pthread_t()
        // SAFETY: the new thread takes over the reference to the work; if there is no new thread, it is
        // released here.
        let work = unsafe Unmanaged.passRetained(Work(body))
        let status = unsafe pthread_create(&handle, nil, startWork, work.toOpaque())
        guard status == 0 else {
          unsafe work.release()
          break
        }
        handles.append(handle)
      }
      body()
      // SAFETY: each thread is joined exactly once.
      for handle in handles { _ = pthread_join(handle, nil) }
    }
  }

  /// A thread that runs beside its maker.
  ///
  /// A class, because it is waited for once, whoever holds it. Unchecked: it belongs to one thread at a
  /// time.
  package final class Started: @unchecked Sendable {
    private var handle: pthread_t?

    fileprivate init(_ handle: pthread_t) { self.handle = handle }

    deinit { join() }

    /// Waits for its end; doing so again has no effect.
    package func join() {
      guard let handle = handle.take() else { return }
      // SAFETY: joined exactly once.
      _ = pthread_join(handle, nil)
    }

    /// Lets it run for as long as the process does: nobody waits for it.
    package func detach() {
      guard let handle = handle.take() else { return }
      pthread_detach(handle)
    }
  }

  /// Runs work on a separate thread.
  ///
  /// - Parameter body: the work.
  /// - Returns: the thread; `nil` when the system gives none.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Started? {
    var handle = pthread_t()
    // SAFETY: the new thread takes over the reference to the work; if there is no new thread, it is
    // released here.
    let work = unsafe Unmanaged.passRetained(Work(body))
    guard unsafe pthread_create(&handle, nil, startWork, work.toOpaque()) == 0 else {
      unsafe work.release()
      return nil
    }
    return Started(handle)
  }

  /// Runs work on a separate thread for which nobody waits; on this one if the system has no thread to give.
  ///
  /// - Parameter body: the work.
  package static func detached(_ body: @escaping @Sendable () -> Void) {
    guard let started = start(body) else { return body() }
    started.detach()
  }

  /// What a new thread runs.
  ///
  /// A class, because pthread_create hands on one pointer.
  fileprivate final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}

/// The first function of each thread.
///
/// - Parameter work: a retained `Threads.Work`, released before the thread ends.
/// - Returns: nothing.
private func startWork(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let work = unsafe work else { return nil }
  // SAFETY: `run` passed exactly this class, retained.
  unsafe Unmanaged<Threads.Work>.fromOpaque(work).takeRetainedValue().body()
  return nil
}
