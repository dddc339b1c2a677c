// What a remote says of its errors, for people.

package import RedoRemote

extension RemoteError {
  /// The same for people, without what only programs need.
  package var reason: String {
    guard case .peer(let fault) = self else { return description }
    return fault.reason.isEmpty ? fault.code.rawValue : fault.reason
  }
}
