// Where a store is served: the address of a remote (RFC 3986, the part of it that remotes need).

package import RedoRemote
package import RedoStore

/// The address that exchanges are posted to.
package struct HTTPEndpoint: Equatable, Sendable {
  /// The whole address of the exchange.
  package var url: String { base + Self.path }
  /// The address without that path; it does not end with a slash.
  package let base: String
  /// The server.
  package let origin: WebOrigin
  /// The name or number of the host, without brackets.
  package var host: String { origin.host }

  /// The path of the exchange below the address of a store.
  package static let path = "/v1/exchange"

  /// Reads the address of a remote.
  ///
  /// - Parameter text: `https://host[:port][/path]`, or with `http`.
  /// - Throws: `peer` with the fault `stopped` that says what is wrong.
  package init(_ text: String) throws(RemoteError) {
    guard text.utf8.count <= 2048, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Self.refused("an address of visible ASCII characters, at most 2048, is needed")
    }
    let scheme: String
    if text.hasPrefix("https://") {
      scheme = "https://"
    } else if text.hasPrefix("http://") {
      scheme = "http://"
    } else {
      throw Self.refused("an address begins with 'https://' or 'http://'")
    }
    let rest = text.dropFirst(scheme.count)
    guard !rest.contains("?"), !rest.contains("#") else {
      throw Self.refused("an address has neither '?' nor '#'")
    }
    let authority = rest.prefix { $0 != "/" }
    guard !authority.contains("@") else {
      throw Self.refused("an address has no name or password in it; 'tokenFile' names a token")
    }
    guard let origin = WebOrigin(scheme + authority) else {
      throw Self.refused("'\(authority)' is no host with an optional port")
    }
    self.origin = origin
    var path = rest.dropFirst(authority.count)
    while path.hasSuffix("/") { path = path.dropLast() }
    base = scheme + authority + path
  }

  private static func refused(_ text: String) -> RemoteError {
    .peer(PeerFault(.stopped, "not an address of a store: \(text)"))
  }
}
