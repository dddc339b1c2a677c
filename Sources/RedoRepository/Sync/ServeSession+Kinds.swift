// Which kinds of objects a client may exchange, and what it may see and do that asks for receipts or schemas: only who sees the
// whole store gets any. Receipts are private, and exchanged only where the settings, or the choice of whoever started the server,
// say so; schemas go with the nodes that they are for.

package import RedoObject
internal import RedoRemote
internal import RedoStore

extension ServeSession.Options {
  /// Whether objects of a kind are exchanged.
  func offers(_ kind: ObjectKind) -> Bool {
    guard kinds.contains(kind) else { return false }
    if case .listed = sight { return kind == .node }
    return true
  }

  /// What a client is told that asks for a kind that is not exchanged.
  ///
  /// - Parameter kind: the kind; `nil` for one that is not known here.
  /// - Returns: the fault.
  func refusal(of kind: ObjectKind?) -> RemoteError {
    guard let kind else { return .refused(PeerFault(.denied, "such objects are not known here")) }
    return .refused(PeerFault(.denied, "no \(kind)s are exchanged here"))
  }
}

extension ServeSession {
  /// What a client may see and do that asks for receipts or schemas.
  ///
  /// - Throws: the error when the store cannot be used.
  static func groups<Stream: ByteStream>(
    of kind: ObjectKind, _ hello: ClientHello, _ opened: Repository, _ options: Options,
    _ effects: Effects
  ) throws -> ServerExchange<GroupSource, Stream>.Service {
    let asked = Set(hello.capabilities.words)
    let receiver = try receiver(opened, options, of: kind, allowsUnsigned: false, effects)
    let history = ComparedGroups(of: kind, opened, includesShared: false, effects)
    let source = try history.source()
    for row in source.held where row.ancestor == nil && HeldBack.isUnreadable(row.rule) {
      if let finding = try opened.unreadable([row.id], of: kind)[row.id] {
        effects.report(.sync(.unreadable(row.id, finding)))
      }
    }
    var words = [SyncWord.word(of: kind)]
    if let limit = options.turnLimit { words.append("\(SyncWord.body)\(limit)") }
    let said = [
      WireCapabilities.unsentWord, WireCapabilities.unfitWord, WireCapabilities.readWord,
    ]
    words += said.filter(asked.contains)
    let namesOnly = NamedNodes.areAsked(asked)
    if namesOnly { words.append(WireCapabilities.namesWord) }
    let open = source.held.filter { !HeldBack.isPrivate($0.rule) }
    words += Withheld(rows: open).words
    let keptCount = source.held.count - open.count
    if keptCount > 0 { words.append("\(SyncWord.kept)\(keptCount)") }
    let waiting = try opened.waitingCount()
    if waiting > 0 { words.append("\(WireCapabilities.waits)\(waiting)") }
    if receiver == nil { words.append(SyncWord.readOnly) }
    words.append("\(SyncWord.nodes)\(source.count)")
    let stated = try checkpoint(opened, for: hello, effects)
    words += stated.words
    var named = NamedRows(
      limit: asked.contains(WireCapabilities.allUnfitWord) ? nil : HeldBack.namedLimit)
    let unfit = open.filter { named.names($0.rule, isBelow: $0.ancestor != nil) }
    let maker: any PackMaker =
      try namesOnly
      ? NamedNodes(source.id)
      : history.packs(turnLimit: nil, tellsWhy: true, lists: nil, effects)
    return .init(
      source: source,
      greeting: .init(
        store: try opened.storeID().map { id in (0..<16).map { id.bytes[$0] } },
        capabilities: WireCapabilities(words) ?? .none, checkpoint: stated.note),
      maker: maker, taker: receiver ?? NothingTaken(),
      unfit: asked.contains(WireCapabilities.unfitWord) ? unfit : [])
  }
}

extension Repository {
  /// How many receipts or schemas the history has, those among them that are not compared with others': who is told of none
  /// does not ask, and would not hear that some are held back.
  ///
  /// - Throws: as `GroupSource`.
  func historyCount(of kind: ObjectKind, _ effects: Effects) throws -> Int {
    guard try !heads(of: kind).ids.isEmpty else { return 0 }
    return try GroupSource(of: kind, self, includesShared: false, effects).historyCount
  }

  /// The kinds of objects that are exchanged where nothing else is said.
  package static let usualKinds: [ObjectKind] = [.node, .schema]

  /// The kinds of objects that a setting lists, divided by blanks or commas.
  ///
  /// - Parameter key: the key of the setting.
  /// - Returns: the kinds, in the order of the table of kinds; nodes and schemas where nothing is set.
  /// - Throws: `RemoteFault.badKinds`.
  package func kinds(_ key: String) throws -> [ObjectKind] {
    guard let value = store.config.get(key) else { return Self.usualKinds }
    let words = value.split { " ,\t".contains($0) }
    let kinds = words.map { ObjectKind(name: String($0)) }
    guard !words.isEmpty, kinds.allSatisfy({ $0?.hasHistory ?? false }) else {
      throw RemoteFault.badKinds(key: key, value: value)
    }
    return ObjectKind.allCases.filter { kinds.contains($0) }
  }
}
