// Runs scripts a few at a time, alongside the tests that run in process. A thread of this queue waits for each
// script: a test that waited itself would block one of the threads that run all tests, and there are only as many
// of those as processors.

import Foundation
import Synchronization

/// Scripts that wait for their turn, and the results of the others.
final class ScriptQueue: Sendable {
  /// The queue of this process.
  static let shared = ScriptQueue()

  /// The result of a script.
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

  /// How many scripts run at once.
  ///
  /// They wait more than they compute, for disks and for each other, so there may be more of them than processors.
  static let limit: Int = {
    let text = ProcessInfo.processInfo.environment["REDO_SCRIPT_JOBS"] ?? ""
    return Int(text).map { max(1, $0) } ?? 2 * ProcessInfo.processInfo.activeProcessorCount + 1
  }()

  /// The result of a script; `all` are the scripts whose results will be needed, too.
  ///
  /// These are started at once, the slowest first, and do not wait until their tests begin.
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

  /// The next script, if there is one that may run alongside the others.
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
