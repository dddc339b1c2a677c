// Scripts run a few at a time, beside the tests that run in process. Each has a thread of this queue, which waits for
// it: a test that waited itself would block one of the threads on which all tests run, of which there are only as many
// as processors.

import Foundation
import Synchronization

/// Scripts that wait for their turn, and what became of the others.
final class ScriptQueue: Sendable {
  /// The one of this process.
  static let shared = ScriptQueue()

  /// How a script has ended.
  struct Outcome: Sendable {
    let status: Int32
    let output: String
    let seconds: Double
  }

  private struct State {
    var isKnown: Set<String> = []
    var waiting: [Script] = []
    var threadCount = 0
    var isOneAlone = false
    var outcomes: [String: Result<Outcome, any Error>] = [:]
    var listeners: [String: CheckedContinuation<Outcome, any Error>] = [:]
  }
  private let state = Mutex(State())

  /// How many run at once.
  ///
  /// They wait more than they work, for disks and for each other, so that there may be more of them than processors.
  static let limit: Int = {
    let text = ProcessInfo.processInfo.environment["REDO_SCRIPT_JOBS"] ?? ""
    return Int(text).map { max(1, $0) } ?? 2 * ProcessInfo.processInfo.activeProcessorCount + 1
  }()

  /// How a script ends; `all` are those that will be asked for too.
  ///
  /// These are begun at once, those that take longest first, and do not wait until their tests are.
  func outcome(of script: Script, among all: [Script]) async throws -> Outcome {
    begin(all)
    return try await withCheckedThrowingContinuation { listener in
      let outcome = state.withLock { state in
        let outcome = state.outcomes[script.path]
        if outcome == nil { state.listeners[script.path] = listener }
        return outcome
      }
      if let outcome { listener.resume(with: outcome) }
    }
  }

  private func begin(_ scripts: [Script]) {
    let threads = state.withLock { state in
      let new = scripts.filter { state.isKnown.insert($0.path).inserted }
      state.waiting = (state.waiting + new).sorted { $0.seconds < $1.seconds }
      let threads = min(Self.limit - state.threadCount, state.waiting.count)
      state.threadCount += max(0, threads)
      return threads
    }
    for _ in 0..<max(0, threads) { Thread { self.work() }.start() }
  }

  /// Runs one script after another until none may run.
  private func work() {
    while let script = next() {
      let outcome = Result { try script.run() }
      let listener = state.withLock { state in
        state.outcomes[script.path] = outcome
        if script.isAlone { state.isOneAlone = false }
        return state.listeners.removeValue(forKey: script.path)
      }
      listener?.resume(with: outcome)
    }
  }

  /// The next one, if there is one that may run beside the others.
  private func next() -> Script? {
    state.withLock { state in
      let index = state.waiting.lastIndex { !($0.isAlone && state.isOneAlone) }
      guard let index else {
        state.threadCount -= 1
        return nil
      }
      let script = state.waiting.remove(at: index)
      if script.isAlone { state.isOneAlone = true }
      return script
    }
  }
}
