// What a wipe removes: the changes and receipts in question, everything that descends from them by any path, because a history must
// stay closed, and the refs that name any of it.

internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// A wipe that has been worked out but not carried out.
package struct WipePlan {
  private let scope: WipeScope
  private let opened: Repository
  package private(set) var rows: [WipeRow] = []
  /// The last change of the refs that it is based on.
  private let entry: Int
  /// Everything that is removed from the store.
  private var ids: Set<ObjectID> = []
  private var transaction: RefTransaction
  /// New notes of an import, without the wiped changes.
  private var blobs: [[UInt8]] = []
  /// Harmless things to report.
  package private(set) var warnings: [WipeRemark] = []
  /// What could not be determined.
  package private(set) var errors: [WipeFailure] = []

  /// Works out a wipe.
  ///
  /// - Throws: `WipeFault` or `StoreError` when the store cannot be read, or a change of the history is missing.
  package init(_ scope: WipeScope, _ opened: Repository) throws {
    self.scope = scope
    self.opened = opened
    transaction = RefTransaction(message: "")
    let refs = try WipeRefs(opened)
    entry = refs.entry
    let scan = try WipeScan(opened.objects)
    let entries = scan.entries
    let known = Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0) })
    var reasons: [ObjectID: WipeRow.Reason] = [:]
    switch scope {
    case .all:
      for entry in entries { reasons[entry.id] = .all }
      for id in refs.received { reasons[id] = .all }
      for name in refs.all { transaction.delete(name) }
    case .authors(let users):
      for entry in entries where entry.isBy(users) { reasons[entry.id] = .author }
      // The leftovers of an interrupted wipe, unless somebody has named them since.
      let standing = refs.forgotten.isEmpty ? [] : refs.reached(after: transaction, known)
      for id in refs.forgotten where reasons[id] == nil && !standing.contains(id) {
        reasons[id] = .leftOver
      }
      Self.addDescendants(entries, &reasons)
      try refs.dropWiped({ reasons[$0] != nil }, known, &transaction)
      let old = try WipeNotes.update(
        &transaction, refs.notes, opened.objects, without: { reasons[$0] != nil }, &blobs)
      for id in old where reasons[id] == nil { reasons[id] = .notes }
      noteUnknown(scan)
    }
    // Nothing that a ref still reaches is ever removed.
    let kept = refs.reached(after: transaction, known)
    ids = Set(reasons.keys).subtracting(kept)
    sort(reasons.filter { ids.contains($0.key) }, known)
    try noteAlternates()
    try noteArchives()
    let checkpoints = try WipeCheckpoints.count(opened, ids)
    if checkpoints > 0 { warnings.append(.checkpoints(checkpoints)) }
    let noted = opened.store.config.mayHaveGroups ? opened.store.local.count(naming: ids) : 0
    if noted > 0 { warnings.append(.localRows(noted)) }
    transaction.message = "wipe \(scope.text): \(rows.count) object\(rows.count == 1 ? "" : "s")"
  }

  /// Adds the descendants of what is removed, parents before children.
  private static func addDescendants(
    _ entries: [WipeEntry], _ reasons: inout [ObjectID: WipeRow.Reason]
  ) {
    var children: [ObjectID: [ObjectID]] = [:]
    for entry in entries {
      for parent in entry.order?.parents ?? [] {
        children[parent, default: []].append(entry.id)
      }
    }
    var level = reasons.keys.sorted()
    while !level.isEmpty {
      var next: [ObjectID] = []
      for parent in level {
        for child in children[parent] ?? [] where reasons[child] == nil {
          reasons[child] = .descendant(parent)
          next.append(child)
        }
      }
      level = next.sorted()
    }
  }

  /// Reports objects whose author is unknown.
  private mutating func noteUnknown(_ scan: WipeScan) {
    for (path, reason) in scan.damagedPacks {
      errors.append(.unknownPack(path: path, reason: reason))
    }
    for entry in scan.entries {
      if case .corrupt(let reason) = entry.content {
        errors.append(.unknownObject(entry.id, reason: reason))
      }
    }
  }

  /// Reports what alternates keep.
  private mutating func noteAlternates() throws {
    var count = 0
    for store in opened.objects.alternates {
      for id in ids where try store.contains(id) { count += 1 }
    }
    guard count > 0 else { return }
    warnings.append(.alternates(count))
  }

  /// Reports what registered archives keep: their files are only read.
  private mutating func noteArchives() throws {
    for shelved in try opened.objects.archives?.all() ?? [] {
      let path = shelved.archive.path
      if scope.isAll {
        warnings.append(.archive(path: path))
        continue
      }
      var count = 0
      for id in ids where (try? shelved.contains(id)) == true { count += 1 }
      guard count > 0 else { continue }
      errors.append(.archived(count, path: path))
    }
  }

  /// Sorts rows into the total order of their nodes, followed by receipts and schemas in theirs and by those without a place, by ID.
  private mutating func sort(
    _ reasons: [ObjectID: WipeRow.Reason], _ known: [ObjectID: WipeEntry]
  ) {
    var orders: [ObjectKind: [OrderEntry]] = [:]
    var rest: [WipeRow] = []
    for (id, reason) in reasons {
      // Much of what an unfinished wipe was to remove is gone already.
      guard let entry = known[id] else { continue }
      if let order = entry.order {
        orders[entry.kind ?? .node, default: []].append(order)
      } else {
        rest.append(WipeRow(entry: entry, reason: reason))
      }
    }
    for orders in ObjectKind.packed.compactMap({ orders[$0] }) {
      for position in TotalOrder.positions(of: orders) {
        let id = orders[position].id
        if let entry = known[id], let reason = reasons[id] {
          rows.append(WipeRow(entry: entry, reason: reason))
        }
      }
    }
    rows += rest.sorted(on: \.entry.id)
  }
}

