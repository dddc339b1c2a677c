// The quarantine: nodes that came before their parents, documents of remotes that are no nodes, and packs that
// interrupted runs have received.

package import RedoObject
package import RedoStore

/// The quarantine of a store.
package struct QuarantineShelf {
  /// The store.
  let opened: Repository
  private let quarantine: Quarantine
  /// The nodes that wait; `nil` when there are none.
  package let waiting: LooseStore?
  /// Documents of remotes that are no nodes.
  package let documents: QuarantinedDocuments

  /// The quarantine of a store.
  ///
  /// - Throws: what is said of a store that cannot be read.
  package init(_ opened: Repository) throws {
    self.opened = opened
    let sync = try opened.refsOptions().sync
    quarantine = try Quarantine(in: opened.store.directory, sync)
    documents = QuarantinedDocuments(in: opened.store.directory, sync)
    waiting = try quarantine.orphans()
  }

  /// The ids of the nodes that wait, in ascending order.
  package func ids() throws -> [ObjectID] {
    guard let waiting else { return [] }
    return try WaitingNodes(waiting).ids()
  }

  /// The ids of the documents that are kept, in ascending order.
  package func documentIDs() throws -> [ObjectID] {
    return try documents.ids()
  }

  /// What names stand for.
  package struct Named {
    /// The nodes that wait, each once.
    package var ids: [ObjectID] = []
    /// The documents, each once.
    package var documents: [ObjectID] = []

    /// Whether they stand for nothing.
    package var isEmpty: Bool { ids.isEmpty && documents.isEmpty }
  }

  /// What names stand for: a node that waits, a document, or both of one id.
  ///
  /// - Throws: `QuarantineFault` when one stands for none, or for several.
  package func named(_ names: [String]) throws -> Named {
    let here = Set(try ids())
    let kept = try documentIDs()
    var found = Named()
    for name in names {
      let id = try waitingID(name, here)
      if let id, !found.ids.contains(id) { found.ids.append(id) }
      let document = try documentID(name, kept)
      if let document, !found.documents.contains(document) { found.documents.append(document) }
      guard id != nil || document != nil else { throw QuarantineFault.noName(name) }
    }
    return found
  }

  /// All that is in it.
  package func all() throws -> Named { Named(ids: try ids(), documents: try documentIDs()) }

  private func waitingID(
    _ name: String, _ here: Set<ObjectID>
  ) throws -> ObjectID? {
    guard let waiting else { return nil }
    let store = ObjectStore(primary: waiting)
    switch try ObjectName.resolve(Array(name.utf8)[...], in: store) {
    case .id(let whole): return here.contains(whole) ? whole : nil
    case .missing: return nil
    case .malformed(let hint):
      throw QuarantineFault.malformedName(name, hint: hint)
    case .ambiguous(let ids):
      throw QuarantineFault.severalNodes(name, candidates: ObjectName.candidates(ids, store))
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
    guard matches.count <= 1 else { throw QuarantineFault.severalDocuments(name, matches) }
    return matches.first
  }

  /// How many packs are left from interrupted runs.
  package func packCount() throws -> Int { try quarantine.packCount() }

  /// Removes things for good.
  ///
  /// - Parameters:
  ///   - named: what.
  ///   - withPacks: whether what interrupted runs have received goes too.
  /// - Throws: what is said of a store that cannot be written, or whose quarantine another process holds.
  package func remove(_ named: Named, withPacks: Bool) throws {
    let timeout = try opened.refsOptions().lockTimeoutMilliseconds
    let right = try quarantine.hold(.admitting, timeoutMilliseconds: timeout)
    defer { extendLifetime(right) }
    try waiting?.remove(named.ids)
    try documents.remove(named.documents, withLeftovers: withPacks)
    guard withPacks else { return }
    for pack in try quarantine.leftPacks() { try pack.remove() }
    try waiting?.removeLeftovers(shardsToo: true)
  }
}
