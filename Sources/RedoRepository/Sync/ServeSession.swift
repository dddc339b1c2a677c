// Serving one client from a store: the same for a path, for `redo serve --stdio` and for a server. Who is let see only
// some nodes learns nothing of the others: what is compared, counted, named and refused is made from what it may see.

internal import RedoCrypto
package import RedoObject
package import RedoRemote
internal import RedoStore

/// Serves a client.
package enum ServeSession {
  /// What a client may do.
  package enum Rights: Sendable {
    /// Fetch.
    case read
    /// Fetch and push.
    case write
  }

  /// How much of the store a client sees.
  package enum Sight: Sendable {
    /// All of it, because it is its owner, who could read the files as well.
    case owner
    /// All of it; nodes with access lists only if it keeps these lists beside them.
    case replica
    /// The nodes whose access lists name an account, as far as they name it for all ancestors too.
    case listed(account: String)
  }

  /// How a client is served.
  package struct Options: Sendable {
    /// What it may do.
    package var rights = Rights.read
    /// What it sees.
    package var sight = Sight.owner
    /// Whether nodes without a signature may be exchanged if the client asks for it.
    package var allowsUnsigned = false
    /// The kinds of objects that may be exchanged.
    package var kinds: Set<ObjectKind> = [.node]
    /// The message in the reflog for pushed nodes.
    package var message = "push"
    /// The name of the client in messages.
    package var peer = "client"
    /// The most bytes in one turn of the client, if there is such a limit.
    package var turnLimit: Int?
    /// Where histories are kept between exchanges.
    package var shelf: SourceShelf?
    /// How much the client may have in the quarantine; `nil` where nobody counts.
    package var quota: QuarantineQuota?

    /// Creates a value with these members.
    package init(
      rights: Rights = Rights.read, sight: Sight = .owner, allowsUnsigned: Bool = false,
      message: String = "push", peer: String = "client", turnLimit: Int? = nil
    ) {
      self.rights = rights
      self.sight = sight
      self.allowsUnsigned = allowsUnsigned
      self.message = message
      self.peer = peer
      self.turnLimit = turnLimit
    }
  }

  /// The result of an exchange, for logs.
  package struct Outcome: Sendable {
    /// The number of turns that were answered.
    package var turnCount = 0
    /// The number of bytes that were sent.
    package var sentByteCount = 0
    /// The number of bytes that were received.
    package var receivedByteCount = 0
    /// Why it ended early; `nil` when the client ended it.
    package var error: RemoteError?

    fileprivate init<Source, Stream>(
      _ server: ServerExchange<Source, Stream>, _ error: RemoteError?
    ) {
      turnCount = server.turnCount
      sentByteCount = server.sentByteCount
      receivedByteCount = server.receivedByteCount
      self.error = error
    }
  }

  /// Words in every greeting: the supported filters.
  private static let words = SyncWord.filters

  /// Serves a client until it ends the connection.
  ///
  /// - Parameters:
  ///   - stream: the connection.
  ///   - opened: the store.
  ///   - options: how it is served.
  ///   - effects: the clock; receives events.
  /// - Returns: the result; the client has been told of an error if it can still be reached.
  package static func run<Stream: ByteStream>(
    _ stream: Stream, _ opened: Repository, _ options: Options, _ effects: Effects
  ) -> Outcome {
    var server = ServerExchange<HistorySource, Stream>(stream)
    if case .listed = options.sight { server.hidesReasons = true }
    do throws(RemoteError) {
      guard let hello = try server.hello() else { return Outcome(server, nil) }
      let kind = SyncWord.kind(in: hello.capabilities.words)
      if let kind, ObjectKind.grouped.contains(kind), options.offers(kind) {
        return answer(ServerExchange<GroupSource, Stream>(server), opened, options, effects) {
          try groups(of: kind, hello, opened, options, effects)
        }
      }
      return answer(server, opened, options, effects) {
        guard kind == .node, options.offers(.node) else { throw options.refusal(of: kind) }
        return try nodes(hello, opened, options, effects)
      }
    } catch {
      return Outcome(server, error)
    }
  }

  /// Answers a client that has introduced itself; `make` makes what it gets to talk to.
  private static func answer<Source: RangeSource, Stream: ByteStream>(
    _ exchange: ServerExchange<Source, Stream>, _ opened: Repository, _ options: Options,
    _ effects: Effects, _ make: () throws -> ServerExchange<Source, Stream>.Service
  ) -> Outcome {
    var server = exchange
    do throws(RemoteError) {
      do {
        server.begin(try make())
      } catch {
        let own = error as? RemoteError
        let remote = own ?? RemoteError(ending: error, effects)
        server.tell(own ?? remote.told(options.sight))
        throw remote
      }
      try server.run()
    } catch {
      return Outcome(server, error)
    }
    return Outcome(server, nil)
  }

  /// What a client may see, and the access lists that it gets.
  private struct View {
    /// Whether a node may be seen; all may when `nil`.
    var shows: ((ObjectID) -> Bool)?
    /// Reads the lists that go along with nodes, if any do.
    var lists: (() -> AccessNotes.Found?)?
    /// The lists that have changed since the client has seen them.
    var access: [AccessRow] = []
    var words: [String] = []

    /// - Throws: `RefsError` when the lists are needed and cannot be read; `denied` for a client that would get
    ///   private nodes without their lists.
    init(
      of opened: Repository, _ sight: Sight, _ asked: Set<String>, _ effects: Effects
    ) throws {
      if case .listed(let account) = sight {
        let found = opened.store.access.read()
        // An account may be off a list by a row that cannot be read.
        if let damage = found.damage { throw damage }
        shows = found.shows(to: account)
        return
      }
      guard asked.contains(WireCapabilities.accessWord) else {
        if case .replica = sight, try opened.store.access.changes(since: nil).place != nil {
          throw RemoteError.refused(PeerFault(.denied, ServeSession.needsAccess))
        }
        return
      }
      words = [WireCapabilities.accessWord]
      lists = { opened.accessLists(effects) }
      let prefix = WireCapabilities.access
      guard let start = asked.first(where: { $0.hasPrefix(prefix) }) else { return }
      do throws(RefsError) {
        let changes = try opened.store.access.changes(
          since: AccessNotes.Place(text: start.dropFirst(prefix.utf8.count)))
        access = changes.rows.map { AccessRow(id: $0.id, list: $0.list) }
        if let place = changes.place { words.append(prefix + place.text) }
      } catch {
        effects.report(.opening(.accessUnread(error)))
      }
    }
  }

  /// What a client is told that does not keep access lists.
  private static let needsAccess =
    "nodes of this store have access lists, and go only to a client that keeps them"

  /// What a client may see and do that asks for nodes.
  ///
  /// - Throws: the error when the store cannot be used.
  private static func nodes<Stream: ByteStream>(
    _ hello: ClientHello, _ opened: Repository, _ options: Options, _ effects: Effects
  ) throws -> ServerExchange<HistorySource, Stream>.Service {
    let asked = Set(hello.capabilities.words)
    let isUnsigned = options.allowsUnsigned && asked.contains(SyncWord.unsigned)
    var words = Self.words
    if isUnsigned { words.append(SyncWord.unsigned) }
    if let limit = options.turnLimit { words.append("\(SyncWord.body)\(limit)") }
    // A filter that cannot be understood is not repeated in the answer, so the client notices.
    let filter = SyncFilter(words: hello.capabilities.words) ?? .all
    words += filter.words
    let view = try View(of: opened, options.sight, asked, effects)
    words += view.words
    let receiver = try receiver(opened, options, allowsUnsigned: isUnsigned, effects)
    var unreadable = try opened.unreadableNodes()
    var history = try ComparedHistory(
      opened, filter: filter, allowsUnsigned: isUnsigned, shows: view.shows,
      unreadable: unreadable, on: options.shelf, effects)
    if asked.contains(WireCapabilities.readWord) {
      words.append(WireCapabilities.readWord)
      let source = try history.source()
      let found = try opened.readAll((0..<source.count).map { source.id(at: $0) })
      unreadable.merge(found) { $1 }
      if !found.isEmpty {
        history = try ComparedHistory(
          opened, filter: filter, allowsUnsigned: isUnsigned, shows: view.shows,
          unreadable: unreadable, effects)
      }
    }
    for (id, finding) in unreadable.sorted(by: { $0.key < $1.key }) {
      effects.report(.sync(.unreadable(id, finding)))
    }
    if asked.contains(WireCapabilities.unsentWord) { words.append(WireCapabilities.unsentWord) }
    let namesOnly = NamedNodes.areAsked(asked)
    if namesOnly { words.append(WireCapabilities.namesWord) }
    var unfit = try history.hidden.map {
      RefusedNode($0, rule: RefusedNode.ancestorUnseen, heldBack)
    }
    // Of what an account does not see, it hears nothing.
    if view.shows == nil {
      words += try history.withheld.words
      let waiting = try opened.waitingCount()
      if waiting > 0 { words.append("\(WireCapabilities.waits)\(waiting)") }
      let isWhole = asked.contains(WireCapabilities.allUnfitWord)
      unfit += try history.held(limit: isWhole ? nil : HeldBack.namedLimit)
    } else {
      words.append(WireCapabilities.partWord)
    }
    let tells = asked.isSuperset(of: [WireCapabilities.unfitWord, WireCapabilities.accessWord])
    if tells, !unfit.isEmpty { words.append(WireCapabilities.unfitWord) }
    let taker: any PackTaker
    if let receiver {
      if case .listed = options.sight {
        taker = ListedTaker(receiver, try history.source())
      } else {
        taker = receiver
      }
    } else {
      words.append(SyncWord.readOnly)
      taker = NothingTaken()
    }
    words.append("\(SyncWord.nodes)\(try history.counts.compared)")
    if options.offers(.schema) {
      words.append("\(SyncWord.schemas)\(try opened.historyCount(of: .schema, effects))")
    }
    var stated: (note: [UInt8]?, words: [String]) = (nil, [])
    // A checkpoint counts all nodes.
    if view.shows == nil {
      stated = try Self.checkpoint(opened, for: hello, effects)
      words += stated.words
    }
    let (tellsWhy, lists, past) = (view.shows == nil, view.lists, history)
    return .init(
      root: try history.root,
      greeting: .init(
        store: try opened.storeID().map { id in (0..<16).map { id.bytes[$0] } },
        capabilities: WireCapabilities(words) ?? .none, checkpoint: stated.note),
      taker: taker, unfit: unfit, access: view.access
    ) { () throws(RemoteError) in
      do {
        let source = try past.source()
        let maker: any PackMaker =
          namesOnly
          ? NamedNodes(source.id)
          : HistoryPacks(source, opened, effects, tellsWhy: tellsWhy, lists: lists)
        return (source, maker)
      } catch {
        throw ((error as? RemoteError) ?? RemoteError(ending: error, effects))
          .told(options.sight)
      }
    }
  }

  /// Takes in what an interrupted push has left, before anything is compared.
  ///
  /// - Returns: what takes what the client sends; `nil` when it may send nothing.
  static func receiver(
    _ opened: Repository, _ options: Options, of kind: ObjectKind = .node, allowsUnsigned: Bool,
    _ effects: Effects
  ) throws -> Receiver? {
    guard options.rights == .write else { return nil }
    var receiving = Receiver.Options()
    receiving.tellsCollisions = false
    receiving.objects = kind
    receiving.message = options.message
    receiving.peer = options.peer
    receiving.allowsUnsigned = allowsUnsigned
    receiving.isAlone = false
    receiving.quota = options.quota
    // Whoever began that push, nobody gets a share in it by this.
    let made = try Receiver(opened, receiving, effects)
    try made.recover()
    guard case .listed(let account) = options.sight else { return made }
    receiving.account = account
    return try Receiver(opened, receiving, effects)
  }

  /// Takes in what a push has left that broke off: what is whole of it is there when the client comes again, the rest is
  /// gone, and nothing of it fills the quarantine until somebody pushes again.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - options: how the client was served.
  ///   - effects: the clock; receives events.
  static func takeRest(
    _ opened: Repository, _ options: Options, _ effects: Effects
  ) {
    // What cannot be taken in now is taken in before the next push.
    _ = try? receiver(opened, options, allowsUnsigned: options.allowsUnsigned, effects)
  }

  /// Why a node is not offered that its client may see.
  private static let heldBack = "the access list of one of its ancestors lacks the account"

  /// The last checkpoint of a store, if it has one that can be sent and that the client can read.
  ///
  /// - Returns: its note, and the words that show that it continues the one that the client remembers.
  static func checkpoint(
    _ opened: Repository, for hello: ClientHello, _ effects: Effects
  ) throws -> (note: [UInt8]?, words: [String]) {
    var snapshot = try opened.snapshot()
    let shelf = CheckpointShelf(opened)
    // Who speaks version 1 alone refuses one with lines of a later release, and with it the exchange.
    let found = try hello.common == 1 ? shelf.lastOfFirstForm(&snapshot) : shelf.last(&snapshot)
    guard let signed = found, signed.note.bytes.count <= ServerHello.checkpointLimit
    else { return (nil, []) }
    let checkpoint = signed.checkpoint
    let size = GrowthWords.size(in: hello.capabilities.words)
    guard let size, size > 0, size < checkpoint.size else { return (signed.note.bytes, []) }
    let (path, roots) = try ReceivedTree(opened, snapshot).prove(
      .consistency(from: size, to: checkpoint.size), rootsAt: [checkpoint.size], effects)
    // A history that does not continue this store's own checkpoint proves nothing.
    guard let path, roots[checkpoint.size] == checkpoint.root else {
      return (signed.note.bytes, [])
    }
    return (signed.note.bytes, GrowthWords.words(path))
  }
}

extension RemoteError {
  /// The same without what it may name, for a client that sees only a part of the store.
  fileprivate func told(_ sight: ServeSession.Sight) -> RemoteError {
    guard case .listed = sight, case .refused(let fault) = self else { return self }
    return .refused(PeerFault(fault.code, "the store cannot be used now"))
  }
}
