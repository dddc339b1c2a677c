// redo quarantine: what was received and is not a part of the history. Each subcommand is a command of its own.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo quarantine <subcommand>`.
enum QuarantineCommand: CommandGroup {
  static let name = "quarantine"
  static let summary = "look at changes that were received before their parents"
  static var subcommands: [any Command.Type] {
    [QuarantineList.self, QuarantineShow.self, QuarantinePromote.self, QuarantineDrop.self]
  }
}

/// The quarantine of a store as a command sees it.
struct QuarantineShelf {
  let opened: Repository
  let quarantine: Quarantine
  /// The nodes that wait; `nil` when there are none.
  let waiting: LooseStore?
  /// Documents of remotes that are no nodes.
  let documents: QuarantinedDocuments

  init(_ opened: Repository) throws {
    self.opened = opened
    let sync = try opened.refsOptions().sync
    quarantine = try Quarantine(in: opened.store.directory, sync)
    documents = QuarantinedDocuments(in: opened.store.directory, sync)
    waiting = try quarantine.orphans()
  }

  /// The ids of the nodes that wait, in ascending order.
  func ids() throws -> [ObjectID] {
    guard let waiting else { return [] }
    return try WaitingNodes(waiting).ids()
  }

  /// The ids of the documents that are kept, in ascending order.
  func documentIDs() throws -> [ObjectID] {
    return try documents.ids()
  }

  /// What names stand for.
  struct Named {
    /// The nodes that wait, each once.
    var ids: [ObjectID] = []
    /// The documents, each once.
    var documents: [ObjectID] = []
  }

  /// What names stand for: a node that waits, a document, or both of one id.
  ///
  /// - Throws: `fatal` when one stands for none, or for several.
  func named(_ names: [String]) throws -> Named {
    let here = Set(try ids())
    let kept = try documentIDs()
    var found = Named()
    for name in names {
      let id = try waitingID(name, here)
      if let id, !found.ids.contains(id) { found.ids.append(id) }
      let document = try documentID(name, kept)
      if let document, !found.documents.contains(document) { found.documents.append(document) }
      guard id != nil || document != nil else {
        throw CommandError.fatal("nothing in the quarantine has the name '\(name)'")
      }
    }
    return found
  }

  private func waitingID(
    _ name: String, _ here: Set<ObjectID>
  ) throws -> ObjectID? {
    guard let waiting else { return nil }
    let store = ObjectStore(primary: waiting)
    switch try ObjectName.resolve(Array(name.utf8)[...], in: store) {
    case .id(let whole): return here.contains(whole) ? whole : nil
    case .missing: return nil
    case .malformed(let hint):
      throw CommandError.fatal("not a valid object name '\(name)'", hints: hint.map { [$0] } ?? [])
    case .ambiguous(let ids):
      throw CommandError.fatal(
        "short id '\(name)' is ambiguous", hints: ObjectName.candidates(ids, store))
    }
  }

  /// The fewest digits of a short id.
  private static let shortestPrefix = 4

  private func documentID(
    _ name: String, _ kept: [ObjectID]
  ) throws -> ObjectID? {
    let digits = name.hasPrefix("sha256:") ? String(name.dropFirst(7)) : name
    guard digits.utf8.count >= Self.shortestPrefix else { return nil }
    let matches = kept.filter { $0.text.dropFirst(7).hasPrefix(digits) }
    guard matches.count <= 1 else {
      throw CommandError.fatal(
        "short id '\(name)' is ambiguous", hints: matches.prefix(10).map { $0.text })
    }
    return matches.first
  }

  /// Says how many packs are left from interrupted runs.
  func hintAtPacks(_ context: inout Context) throws {
    let count = try quarantine.packCount()
    guard count > 0 else { return }
    context.hint(
      "\(count) pack\(count == 1 ? " that has" : "s that have") come "
        + "\(count == 1 ? "is" : "are") not taken in yet; 'redo quarantine promote' does so")
  }
}
