// The location of a remote, as people write it: a path, `ssh://[user@]host[:port]/path` or `host:path` as in git, or
// the URL of a helper.

internal import RedoObject

/// The location of a remote.
package enum RemoteURL: Equatable, Sendable {
  /// A store or a bundle on this machine.
  case path(String)
  /// A store that another machine serves when ssh(1) asks it.
  case ssh(SSHAddress)
  /// Something that the program `redo-remote-<scheme>` reaches.
  case helper(scheme: String, url: String)

  /// Why a text is not a location.
  package enum Fault: Error, Hashable, Sendable {
    /// It is empty.
    case empty
    /// It is longer than a URL may be.
    case tooLong
    /// It contains control characters.
    case controls
    /// It begins like an option.
    case dash
    /// It names a command line, which git would allow.
    case commandLine
    /// It names a file of another machine.
    case otherMachine
    /// It names no host.
    case noHost
    /// It names no path.
    case noPath
    /// It contains a user name, which everybody who lists the processes of the machine could see.
    case user
    /// It contains a password.
    case password
    /// Its port is not a number from 1 to 65535.
    case port
    /// It has a `%` without two hex digits.
    case percent
    /// Its `%xx` do not decode to a text.
    case noText
    /// It names a host that begins like an option.
    case dashedHost
    /// It names a host with a blank in it.
    case blankHost
    /// It names a path that begins like an option.
    case dashedPath
  }

  /// The most bytes of a URL.
  package static let byteLimit = 4096

  /// Reads a location.
  ///
  /// - Parameter text: a path or a URL.
  /// - Throws: what is wrong with it.
  package init(_ text: String) throws(Fault) {
    guard !text.isEmpty else { throw .empty }
    guard text.utf8.count <= Self.byteLimit else {
      throw .tooLong
    }
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw .controls
    }
    if let split = Self.split(text) {
      self = try Self.url(split.scheme, split.rest, text)
      return
    }
    // Colons in an address of IPv6 do not count.
    let start = text.firstIndex(of: "[").flatMap { open -> String.Index? in
      let isHost = !text[..<open].contains { $0 == "/" || $0 == ":" }
      return isHost ? text[open...].firstIndex(of: "]") : nil
    }
    let colon = text[(start ?? text.startIndex)...].firstIndex(of: ":")
    let isBehind = colon.map { text[..<$0].contains("/") } ?? true
    guard let colon, !isBehind else {
      guard !text.hasPrefix("-") else {
        throw .dash
      }
      self = .path(text)
      return
    }
    guard !text[colon...].hasPrefix("::") else {
      throw .commandLine
    }
    self = .ssh(
      try SSHAddress(
        String(text[..<colon]), port: nil,
        path: String(text[text.index(after: colon)...])))
  }

  /// `<scheme>://<rest>`, the scheme in lower case.
  private static func split(_ text: String) -> (scheme: String, rest: String)? {
    guard let end = text.firstRange(of: "://") else { return nil }
    let scheme = text[..<end.lowerBound]
    let letters = scheme.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    guard let first = letters.first, (0x61...0x7A).contains(first),
      letters.allSatisfy({
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0)
      })
    else { return nil }
    return (String(decoding: letters, as: UTF8.self), String(text[end.upperBound...]))
  }

  private static func url(
    _ scheme: String, _ rest: String, _ text: String
  ) throws(Fault) -> RemoteURL {
    switch scheme {
    case "file":
      let path = rest.hasPrefix("localhost/") ? String(rest.dropFirst("localhost".count)) : rest
      guard path.hasPrefix("/") else {
        throw .otherMachine
      }
      return .path(try decoded(path))
    case "ssh":
      guard let slash = rest.firstIndex(of: "/") else { throw .noPath }
      let (host, port) = try port(String(rest[..<slash]))
      var path = try decoded(String(rest[slash...]))
      // git's form of a path below the home directory.
      if path.hasPrefix("/~/") { path = String(path.dropFirst(3)) }
      return .ssh(try SSHAddress(try decoded(host), port: port, path: path))
    default:
      let place = rest.prefix { !"/?#".contains($0) }
      guard !place.contains("@") else {
        throw .user
      }
      guard !place.isEmpty else { throw .noHost }
      return .helper(scheme: scheme == "https" ? "http" : scheme, url: text)
    }
  }

  /// Splits the port from `[user@]host[:port]`; an IPv6 address is in brackets.
  private static func port(_ text: String) throws(Fault) -> (host: String, port: Int?) {
    guard let colon = text.lastIndex(of: ":"), !text[colon...].contains("]") else {
      return (text, nil)
    }
    let digits = text[text.index(after: colon)...]
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(digits),
      (1...65_535).contains(port)
    else { throw .port }
    return (String(text[..<colon]), port)
  }

  /// A text with its `%xx` (RFC 3986, section 2.1) decoded.
  private static func decoded(_ text: String) throws(Fault) -> String {
    var output: [UInt8] = []
    var bytes = Array(text.utf8)[...]
    while let byte = bytes.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        output.append(byte)
        continue
      }
      guard bytes.count >= 2, let high = hex(bytes.removeFirst()),
        let low = hex(bytes.removeFirst())
      else { throw .percent }
      output.append(high << 4 | low)
    }
    guard let text = String(validating: output, as: UTF8.self),
      output.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { throw .noText }
    return text
  }

  private static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  /// Whether a transport of ours reaches it, not a program that somebody has added.
  var isOurs: Bool {
    switch self {
    case .path, .ssh: true
    case .helper(let scheme, _): ["http", "https", "firestore"].contains(scheme)
    }
  }

  /// The kind of transport, for people and programs.
  package var transport: String {
    switch self {
    case .path: "path"
    case .ssh: "ssh"
    case .helper(let scheme, _): scheme
    }
  }
}

/// A store on another machine.
package struct SSHAddress: Equatable, Sendable {
  /// `host` or `user@host`.
  package let host: String
  /// The port; `nil` for the default of ssh(1).
  package let port: Int?
  /// The path there; a relative one starts in the home directory.
  package let path: String

  /// Creates the address of a store on another machine.
  ///
  /// - Parameters:
  ///   - text: `[user@]host`; brackets around an IPv6 address are removed.
  ///   - port: the port, if one is named.
  ///   - path: the path there.
  /// - Throws: what is wrong with it: nothing may be read as an option by ssh(1), or by the program that it starts.
  package init(_ text: String, port: Int?, path: String) throws(RemoteURL.Fault) {
    let at = text.lastIndex(of: "@")
    let user = at.map { String(text[...$0]) } ?? ""
    var name = at.map { String(text[text.index(after: $0)...]) } ?? text
    if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
    guard !name.isEmpty, user != "@" else { throw .noHost }
    guard !user.contains(":") else {
      throw .password
    }
    for part in [user + name, name] where part.hasPrefix("-") {
      throw .dashedHost
    }
    guard (user + name).utf8.allSatisfy({ $0 > 0x20 }) else {
      throw .blankHost
    }
    guard !path.isEmpty else { throw .noPath }
    guard !path.hasPrefix("-") else {
      throw .dashedPath
    }
    host = user + name
    self.port = port
    self.path = path
  }
}