extension WipePlan {
  /// Carries out the wipe.
  ///
  /// - Returns: `false` when others have changed the refs in the meantime, so that it must be worked out again.
  /// - Throws: `WipeFault.unfinished` when not all of it could be done, other errors when nothing was.
  package mutating func carryOut(_ effects: Effects) throws -> Bool {
    let options = try opened.refsOptions()
    let objects = opened.objects
    if !blobs.isEmpty {
      _ = try objects.write(blobs.map { ObjectWrite(StoredObject(blob: $0), key: nil) })
    }
    let outcome: ForgetOutcome
    let copies = WipeCopies(opened, scope, ids)
    let ids = ids
    let isAll = scope.isAll
    var kept: [String] = []
    var damaged: [(pack: Pack, error: PackError)] = []
    let hold = try opened.holdPacks()
    defer { extendLifetime(hold) }
    var (lost, lostAccess): (RefsError?, RefsError?) = (nil, nil)
    let created = try opened.store.created.hold(options)
    let access = try opened.store.access.hold(options)
    let local = try opened.store.local.hold(options)
    var lostLocal: RefsError?
    outcome = try opened.store.refs.forget(
      ids, with: transaction, after: entry, at: effects.clock(), options
    ) { () throws(SystemError) in
      try copies.removeDerived()
      damaged = try Self.removePacked(ids, isAll: isAll, objects.packs)
      try objects.primary.remove(ids)
      try objects.primary.removeLeftovers(shardsToo: isAll)
      kept = try copies.remove()
      lost = try created?.remove(isAll ? nil : ids)
      lostAccess = try access?.remove(isAll ? nil : ids)
      lostLocal = try local?.remove(ids)
    }
    // Packs that cannot be read at all were reported before.
    let unknown = errors.compactMap { error -> String? in
      if case .unknownPack(let path, _) = error { path } else { nil }
    }
    for (pack, error) in damaged where !unknown.contains(pack.path) {
      errors.append(.damagedPack(error, path: pack.path))
    }
    if let lost {
      warnings.append(.createdLost(lost))
    }
    if let lostLocal { warnings.append(.localLost(lostLocal)) }
    if let lostAccess { warnings.append(.accessLost(lostAccess)) }
    for name in kept {
      warnings.append(.copy(name: name))
    }
    switch outcome {
    case .outdated: return false
    case .done(let commit):
      effects.report(commit.warnings)
      return true
    case .unfinished(_, let error):
      throw WipeFault.unfinished(error)
    }
  }

  /// Removes objects from packs, which are rewritten without them.
  ///
  /// - Returns: the packs that stay because they are damaged.
  private static func removePacked(
    _ ids: Set<ObjectID>, isAll: Bool, _ packs: PackStore
  ) throws(SystemError) -> [(pack: Pack, error: PackError)] {
    if isAll {
      try packs.remove(try packs.all())
      try packs.removeLeftovers()
      return []
    }
    let outcome = try PackRewrite.remove(ids, from: try packs.all(), of: packs)
    try packs.removeLeftovers()
    return outcome.damaged
  }
}
