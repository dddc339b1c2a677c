// Why an attempt has ended: the exchange broke, which may be tried again, or the command cannot go on.

internal import RedoRemote

/// Why an attempt to talk to a remote has ended.
enum SyncFailure: Error {
  /// The exchange ended early.
  case remote(RemoteError)
  /// The command cannot go on.
  case command(CommandError)

  /// Runs what fails as commands do.
  static func command<Value: ~Copyable>(
    _ body: () throws(CommandError) -> Value
  ) throws(SyncFailure) -> Value {
    do throws(CommandError) { return try body() } catch { throw .command(error) }
  }

  /// Runs what fails as exchanges do.
  static func remote<Value: ~Copyable>(
    _ body: () throws(RemoteError) -> Value
  ) throws(SyncFailure) -> Value {
    do throws(RemoteError) { return try body() } catch { throw .remote(error) }
  }
}

extension RemoteError {
  /// The same for people, without what only programs need.
  var reason: String {
    guard case .peer(let fault) = self else { return description }
    return fault.reason.isEmpty ? fault.code.rawValue : fault.reason
  }
}
