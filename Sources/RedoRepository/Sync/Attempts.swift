// Work with a remote that is repeated while the remote cannot be reached.

internal import RedoRemote

/// Repeats work with a remote until it succeeds, or trying again cannot help.
package struct Attempts {
  private let remote: String
  private let repeats: Bool
  private let isQuiet: Bool

  /// Creates attempts with a remote.
  ///
  /// - Parameters:
  ///   - remote: its name in messages.
  ///   - repeats: whether there is more than one.
  ///   - isQuiet: whether waiting goes unreported.
  package init(_ remote: String, repeats: Bool, isQuiet: Bool) {
    self.remote = remote
    self.repeats = repeats
    self.isQuiet = isQuiet
  }

  /// Does the work.
  ///
  /// - Parameters:
  ///   - effects: receives reports, and waits.
  ///   - talk: describes the last attempt; receives its number.
  ///   - body: one attempt; after a temporary `RemoteError` it is repeated.
  /// - Returns: the result of the work, and how often it was tried.
  /// - Throws: `RemoteFault` when the last attempt ends with a `RemoteError`, any other error of the work as it
  ///   is, and `Interruption`.
  package func run<Value>(
    _ effects: Effects, _ talk: (Int) -> RemoteTalk, _ body: () throws -> Value
  ) throws -> (value: Value, attempts: Int) {
    var retry = Retry(repeats: repeats)
    while true {
      do {
        return (try body(), retry.attempt)
      } catch {
        try effects.checkInterrupt()
        guard let error = error as? RemoteError else { throw error }
        guard let delay = retry.next(after: error) else {
          throw RemoteFault.ended(remote: remote, error, talk(retry.attempt))
        }
        if !isQuiet {
          effects.report(
            .sync(
              .unreachable(
                remote: remote, error, attempt: retry.attempt, limit: retry.limit,
                delayMilliseconds: delay)))
        }
        try effects.pause(milliseconds: delay)
      }
    }
  }
}
