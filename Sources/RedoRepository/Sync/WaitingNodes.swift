// The nodes of the quarantine, and which of them could be taken in.

internal import RedoHistory
package import RedoObject
package import RedoStore

extension Repository {
  /// How many nodes wait for their parents.
  package func waitingCount() throws -> Int {
    guard try store.directory.status(Layout.orphans) != nil else { return 0 }
    let quarantine = try Quarantine(in: store.directory, refsOptions().sync)
    return try quarantine.orphans()?.list(prefix: "").count ?? 0
  }
}

/// The nodes that wait for their parents.
package struct WaitingNodes {
  private let store: LooseStore

  package init(_ store: LooseStore) { self.store = store }

  /// Their ids, in ascending order.
  package func ids() throws -> [ObjectID] {
    return try store.list(prefix: "")
  }

  /// One of them; `nil` when it does not exist or is damaged, which counts as the same.
  package func object(_ id: ObjectID) throws -> StoredObject? {
    do throws(StoreError) { return try store.read(id) } catch {
      if case .corrupt = error { return nil }
      throw error
    }
  }

  /// The parents of all of them that are of a kind.
  package func parents(of kind: ObjectKind) throws -> [ObjectID: [ObjectID]] {
    var all: [ObjectID: [ObjectID]] = [:]
    var decoder = PlaceDecoder()
    for id in try ids() {
      guard let object = try object(id), object.kind == kind else { continue }
      all[id] = decoder.place(of: object)?.parents
    }
    return all
  }

  /// Those whose parents are all here, or recursively among them, in ascending order.
  ///
  /// - Parameters:
  ///   - kind: their kind.
  ///   - isHere: whether one is here.
  /// - Returns: their ids.
  /// - Throws: `StoreError` when they cannot be read; what the closure throws.
  package func complete(
    of kind: ObjectKind = .node, _ isHere: (ObjectID) throws -> Bool
  ) throws -> [ObjectID] {
    let parents = try parents(of: kind)
    guard !parents.isEmpty else { return [] }
    var children: [ObjectID: [ObjectID]] = [:]
    var gone: [ObjectID] = []
    var lacking: Set<ObjectID> = []
    var known: [ObjectID: Bool] = [:]
    for (id, own) in parents {
      for parent in own {
        if parents[parent] != nil {
          children[parent, default: []].append(id)
          continue
        }
        if known[parent] == nil { known[parent] = try isHere(parent) }
        if known[parent] == false, lacking.insert(id).inserted { gone.append(id) }
      }
    }
    while let id = gone.popLast() {
      for child in children[id] ?? [] where lacking.insert(child).inserted { gone.append(child) }
    }
    return parents.keys.filter { !lacking.contains($0) }.sorted()
  }
}

extension Quarantine {
  /// How many objects that wait are shown together.
  private static let shownCount = 256

  /// Shows objects to hooks; the right to take nodes in is held.
  ///
  /// - Parameters:
  ///   - ids: the objects that are about to enter the history.
  ///   - packs: where those that came are.
  ///   - waiting: where the others have waited.
  /// - Returns: what the hooks can read.
  /// - Throws: the error when it cannot be written.
  func show(
    _ ids: Set<ObjectID>, of packs: [IncomingPack], _ waiting: LooseStore?
  ) throws -> ShownObjects {
    let shown = try show()
    var left = ids
    do {
      try shown.write { take throws in
        for pack in packs where !left.isEmpty {
          var reading = pack.read()
          while !left.isEmpty, let objects = try reading.next() {
            try take(objects.filter { left.remove($0.id) != nil })
          }
        }
        guard let waiting else { return }
        let others = left.sorted()
        for start in stride(from: 0, to: others.count, by: Self.shownCount) {
          let part = others[start..<min(start + Self.shownCount, others.count)]
          try take(try part.compactMap { id throws in try WaitingNodes(waiting).object(id) })
        }
      }
    } catch {
      shown.remove()
      throw error
    }
    return shown
  }
}
