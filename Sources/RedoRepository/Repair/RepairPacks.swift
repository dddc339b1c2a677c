// Damaged packs: what can be read of them stays, the rest comes from elsewhere as loose objects, and then they are
// rewritten; see RepairObjects.

package import RedoObject
package import RedoStore

/// A pack that is to be rewritten.
package struct RepairPack: Sendable {
  /// The readable part of it, and what is wrong with it.
  package let salvage: PackSalvage
  /// The pack below `.redo`.
  package let path: String
  /// Readable nodes that are to be replaced by a better copy.
  var worse: Set<ObjectID> = []
}

extension RepairScan {
  /// Reads all packs of the store.
  mutating func readPacks(_ effects: Effects) throws {
    var all: [Pack] = []
    all = try store.packs.all()
    let devices = devices
    for pack in all {
      try effects.checkInterrupt()
      let name = pack.path.split(separator: "/").last.map(String.init) ?? ""
      let path = joinPath(Layout.packs, name)
      var found: [(StoredObject, Found)] = []
      let salvage: PackSalvage
      do throws(SystemError) {
        salvage = try PackSalvage(pack, of: store.packs) { nodes in
          found += Threads.parallelMap(
            nodes, threads: Threads.processorCount, makeState: { NodeReader() }
          ) { reader, object in
            // The bodies of good objects are no longer needed.
            (object, Self.judge(object, devices, &reader))
          }.map { object, found in
            if case .history = found {
              return (
                StoredObject(id: object.id, kind: object.kind, canonical: [], signature: nil), found
              )
            }
            return (object, found)
          }
        }
      } catch {
        // A pack that is gone was replaced by others.
        guard !error.isMissing else { continue }
        throw error
      }
      var repair = RepairPack(salvage: salvage, path: path)
      for (object, one) in found { try take(object, one, &repair) }
      for id in salvage.lost where !good.contains(id) && problems[id] == nil {
        problems[id] = ObjectProblem(
          rule: .objectCorrupt, damage: .frame, pack: path)
      }
      if !salvage.reasons.isEmpty || !repair.worse.isEmpty { packs.append(repair) }
    }
    try readOthers()
  }

  /// Notes the content of the packs of alternates and of registered archives, whether they are here or away; they
  /// belong to others.
  private mutating func readOthers() throws(StoreError) {
    let store = store
    for layer in store.partLayers.dropFirst() {
      let frames = try store.frames(ofLayer: layer) { item in
        if case .offline(_, let ids) = item { present.formUnion(ids) }
      }
      ObjectScan.forEach(frames, makeState: { NodeReader() }) { reader, part -> [ObjectID] in
        var ids: [ObjectID] = []
        // A damaged object is looked for elsewhere if anything names it.
        try? store.read(part, &reader.workspace) { item in
          if case .object(let object, _) = item { ids.append(object.id) }
        }
        return ids
      } _: { ids in
        present.formUnion(ids)
      }
    }
  }

  /// Notes a packed object; a loose copy takes precedence.
  private mutating func take(
    _ object: StoredObject, _ found: Found, _ pack: inout RepairPack
  ) throws {
    let id = object.id
    guard case .problem(var problem, let parents) = found else {
      if problems[id]?.pack != nil { problems[id] = nil }
      if problems[id]?.rule == .objectCorrupt {
        let copy = readAgain(id)
        problems[id]?.other = copy
        return
      }
      return try take(id, found)
    }
    pack.worse.insert(id)
    guard !good.contains(id), problems[id] == nil else { return }
    problem.pack = pack.path
    try take(id, .problem(problem, parents: parents))
  }

  /// The good copy of a node whose loose file is damaged.
  private func readAgain(_ id: ObjectID) -> StoredObject? {
    (try? store.packs.read(id)) ?? nil
  }
}

extension RepairObjects {
  /// Rewrites packs whose damage has been or can be repaired.
  package func repair(
    _ pack: RepairPack, isComplete: Bool, _ good: Set<ObjectID>, _ lostFound: LostFound?
  ) throws -> RepairRow {
    func row(
      _ result: RepairRow.Result, _ remarks: [RepairRemark], kept: String? = nil
    ) -> RepairRow {
      RepairRow(
        result: result, id: nil, path: pack.path, rule: .packCorrupt,
        damage: .pack(reasons: pack.salvage.reasons, worse: pack.worse.count), remarks: remarks,
        kept: kept)
    }
    let lost = pack.salvage.lost.count { !good.contains($0) }
    let isWhole = lost == 0 && (!pack.salvage.hasUnknown || isComplete)
    // Other readers cannot read the pack at all, so a part is better than nothing.
    guard isWhole || !pack.salvage.isOpen else {
      return row(.unrepaired, lost > 0 ? [.nowhereElse(lost)] : [])
    }
    let more: [RepairRemark] = lost > 0 ? [.lost(lost)] : []
    guard let lostFound else {
      return row(isWhole ? .wouldRepair : .unrepaired, more)
    }
    do throws(PackError) {
      let made = try pack.salvage.rewrite(
        without: pack.worse, keeping: lostFound)
      return row(
        isWhole ? .repaired : .unrepaired, [.kept(made.count)] + more, kept: made.kept)
    } catch {
      if case .system(let cause) = error { throw cause }
      return row(.unrepaired, [.pack(error)])
    }
  }
}
