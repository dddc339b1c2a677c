// Where a server listens: at an address that it opens, or at a socket that it was handed, as systemd does.

internal import NIOCore

/// Where a server listens.
package struct ListenAddress: Equatable, Sendable {
  /// A place to listen at.
  package enum Place: Equatable, Sendable {
    /// A number of the host, IPv4 or IPv6 without brackets, and the port; 0 for any that is free.
    case host(String, port: Int)
    /// A socket that is open already and listens.
    case inherited(Int32)
  }

  /// The place.
  package let place: Place
  /// Whether only this machine reaches it.
  package let isLoopback: Bool
  /// The address as it was written.
  let text: String

  /// Reads an address.
  ///
  /// - Parameter text: `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`.
  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    var host = text[..<colon]
    let digits = text[text.index(after: colon)...]
    guard (1...5).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = Int(digits), port <= 65_535
    else { return nil }
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
      guard host.contains(":") else { return nil }
    } else if host == "localhost" {
      host = "127.0.0.1"
    } else if host.contains(":") {
      return nil
    }
    guard (try? SocketAddress(ipAddress: String(host), port: port)) != nil else { return nil }
    self.init(host: String(host), port: port)
  }

  private init(host: String, port: Int) {
    place = .host(host, port: port)
    isLoopback = Self.isLoopback(host)
    text = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  /// The socket that a service manager hands over (sd_listen_fds(3)): the first one, which must listen.
  ///
  /// - Parameters:
  ///   - environment: `LISTEN_PID` and `LISTEN_FDS`.
  ///   - process: the id of this process; `nil` is the result when it was handed none.
  package init?(handedOver environment: (String) -> String?, process: Int32) {
    guard environment("LISTEN_PID").flatMap({ Int32($0) }) == process,
      let count = environment("LISTEN_FDS").flatMap({ Int($0) }), count >= 1
    else { return nil }
    place = .inherited(Self.firstSocket)
    // Whoever wrote the unit has decided about the address, which may be anything: it counts as open to others.
    isLoopback = false
    text = "systemd"
  }

  /// The number of the first socket that is handed over.
  private static let firstSocket: Int32 = 3

  private static func isLoopback(_ host: String) -> Bool {
    host == "::1" || host.hasPrefix("127.")
  }
}
