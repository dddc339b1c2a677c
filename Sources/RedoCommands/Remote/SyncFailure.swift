// What a remote says of its errors, for people.

internal import RedoRemote

extension RemoteError {
  /// The same for people, without what only programs need.
  var reason: String {
    guard case .peer(let fault) = self else { return description }
    return fault.reason.isEmpty ? fault.code.rawValue : fault.reason
  }
}
