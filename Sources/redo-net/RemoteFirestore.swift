// redo-remote-firestore: the transport for URLs that begin with firestore.
//
// Commands that talk to remotes start it as `redo-remote-firestore <name> <url> <service>`, with a pipe as its
// standard input and output (redo-wire(5)). To them it looks like a store that is served: it lists the existing
// documents, remembers them, and answers from what it knows. Errors are reported on the pipe, as faults.

internal import AsyncHTTPClient
internal import FirestoreModel
internal import RedoRepository
internal import RedoShell
internal import RedoFirestore
internal import RedoHTTP
internal import RedoRemote
internal import RedoStore

/// `redo-remote-firestore <name> <url> <service>`.
enum RemoteFirestore: Command {
  static let name = "remote-firestore"
  static let summary = "talk to a Firestore, for the commands that do"
  static var usage: [String] {
    ["redo-remote-firestore <name> <url> (read | write | query)"]
  }
  static var options: [OptionSpec] { [] }

  /// The requested service.
  private enum Service: String {
    case read, write, query
  }

  /// Answers the command at the other end of the pipe.
  ///
  /// - Parameters:
  ///   - context: the surroundings.
  ///   - options: the options that were given.
  /// - Returns: `ok`, even after a fault was reported.
  /// - Throws: `usage`.
  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.count == 3 else {
      throw CommandError.usage("a name, an address and a service are needed")
    }
    let (name, url, word) = (options.arguments[0], options.arguments[1], options.arguments[2])
    guard let service = Service(rawValue: word) else {
      throw CommandError.usage("there is no service '\(word)'")
    }
    switch service {
    case .read, .write:
      try exchange(name, url, mayWrite: service == .write, &context)
    case .query: query(name, url, context)
    }
    return .ok
  }

  /// Carries out an exchange in the wire protocol.
  private static func exchange(
    _ name: String, _ url: String, mayWrite: Bool, _ context: inout Context
  ) throws {
    let pipe = StandardPipe()
    do throws(RemoteError) {
      let store = try RemoteSettings.open(context.effects)
      let settings = try settings(name, url, store.config, context)
      let http = try HTTPClients.make(
        settings.security, silenceSeconds: settings.limitSeconds)
      defer { try? http.syncShutdown() }
      let client = try client(settings, http, store, context)
      let mirror = try mirror(settings, store)
      let quarantine = name == "-" ? nil : try quarantine(store)
      var answering = FirestoreExchange(
        pipe,
        .init(
          client: client, mirror: mirror, quarantine: quarantine,
          notes: try notes(store, name), directory: store.path, person: person(store),
          mayWrite: mayWrite, isHere: context.effects.membership(), clock: context.clock))
      for warning in answering.run() { context.warning(warning) }
    } catch {
      var writer = FrameWriter(pipe)
      try? writer.write(.fault, error.faultToTell.bytes)
    }
  }

  /// Answers questions.
  private static func query(_ name: String, _ url: String, _ context: borrowing Context) {
    let pipe = StandardPipe()
    do throws(RemoteError) {
      let store = try RemoteSettings.open(context.effects)
      let settings = try settings(name, url, store.config, context)
      let http = try HTTPClients.make(
        settings.security, silenceSeconds: settings.limitSeconds)
      defer { try? http.syncShutdown() }
      let client = try client(settings, http, store, context)
      try QueryService.run(NodeCollection(client), pipe)
    } catch {
      QueryService.refuse(error, pipe)
    }
  }

  private static func settings(
    _ name: String, _ url: String, _ config: Config, _ context: borrowing Context
  ) throws(RemoteError) -> FirestoreSettings {
    let variable = "FIRESTORE_EMULATOR_HOST"
    let emulator = context.environment(variable).flatMap { $0.isEmpty ? nil : ($0, variable) }
    return try FirestoreSettings(
      remote: name, url: url, config, emulator: emulator,
      home: context.effects.surroundings.usual.home)
  }

  private static func client(
    _ settings: FirestoreSettings, _ http: HTTPClient, _ store: borrowing StoreDirectory,
    _ context: borrowing Context
  ) throws(RemoteError) -> FirestoreClient {
    let token = try FirestoreToken(
      .init(
        remote: settings.remote, config: store.config,
        home: context.effects.surroundings.usual.home,
        store: store.standing.isOwn ? store.path : nil, project: settings.database.project,
        account: settings.account.text,
        isEmulator: settings.isEmulator, origin: settings.endpoint.origin),
      clock: context.clock, post: TokenClient.post(with: http))
    return FirestoreClient(settings, http, token, context.trace)
  }

  /// The local memory of the remote's documents.
  private static func mirror(
    _ settings: FirestoreSettings, _ store: borrowing StoreDirectory
  ) throws(RemoteError) -> Mirror {
    let mirror: Mirror?
    do throws(SystemError) {
      // What a stranger's store remembers of a remote may be wrong.
      guard settings.remote != "-", store.standing.isOwn else {
        return try Mirror(temporaryIn: store.path)
      }
      let timeout = (try? store.config.int("core.locktimeout", in: 0...86_400_000)) ?? nil
      mirror = try Mirror.open(
        of: settings.remote, in: store.directory, owner: settings.owner,
        timeoutMilliseconds: timeout ?? 10_000)
    } catch {
      throw .peer(PeerFault(.stopped, "what is remembered of the remote cannot be used: \(error)"))
    }
    guard let mirror else {
      throw .peer(
        PeerFault(
          .unavailable, "another command is talking to '\(settings.remote)', and has not ended"))
    }
    return mirror
  }

  private static func notes(
    _ store: borrowing StoreDirectory, _ name: String
  ) throws(RemoteError) -> RemoteNotes {
    do throws(ConfigError) {
      let options = try store.config.refsOptions()
      return RemoteNotes(
        CreatedWriter(in: store.directory, options), AccessWriter(in: store.directory, options),
        of: name == "-" ? nil : name)
    } catch {
      throw .peer(PeerFault(.stopped, error.description))
    }
  }

  /// The user id of the store's own key.
  private static func person(_ store: borrowing StoreDirectory) -> String? {
    guard store.standing.isOwn, let options = try? store.config.refsOptions(),
      let keyring = try? Keyring.open(in: store.directory, options)
    else { return nil }
    return (try? keyring.text(.userID)) ?? nil
  }

  private static func quarantine(
    _ store: borrowing StoreDirectory
  ) throws(RemoteError) -> QuarantinedDocuments {
    do throws(ConfigError) {
      return QuarantinedDocuments(in: store.directory, try store.config.syncPolicy())
    } catch {
      throw .peer(PeerFault(.stopped, error.description))
    }
  }
}
