// The server: it listens, takes connections in, and stops in good order.

internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
package import RedoRepository
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

/// Why a server did not start.
package struct ServerError: Error, CustomStringConvertible {
  /// One line for people.
  package let description: String
  /// What to do about it.
  package var hint: String?
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
    let tls = try Self.context(certificate)
    let core = ServerCore(
      settings, ServerParts(accounts: accounts, tls: tls, documents: documents),
      localStore: localStore, log, answering)
    self.core = core
    self.log = log
    group = MultiThreadedEventLoopGroup(numberOfThreads: min(Threads.processorCount, 4))
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 512)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.maxMessagesPerRead, value: 4)
      .childChannelInitializer { channel in Self.prepare(channel, core) }
    do {
      listener =
        switch address.place {
        case .host(let host, let port): try bootstrap.bind(host: host, port: port).wait()
        case .inherited(let socket): try bootstrap.withBoundSocket(socket).wait()
        }
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

  /// From now on requests are let in by other accounts, new connections speak TLS with another certificate, and other
  /// documents are served; all of it, or nothing.
  ///
  /// - Parameters:
  ///   - certificate: for TLS; `nil` for none.
  ///   - accounts: the accounts; `nil` to serve every client.
  ///   - documents: what is served of Firestore's API; `nil` for none of it.
  /// - Throws: why the certificate cannot be used; nothing has changed then.
  package func replace(
    _ certificate: ServerCertificate?, _ accounts: Accounts?, documents: FirestoreService?
  ) throws(ServerError) {
    let parts = ServerParts(
      accounts: accounts, tls: try Self.context(certificate), documents: documents)
    documents?.takeOver()
    core.parts.withLockedValue { $0 = parts }
    log.say("reloaded", [("accounts", .number(accounts?.all.count ?? 0))])
  }

  private static func context(
    _ certificate: ServerCertificate?
  ) throws(ServerError) -> NIOSSLContext? {
    guard let certificate else { return nil }
    let path = certificate.chainPath
    let chain: [NIOSSLCertificate]
    do { chain = try NIOSSLCertificate.fromPEMBytes(contents(path)) } catch {
      throw ServerError(description: "there is no certificate in '\(path)'")
    }
    let key: NIOSSLPrivateKey
    try check(certificate.keyPath)
    do { key = try NIOSSLPrivateKey(bytes: contents(certificate.keyPath), format: .pem) } catch {
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

  /// The most bytes of a certificate with its chain, or of a key.
  private static let pemLimit = 1 << 20

  /// What is in a file, which a reload never waits for: a named pipe in its place would be read for ever.
  private static func contents(_ path: String) throws -> [UInt8] {
    let bytes = try File.openRegular(path).readAll(limit: pemLimit)
    guard !bytes.isEmpty else { throw NIOSSLError.failedToLoadCertificate }
    return bytes
  }

  /// Makes sure that a secret key is one: not every user of this machine may read it.
  private static func check(_ path: String) throws(ServerError) {
    guard let mode = try? File.open(path, .read, [.nonBlocking]).status().mode & 0o777,
      mode & 0o007 != 0
    else { return }
    let octal = String(mode, radix: 8)
    throw ServerError(
      description: "the secret key in '\(path)' is open to everybody (mode \(octal))",
      hint: "chmod o= '\(path)'")
  }

  private static func prepare(
    _ channel: any Channel, _ core: ServerCore
  ) -> EventLoopFuture<Void> {
    let tls = core.parts.withLockedValue { $0.tls }
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
    let (isDone, cutCount) = core.waitForExchanges(seconds: core.settings.graceSeconds)
    core.connections.cut()
    // A store that is being written to is never left in the middle by us.
    if !isDone { _ = core.waitForExchanges(seconds: 60) }
    log.say("stopped", [("cut", .text(isDone && cutCount == 0 ? "no" : "yes"))])
    log.finish()
    try? group.syncShutdownGracefully()
  }
}
