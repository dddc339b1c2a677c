// Where a store is served: the address of a remote (RFC 3986, the part of it that remotes need).

package import RedoRemote

/// The address that exchanges are posted to.
package struct HTTPEndpoint: Equatable, Sendable {
  /// The whole address of the exchange.
  package var url: String { base + Self.path }
  /// The address without that path; it does not end with a slash.
  package let base: String
  /// Whether what is sent is encrypted.
  package let isEncrypted: Bool
  /// The name or number of the host, without brackets.
  package let host: String

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
    guard let host = Self.host(authority) else {
      throw Self.refused("'\(authority)' is no host with an optional port")
    }
    self.host = host
    isEncrypted = scheme == "https://"
    var path = rest.dropFirst(authority.count)
    while path.hasSuffix("/") { path = path.dropLast() }
    base = scheme + authority + path
  }

  /// The host of an authority; `nil` when it is malformed.
  private static func host(_ authority: Substring) -> String? {
    var host = authority
    var port: Substring?
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = authority[authority.index(after: authority.startIndex)..<end]
      let after = authority[authority.index(after: end)...]
      guard after.isEmpty || after.hasPrefix(":") else { return nil }
      if !after.isEmpty { port = after.dropFirst() }
      guard !host.isEmpty, host.utf8.allSatisfy({ isHexDigit($0) || $0 == 0x3A || $0 == 0x2E })
      else { return nil }
    } else {
      if let colon = authority.firstIndex(of: ":") {
        host = authority[..<colon]
        port = authority[authority.index(after: colon)...]
      }
      guard !host.isEmpty, !host.hasPrefix("-"), host.utf8.allSatisfy(isNamePart) else {
        return nil
      }
    }
    if let port {
      guard port.utf8.count <= 5, port.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(port), (1...65_535).contains(number)
      else { return nil }
    }
    return String(host)
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || byte == 0x2D || byte == 0x2E || byte == 0x5F
  }

  private static func refused(_ text: String) -> RemoteError {
    .peer(PeerFault(.stopped, "not an address of a store: \(text)"))
  }

  /// Whether nothing that is sent leaves this machine.
  package var isLoopback: Bool {
    if host.lowercased() == "localhost" || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
