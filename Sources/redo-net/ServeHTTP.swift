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
    let plan = try ServePlan(options, context)
    let accounts = try plan.accounts()
    try plan.check(accounts)
    let stores = ServedStores(
      context.effects, allowsUnsigned: options.flag(ServeOptions.allowUnsigned))
    for path in accounts?.stores ?? [] { _ = try stores.check(path) }
    let localStore = accounts == nil ? try stores.check(options.arguments.first) : ""
    let log = try plan.log()
    let documents = try plan.documents(accounts, localStore: localStore, stores, log)
    plan.warn(accounts, stores, log)
    let turnLimit = plan.settings.bodyLimit
    let hasAccounts = accounts != nil
    context.holdSignals()
    context.signals.count()
    let server: HTTPServer
    do throws(ServerError) {
      server = try HTTPServer(
        at: plan.listen, plan.certificate, plan.settings, accounts, localStore: localStore,
        documents: documents, log
      ) { stream, account in
        stores.answer(
          stream, from: account.store, mayPush: account.rights.mayWrite,
          sight: !hasAccounts
            ? .owner : account.rights.isListed ? .listed(account: account.name) : .replica,
          client: account.name, turnLimit: turnLimit)
      }
    } catch {
      throw CommandError.fatal(error.description, hints: error.hint.map { [$0] } ?? [])
    }
    wait(context, server, plan, stores, log, documents)
    let number = context.signals.pending
    server.stop()
    guard number == 15 else { throw CommandError.signal(number) }
    return .ok
  }

  /// Waits for a signal that ends the server, and does meanwhile what the others ask for.
  private static func wait(
    _ context: borrowing Context, _ server: HTTPServer, _ plan: ServePlan, _ stores: ServedStores,
    _ log: RequestLog, _ first: FirestoreService?
  ) {
    var documents = first
    var (hangups, reopenings) = (context.signals.hangupCount, context.signals.reopeningCount)
    while context.signals.pending == 0 {
      SystemClock.sleep(microseconds: 50_000)
      if context.signals.reopeningCount != reopenings {
        reopenings = context.signals.reopeningCount
        log.reopen()
      }
      guard context.signals.hangupCount != hangups else { continue }
      hangups = context.signals.hangupCount
      do {
        documents = try plan.reload(server, stores, log, after: documents)
      } catch {
        log.say("nothing is reloaded: \(context.effects.describe(error))")
      }
    }
  }
}
