// Nodes leave packs: each pack that has some of them is written anew without them, read again, and only
// then removed.

package import RedoObject

/// Packs without some of their nodes.
package enum PackRewrite {
  /// What has become of the packs that were looked at.
  package struct Outcome: Sendable {
    /// The nodes that were in packs, and are no longer in any except those that could not be read.
    package fileprivate(set) var removed: Set<ObjectID> = []
    /// The packs that are gone.
    package fileprivate(set) var gone: [Pack] = []
    /// The packs that replace them.
    package fileprivate(set) var made: [Pack] = []
    /// The packs that stay because they cannot be read, or not all of them; they may have some of the
    /// nodes.
    package fileprivate(set) var damaged: [(pack: Pack, error: PackError)] = []
  }

  /// Writes packs anew without some nodes, and removes the old ones.
  ///
  /// The caller holds the packs, see `PackStore.hold`, and keeps others from taking the nodes into the history.
  /// After a crash or an error each pack is there as it was, or as it should be, or both.
  ///
  /// - Parameters:
  ///   - ids: the nodes.
  ///   - packs: the packs that may have them.
  ///   - store: the directory of these packs.
  /// - Returns: what was done, also where packs are damaged.
  /// - Throws: `system` when something could not be written or removed.
  package static func remove(
    _ ids: Set<ObjectID>, from packs: [Pack], of store: PackStore
  ) throws(SystemError) -> Outcome {
    var outcome = Outcome()
    for pack in packs {
      do throws(PackError) {
        let found = try pack.ids(among: ids)
        // A frame that cannot be read may have anything in it.
        if let unreadable = pack.unreadableFrames.first { throw unreadable.error }
        guard !found.isEmpty else { continue }
        if let new = try rewrite(pack, without: ids, in: store) { outcome.made.append(new) }
        outcome.removed.formUnion(found)
        outcome.gone.append(pack)
      } catch {
        if case .system(let error) = error { throw error }
        outcome.damaged.append((pack, error))
      }
    }
    try store.remove(outcome.gone)
    return outcome
  }

  /// Writes one pack anew.
  ///
  /// - Returns: the new pack; `nil` when nothing would be in it.
  private static func rewrite(
    _ pack: Pack, without ids: Set<ObjectID>, in store: PackStore
  ) throws(PackError) -> Pack? {
    var new: NewPack
    let kind = try pack.directory().kind
    do throws(SystemError) { new = try NewPack(in: store, kind) } catch { throw .system(error) }
    var decoder = PlaceDecoder()
    try pack.forEachFrame { frame, nodes throws(PackError) in
      for node in nodes where !ids.contains(node.id) {
        guard let packed = PackEntry(node, &decoder) else {
          let offset = try pack.directory().frames[frame].offset
          throw .corrupt(offset: offset, reason: "'\(node.id.text)' is no \(kind.name)")
        }
        do throws(SystemError) { try new.add(packed) } catch { throw .system(error) }
      }
    }
    return new.count == 0 ? nil : try new.finish().pack
  }
}

extension Pack {
  /// Those of some nodes that are in the pack.
  ///
  /// - Parameter ids: the nodes.
  /// - Returns: those that the index knows.
  /// - Throws: what opening the pack throws, where it has to be read.
  package func ids(among ids: Set<ObjectID>) throws(PackError) -> Set<ObjectID> {
    try asking { index throws(PackIndexDamage) in
      var found: Set<ObjectID> = []
      // Few of many are looked up, many of few are compared.
      if ids.count < index.nodeCount / 8 {
        for id in ids where try index.place(of: id) != nil { found.insert(id) }
      } else {
        try index.forEach { id, _ in if ids.contains(id) { found.insert(id) } }
      }
      return found
    }
  }
}
