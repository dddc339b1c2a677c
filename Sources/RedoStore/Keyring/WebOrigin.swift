// The origin of an address of the web (RFC 6454): whom one talks to there, whatever the path is.

/// Scheme, host and port of an address.
package struct WebOrigin: Hashable, Sendable {
  /// Whether what is sent there is encrypted: `https`, otherwise `http`.
  package let isEncrypted: Bool
  /// The name or number of the host in lower case, without brackets.
  package let host: String
  /// The port, that of the scheme where the address has none.
  package let port: Int

  /// The most bytes of the name of a host (RFC 1035, section 2.3.4).
  private static let hostByteLimit = 253

  /// Reads the origin of an address.
  ///
  /// - Parameter address: `http://` or `https://`, a host, and perhaps a port; whatever follows does not matter. A name
  ///   before the host is refused.
  package init?(_ address: String) {
    let rest: Substring
    if address.hasPrefix("https://") {
      (isEncrypted, rest) = (true, address.dropFirst("https://".count))
    } else if address.hasPrefix("http://") {
      (isEncrypted, rest) = (false, address.dropFirst("http://".count))
    } else {
      return nil
    }
    guard let (host, port) = Self.place(rest.prefix { !"/?#".contains($0) }) else { return nil }
    self.host = host.lowercased()
    self.port = port ?? (isEncrypted ? 443 : 80)
  }

  /// The origin as text (RFC 6454, section 6.2): without the port of the scheme.
  package var text: String {
    let name = host.contains(":") ? "[\(host)]" : host
    let usual = isEncrypted ? 443 : 80
    return "\(isEncrypted ? "https" : "http")://\(name)" + (port == usual ? "" : ":\(port)")
  }

  /// Whether nothing that is sent there leaves this machine.
  package var isLoopback: Bool {
    if host == "localhost" || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Host and port of an authority (RFC 3986, section 3.2, without the user); `nil` when it is malformed.
  private static func place(_ authority: Substring) -> (host: Substring, port: Int?)? {
    var host = authority
    var port: Substring?
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = authority[authority.index(after: authority.startIndex)..<end]
      let after = authority[authority.index(after: end)...]
      guard after.isEmpty || after.hasPrefix(":") else { return nil }
      if !after.isEmpty { port = after.dropFirst() }
      guard host.utf8.contains(0x3A),
        host.utf8.allSatisfy({ isHexDigit($0) || $0 == 0x3A || $0 == 0x2E })
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
    guard host.utf8.count <= hostByteLimit else { return nil }
    guard let port else { return (host, nil) }
    guard port.utf8.count <= 5, port.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(port), (1...65_535).contains(number)
    else { return nil }
    return (host, number)
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || byte == 0x2D || byte == 0x2E || byte == 0x5F
  }
}
