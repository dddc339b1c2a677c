// What a server is started with, and what of it is read anew while it runs: accounts and certificates.

internal import FirestoreModel
internal import RedoRepository
internal import RedoServer
internal import RedoShell
internal import RedoStore

/// The options of a server.
struct ServePlan: Sendable {
  let listen: ListenAddress
  let certificate: ServerCertificate?
  let settings: ServerSettings
  private let isEmulator: Bool
  private let hasDocuments: Bool
  /// The project whose documents are served; any when `nil`.
  private let project: String?
  private let accountsFile: AccountFile?
  /// The path of the log; `nil` for standard error.
  private let logPath: String?
  private let storeCount: Int

  /// The default address for serving documents, which is also that of Google's emulator.
  private static let usualAddress = "127.0.0.1:8080"
  /// What stands in the place of an address for a socket that is handed over.
  private static let handedOver = "systemd"

  /// Reads the options.
  ///
  /// - Throws: `usage` for options that make no sense.
  init(_ options: ParsedOptions, _ context: borrowing Context) throws {
    hasDocuments = options.has(ServeOptions.firestore)
    project = options.value(ServeOptions.firestore)
    guard
      let text = options.value(ServeOptions.address) ?? (hasDocuments ? Self.usualAddress : nil)
    else { throw CommandError.usage("option '--http' says where to listen") }
    listen = try Self.address(text, context)
    isEmulator = try Self.checkEmulator(options, listen)
    accountsFile = options.value(ServeOptions.accounts).map {
      AccountFile(path: context.resolve($0), name: $0)
    }
    certificate = try Self.certificate(context, options)
    settings = try Self.settings(options, isEmulator: isEmulator)
    logPath = options.value(ServeOptions.log).map { context.resolve($0) }
    storeCount = options.arguments.count
    if let project, DatabaseName(project: project) == nil {
      throw CommandError.usage("option '--firestore' expects the id of a project, not '\(project)'")
    }
  }

  private static func address(
    _ text: String, _ context: borrowing Context
  ) throws -> ListenAddress {
    if text == handedOver {
      guard
        let socket = ListenAddress(
          handedOver: context.environment, process: CurrentProcess.id)
      else {
        throw CommandError.fatal(
          "no socket was handed over",
          hints: ["'LISTEN_FDS' and 'LISTEN_PID' name it: sd_listen_fds(3)"])
      }
      return socket
    }
    guard let listen = ListenAddress(text) else {
      throw CommandError.usage(
        "option '--http' expects a number of a host and a port, not '\(text)'")
    }
    return listen
  }

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

  private static func settings(
    _ options: ParsedOptions, isEmulator: Bool
  ) throws -> ServerSettings {
    var settings = ServerSettings()
    if let bytes = try options.sizeBytes(ServeOptions.bodyLimit) {
      guard bytes > 0 else {
        throw CommandError.usage("option '--max-body' expects more than 0 bytes")
      }
      settings.bodyLimit = bytes
    }
    settings.connectionLimit =
      try options.integer(ServeOptions.connectionLimit, in: 1...100_000) ?? settings.connectionLimit
    settings.runningLimit =
      try options.integer(ServeOptions.runningLimit, in: 1...1_000) ?? settings.runningLimit
    settings.ratePerSecond =
      try options.integer(ServeOptions.rate, in: 0...1_000_000) ?? settings.ratePerSecond
    settings.timeoutSeconds =
      try options.integer(ServeOptions.timeout, in: 1...86_400) ?? settings.timeoutSeconds
    settings.graceSeconds =
      try options.integer(ServeOptions.grace, in: 0...86_400) ?? settings.graceSeconds
    settings.hasMetrics = options.has(ServeOptions.metrics)
    if let word = options.value(ServeOptions.metrics) {
      guard word == "accounts" else {
        throw CommandError.usage("option '--metrics' expects 'accounts', not '\(word)'")
      }
      settings.metersAccounts = true
    }
    // Tests may send as many requests as they like.
    if isEmulator, !options.has(ServeOptions.rate) { settings.ratePerSecond = 0 }
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

  /// Makes sure that nobody reaches what he should not.
  ///
  /// - Throws: `usage` for options that are missing, or too many.
  func check(_ accounts: Accounts?) throws {
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
    guard accounts == nil ? storeCount <= 1 : storeCount == 0 else {
      throw CommandError.usage(
        accounts == nil ? "one store can be named" : "the accounts name the stores, not arguments")
    }
    guard accounts?.isEmpty != true else {
      throw CommandError.fatal(
        "there is no account", hints: ["'redo serve account add' makes one"])
    }
  }

  /// Reads the accounts.
  ///
  /// - Returns: `nil` where there is no file of them.
  /// - Throws: what is wrong with the file.
  func accounts() throws -> Accounts? {
    guard let accountsFile else { return nil }
    do throws(AccountFile.Fault) {
      return try accountsFile.read()
    } catch {
      throw error.commandError
    }
  }

  /// Opens the log.
  func log() throws -> RequestLog {
    let path = logPath
    do throws(SystemError) {
      return try RequestLog(words: { MessageStream.lines(of: $0) }) { () throws(SystemError) in
        guard let path else { return File.standardError }
        return try File.open(path, .write, [.create, .append, .nonBlocking], mode: 0o640)
      }
    } catch {
      throw CommandError.fatal(error.description)
    }
  }

  /// What is served of Firestore's API; `nil` for none of it.
  func documents(
    _ accounts: Accounts?, localStore: String, _ stores: ServedStores, _ log: RequestLog,
    after former: FirestoreService? = nil
  ) throws -> FirestoreService? {
    guard hasDocuments else { return nil }
    return try FirestoreService(
      project: project, isEmulator: isEmulator, accounts, localStore: localStore, stores, log,
      after: former)
  }

  /// Tells of accounts to which a store shows nothing.
  func warn(_ accounts: Accounts?, _ stores: ServedStores, _ log: RequestLog) {
    for account in accounts?.all ?? [] where account.rights.isListed {
      guard let hasLists = try? stores.hasAccessLists(account.store), !hasLists else { continue }
      let whole = account.rights.mayWrite ? "replica:write" : "replica:read"
      log.say(
        "warning: no node here has an access list, so exchanges show this account nothing"
          + " (hint: '\(whole)' shows it the whole store)", about: account)
    }
  }

  /// Reads accounts and certificate anew, and serves by them, all or nothing.
  ///
  /// - Returns: what is served of Firestore's API then.
  /// - Throws: why nothing has changed.
  func reload(
    _ server: HTTPServer, _ stores: ServedStores, _ log: RequestLog, after former: FirestoreService?
  ) throws -> FirestoreService? {
    let accounts = try accounts()
    for path in accounts?.stores ?? [] { _ = try stores.check(path) }
    let documents =
      accounts == nil
      ? former : try documents(accounts, localStore: "", stores, log, after: former)
    do throws(ServerError) {
      try server.replace(certificate, accounts, documents: documents)
    } catch {
      throw CommandError.fatal(error.description)
    }
    warn(accounts, stores, log)
    return documents
  }
}
