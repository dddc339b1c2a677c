// What the settings say about a remote, and the client that speaks HTTP to it: the same for every transport
// over HTTP.

package import AsyncHTTPClient
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
package import RedoRemote
package import RedoRepository
package import RedoStore

/// The settings that transports read.
package enum RemoteSettings {
  /// How long a server may say nothing, where no setting says otherwise.
  private static let waitSeconds = 300

  /// All settings that are in effect.
  ///
  /// - Parameter effects: says which store is meant.
  /// - Returns: those of the store, the user and the command line.
  /// - Throws: `peer` with the fault `stopped`.
  package static func read(_ effects: Effects) throws(RemoteError) -> Config {
    try open(effects).config
  }

  /// The store that has the remote.
  ///
  /// - Parameter effects: says which one is meant.
  /// - Returns: the store.
  /// - Throws: `peer` with the fault `stopped`.
  package static func open(_ effects: Effects) throws(RemoteError) -> StoreDirectory {
    do throws(StoreDirectoryError) {
      let path = try StoreDirectory.find(effects.surroundings.namedStorePath)
      return try StoreDirectory.open(path, effects.surroundings.allConfigSources)
    } catch {
      throw .peer(PeerFault(.stopped, "the settings cannot be read: \(error)"))
    }
  }

  /// How long the server of a remote may say nothing.
  ///
  /// - Parameters:
  ///   - name: the remote's, or `-`.
  ///   - config: the settings.
  /// - Returns: seconds.
  /// - Throws: `peer` with the fault `stopped`.
  package static func limitSeconds(
    of name: String, _ config: Config
  ) throws(RemoteError) -> Double {
    do throws(ConfigError) {
      let set = try config.int("remote.\(name).timeout", in: 0...86_400) ?? waitSeconds
      // A little earlier than the side at the pipe, which knows less about what has happened; 0 means no limit.
      return set == 0 ? 1e8 : 0.9 * Double(set)
    } catch {
      throw .peer(PeerFault(.stopped, error.description))
    }
  }
}

/// How a connection is encrypted.
package struct ConnectionSecurity: Equatable, Sendable {
  /// The oldest version of TLS that is spoken.
  package enum Version: String, Sendable {
    /// RFC 5246, only where a setting says so.
    case before = "1.2"
    /// RFC 8446.
    case usual = "1.3"
  }

  /// A file of certificates that are trusted in place of the system's.
  package let authorities: String?
  /// The oldest version of TLS.
  package let oldest: Version

  /// What the settings of a remote say.
  ///
  /// - Parameters:
  ///   - name: the remote's, or `-`.
  ///   - config: the settings.
  ///   - home: the directory that `~` means.
  /// - Throws: `peer` with the fault `stopped` when there is no such version.
  package init(of name: String, _ config: Config, home: String?) throws(RemoteError) {
    let file = config.get("remote.\(name).cafile") ?? ""
    authorities = file.isEmpty ? nil : file.expandingHome(home)
    let text = config.get("remote.\(name).tls") ?? ""
    guard let oldest = text.isEmpty ? .usual : Version(rawValue: text) else {
      throw .peer(PeerFault(.stopped, "the setting 'tls' has '\(text)', and not 1.2 or 1.3"))
    }
    self.oldest = oldest
  }
}

/// Makes clients.
package enum HTTPClients {
  /// How long a connection may take to come about.
  private static let connectSeconds: Int64 = 10

  /// A client with one event loop, which follows no redirect and inflates nothing.
  ///
  /// - Parameters:
  ///   - security: whom to trust, and in which versions of TLS.
  ///   - silenceSeconds: how long an answer may stall; `nil` for as long as the caller allows.
  /// - Returns: the client; shut it down in the end.
  /// - Throws: `peer` with the fault `stopped` when the file has no certificates.
  package static func make(
    _ security: ConnectionSecurity, silenceSeconds: Double? = nil
  ) throws(RemoteError) -> HTTPClient {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.minimumTLSVersion = security.oldest == .usual ? .tlsv13 : .tlsv12
    if let authorities = security.authorities {
      do {
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(authorities))
      } catch {
        throw .peer(
          PeerFault(.stopped, "there are no certificates to trust in the file '\(authorities)'"))
      }
    }
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: tls, redirectConfiguration: .disallow,
      timeout: .init(
        connect: .seconds(connectSeconds),
        read: silenceSeconds.map { .milliseconds(Int64($0 * 1_000)) }),
      decompression: .disabled)
    configuration.httpVersion = .http1Only
    // The next turn comes soon; a connection that has been idle longer may be closed by then.
    configuration.connectionPool = .init(idleTimeout: .seconds(5))
    configuration.connectionPool.retryConnectionEstablishment = false
    // One loop, so that what is written and the end of it keep their order.
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    return HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
  }
}
