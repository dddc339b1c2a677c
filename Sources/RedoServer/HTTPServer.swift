// The server: it listens, takes connections in, and stops in good order.

internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import RedoStore

/// What a server needs to speak TLS.
package struct ServerCertificate: Sendable {
  /// The path of the certificates, the server's own first (PEM).
  let chainPath: String
  /// The path of its secret key (PEM).
  let keyPath: String

  /// The files of a certificate.
  package init(chainPath: String, keyPath: String) {
    self.chainPath = chainPath
    self.keyPath = keyPath
  }
}

/// Where a server listens.
package struct ListenAddress: Equatable, Sendable {
  /// A number of the host: IPv4, or IPv6 without brackets.
  package let host: String
  /// The port; 0 for any that is free.
  package let port: Int

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
    self.host = String(host)
    self.port = port
  }

  /// Whether only this machine reaches it.
  package var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }

  /// The address as it was written.
  var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// Why a server did not start.
package struct ServerError: Error, CustomStringConvertible {
  /// One line for people.
  package let description: String
}

/// A server of stores.
package struct HTTPServer: Sendable {
  private let core: ServerCore
  private let group: MultiThreadedEventLoopGroup
  private let listener: any Channel
  private let log: RequestLog

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - address: where it listens.
  ///   - certificate: for TLS; `nil` for none.
  ///   - settings: its limits.
  ///   - accounts: the accounts; `nil` to serve every client.
  ///   - localStore: the store that is served without accounts.
  ///   - documents: what is served of Firestore's API; `nil` for none of it.
  ///   - log: takes a line for each request.
  ///   - answering: works on an exchange.
  /// - Throws: why it did not start.
  package init(
    at address: ListenAddress, _ certificate: ServerCertificate?, _ settings: ServerSettings,
    _ accounts: Accounts?, localStore: String, documents: FirestoreService?, _ log: RequestLog,
    _ answering: @escaping Answering
  ) throws(ServerError) {
    let tls = try certificate.map { (certificate) throws(ServerError) in
      try Self.context(certificate)
    }
    let core = ServerCore(
      settings, accounts, localStore: localStore, documents, log, answering)
    self.core = core
    self.log = log
    group = MultiThreadedEventLoopGroup(numberOfThreads: min(Threads.processorCount, 4))
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 512)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.maxMessagesPerRead, value: 4)
      .childChannelInitializer { channel in Self.prepare(channel, core, tls) }
    do {
      listener = try bootstrap.bind(host: address.host, port: address.port).wait()
    } catch let error as IOError {
      let reason = SystemError(code: error.errnoCode, operation: "", path: "").reason
      throw ServerError(description: "cannot listen at \(address.text): \(reason)")
    } catch {
      throw ServerError(description: "cannot listen at \(address.text): \(error)")
    }
    log.say(
      "listening",
      [
        ("address", .text(address.text)), ("port", .number(port)),
        ("scheme", .text(tls == nil ? "http" : "https")),
      ])
  }

  /// The port that it listens at.
  package var port: Int { listener.localAddress?.port ?? 0 }

  private static func context(_ certificate: ServerCertificate) throws(ServerError) -> NIOSSLContext
  {
    let path = certificate.chainPath
    let chain: [NIOSSLCertificate]
    do { chain = try NIOSSLCertificate.fromPEMFile(path) } catch {
      throw ServerError(description: "there is no certificate in '\(path)'")
    }
    let key: NIOSSLPrivateKey
    do { key = try NIOSSLPrivateKey(file: certificate.keyPath, format: .pem) } catch {
      throw ServerError(description: "there is no secret key in '\(certificate.keyPath)'")
    }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    configuration.minimumTLSVersion = .tlsv13
    configuration.applicationProtocols = ["http/1.1"]
    do { return try NIOSSLContext(configuration: configuration) } catch {
      throw ServerError(
        description:
          "the key in '\(certificate.keyPath)' is not that of the certificate in '\(path)'")
    }
  }

  private static func prepare(
    _ channel: any Channel, _ core: ServerCore, _ tls: NIOSSLContext?
  ) -> EventLoopFuture<Void> {
    let welcome = core.connections.add(channel)
    channel.closeFuture.whenComplete { _ in core.connections.remove(channel) }
    return channel.eventLoop.makeCompletedFuture {
      guard welcome != .closed else { throw ChannelError.connectTimeout(.zero) }
      let pipeline = channel.pipeline.syncOperations
      if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
      try pipeline.configureHTTPServerPipeline(
        withPipeliningAssistance: true, withErrorHandling: true)
      try pipeline.addHandler(RequestHandler(core, welcome))
    }
  }

  /// Stops: nothing new is accepted, running exchanges may end, and those that do not end in time are cut off.
  ///
  /// What was acknowledged is kept either way, and so is what a cut exchange had taken in.
  package func stop() {
    core.connections.stop()
    try? listener.close().wait()
    // Code that sees this knows that nothing new begins.
    log.say("stopping", [("exchanges", .number(core.metrics.running))])
    let isDone = core.waitForExchanges(seconds: core.settings.graceSeconds)
    core.connections.cut()
    // A store that is being written to is never left in the middle by us.
    if !isDone { _ = core.waitForExchanges(seconds: 60) }
    log.say("stopped", [("cut", .text(isDone ? "no" : "yes"))])
    try? group.syncShutdownGracefully()
  }
}
