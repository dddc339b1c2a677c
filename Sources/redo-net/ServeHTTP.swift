// redo-serve-http: serves stores over HTTP until it is stopped by a signal. `redo serve --http` starts it.

internal import FirestoreModel
internal import RedoRepository
internal import RedoServer
internal import RedoShell
internal import RedoRemote
internal import RedoStore

/// `redo-serve-http --http=<address:port> [<option>...] [<store>]`.
enum ServeHTTP: Command {
  static let name = "serve-http"
  static let summary = "serve stores over HTTP"
  static var usage: [String] {
    [
      "redo-serve-http --http=<address:port> [<option>...] [<store>]",
      "redo-serve-http --http=<address:port> --accounts=<file> [<option>...]",
      "redo-serve-http --firestore[=<project>] [--http=<address:port>] [<option>...] [<store>]",
    ]
  }

  static var options: [OptionSpec] { ServeOptions.network + [ServeOptions.allowUnsigned] }

  /// Serves until SIGTERM or SIGINT.
  ///
  /// - Parameters:
  ///   - context: the surroundings.
  ///   - options: the options that were given.
  /// - Returns: `ok` after SIGTERM.
  /// - Throws: the reason why it cannot serve; `signal` after SIGINT.
  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let hasDocuments = options.has(ServeOptions.firestore)
    guard let text = options.value(ServeOptions.address) ?? (hasDocuments ? usualAddress : nil)
    else { throw CommandError.usage("option '--http' says where to listen") }
    guard let listen = ListenAddress(text) else {
      throw CommandError.usage(
        "option '--http' expects a number of a host and a port, not '\(text)'")
    }
    let isEmulator = try checkEmulator(options, listen)
    let accounts = try readAccounts(context, options)
    let certificate = try certificate(context, options)
    guard listen.isLoopback || accounts != nil else {
      throw CommandError.usage(
        "option '--accounts' is needed where others than this machine reach the server")
    }
    guard listen.isLoopback || certificate != nil else {
      throw CommandError.usage(
        "option '--tls-certificate' is needed where others than this machine reach the server")
    }
    guard !hasDocuments || isEmulator || accounts != nil else {
      throw CommandError.usage("option '--firestore' needs '--accounts', or '--emulator' for tests")
    }
    guard accounts == nil ? options.arguments.count <= 1 : options.arguments.isEmpty else {
      throw CommandError.usage(
        accounts == nil ? "one store can be named" : "the accounts name the stores, not arguments")
    }
    var settings = try settings(options)
    // Tests may send as many requests as they like.
    if isEmulator, !options.has(ServeOptions.rate) { settings.ratePerSecond = 0 }
    let stores = ServedStores(
      context.effects, allowsUnsigned: options.flag(ServeOptions.allowUnsigned))
    for path in accounts?.stores ?? [] { _ = try stores.check(path) }
    let localStore = accounts == nil ? try stores.check(options.arguments.first) : ""
    let log = RequestLog(words: { MessageStream.lines(of: $0) }) {
      try? File.standardError.writeAll($0)
    }
    if let project = options.value(ServeOptions.firestore), DatabaseName(project: project) == nil {
      throw CommandError.usage("option '--firestore' expects the id of a project, not '\(project)'")
    }
    let documents =
      hasDocuments
      ? try FirestoreService(
        project: options.value(ServeOptions.firestore), isEmulator: isEmulator, accounts,
        localStore: localStore, stores, log) : nil
    for account in accounts?.all ?? [] where account.rights.isListed {
      guard try !stores.hasAccessLists(account.store) else { continue }
      let whole = account.rights.mayWrite ? "replica:write" : "replica:read"
      log.say(
        "warning: no node here has an access list, so exchanges show this account nothing"
          + " (hint: '\(whole)' shows it the whole store)", about: account)
    }
    let turnLimit = settings.bodyLimit
    context.holdSignals()
    let server: HTTPServer
    do throws(ServerError) {
      server = try HTTPServer(
        at: listen, certificate, settings, accounts, localStore: localStore, documents: documents,
        log
      ) { stream, account in
        stores.answer(
          stream, from: account.store, mayPush: account.rights.mayWrite,
          sight: accounts == nil
            ? .owner : account.rights.isListed ? .listed(account: account.name) : .replica,
          client: account.name, turnLimit: turnLimit)
      }
    } catch {
      throw CommandError.fatal(error.description)
    }
    while context.signals.pending == 0 { SystemClock.sleep(microseconds: 50_000) }
    let number = context.signals.pending
    server.stop()
    guard number == 15 else { throw CommandError.signal(number) }
    return .ok
  }

  /// The default address for serving documents, which is also that of Google's emulator.
  private static let usualAddress = "127.0.0.1:8080"

  private static func checkEmulator(
    _ options: ParsedOptions, _ listen: ListenAddress
  ) throws -> Bool {
    guard options.has(ServeOptions.emulator) else { return false }
    guard options.has(ServeOptions.firestore) else {
      throw CommandError.usage("option '--emulator' belongs to '--firestore'")
    }
    guard listen.isLoopback else {
      throw CommandError.usage(
        "with '--emulator' anybody is who he says: only this machine may reach it")
    }
    guard !options.has(ServeOptions.accounts) else {
      throw CommandError.usage("options '--emulator' and '--accounts' cannot be used together")
    }
    return true
  }

  private static func settings(_ options: ParsedOptions) throws -> ServerSettings {
    var settings = ServerSettings()
    if let bytes = try options.sizeBytes(ServeOptions.bodyLimit) {
      guard bytes > 0 else {
        throw CommandError.usage("option '--max-body' expects more than 0 bytes")
      }
      settings.bodyLimit = bytes
    }
    settings.connectionLimit =
      try options.integer(ServeOptions.connectionLimit, in: 1...100_000) ?? settings.connectionLimit
    settings.ratePerSecond =
      try options.integer(ServeOptions.rate, in: 0...1_000_000) ?? settings.ratePerSecond
    settings.timeoutSeconds =
      try options.integer(ServeOptions.timeout, in: 1...86_400) ?? settings.timeoutSeconds
    settings.graceSeconds =
      try options.integer(ServeOptions.grace, in: 0...86_400) ?? settings.graceSeconds
    settings.hasMetrics = options.has(ServeOptions.metrics)
    return settings
  }

  private static func certificate(
    _ context: borrowing Context, _ options: ParsedOptions
  ) throws -> ServerCertificate? {
    switch (options.value(ServeOptions.certificate), options.value(ServeOptions.key)) {
    case (nil, nil): return nil
    case (let chain?, let key?):
      return ServerCertificate(chainPath: context.resolve(chain), keyPath: context.resolve(key))
    default: throw CommandError.usage("options '--tls-certificate' and '--tls-key' belong together")
    }
  }

  private static func readAccounts(
    _ context: borrowing Context, _ options: ParsedOptions
  ) throws -> Accounts? {
    guard let name = options.value(ServeOptions.accounts) else { return nil }
    let path = context.resolve(name)
    let bytes: [UInt8]
    let mode: UInt32
    do throws(SystemError) {
      let file = try File.open(path, .read, [.nonBlocking])
      mode = try file.status().mode & 0o777
      bytes = try file.readAll(limit: Accounts.byteLimit)
    } catch {
      throw CommandError.fatal(error.description)
    }
    guard mode & 0o077 == 0 else {
      throw CommandError.fatal(
        "the accounts in '\(name)' are open to others (mode \(String(mode, radix: 8)))",
        hints: ["chmod 600 '\(name)'"])
    }
    do throws(Accounts.Wrong) {
      return try Accounts(parsing: bytes)
    } catch {
      throw CommandError.fatal("\(name):\(error.line): \(error.rule)")
    }
  }
}
