// The quarantine: nodes that arrived before their parents, documents of remotes that are not nodes, and packs that
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
  /// Documents of remotes that are not nodes.
  package let documents: QuarantinedDocuments

  /// Opens the quarantine of a store.
  ///
  /// - Throws: the error when the store cannot be read.
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

  /// What names resolve to.
  package struct Named {
    /// The nodes that wait, without duplicates.
    package var ids: [ObjectID] = []
    /// The documents, without duplicates.
    package var documents: [ObjectID] = []

    /// Whether there are neither nodes nor documents.
    package var isEmpty: Bool { ids.isEmpty && documents.isEmpty }
  }

  /// Resolves names: to a node that waits, a document, or both with one ID.
  ///
  /// - Throws: `QuarantineFault` when one resolves to nothing, or to several.
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

  /// Everything in the quarantine.
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
      throw QuarantineFault.severalNodes(name, ObjectCandidates(ids, store))
    }
  }

  /// The fewest digits of an abbreviated ID.
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

  /// How many packs interrupted runs have left behind.
  package func packCount() throws -> Int { try quarantine.packCount() }

  /// Removes things permanently.
  ///
  /// - Parameters:
  ///   - named: the things.
  ///   - withPacks: whether packs that interrupted runs have received are removed too.
  /// - Throws: the error when the store cannot be written, or another process holds the quarantine.
  package func remove(_ named: Named, withPacks: Bool) throws {
    try opened.store.checkWritable()
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
