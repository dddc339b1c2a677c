// Everything that a store has, in parts that any thread reads as one: the shards of the loose objects of
// a layer, then the frames of its packs.

package import RedoObject

/// A part of the objects of a store.
package struct ObjectPart: Sendable {
  /// What a part is.
  package enum Place: Sendable {
    /// The loose objects whose ids begin with this byte.
    case shard(UInt8)
    /// A frame of a pack.
    case frame(Pack, Int)
  }

  /// A frame, by what it is called.
  package struct FrameName: Hashable, Sendable {
    private let path: String
    private let number: Int

    fileprivate init(_ pack: Pack, _ number: Int) {
      path = pack.path
      self.number = number
    }
  }

  /// What it is called, if it is a frame.
  package var frameName: FrameName? {
    if case .frame(let pack, let number) = place { FrameName(pack, number) } else { nil }
  }

  /// The layer: 0 for the store's own, from 1 on the alternates in their order, then the registered
  /// archives.
  package let layer: Int
  /// Where its objects are.
  package let place: Place
}

/// Something that is found in a part.
package enum PartItem: Sendable {
  /// An object, and the bytes of the file that it takes: of a packed one its part of the frame, by
  /// the bytes of its body.
  case object(StoredObject, fileBytes: Int)
  /// An object that cannot be read.
  case damaged(ObjectID, StoreError)
  /// A pack, or a frame of it, that cannot be read, as far as no index shows what was in it.
  case damagedPack(path: String, reason: String)
  /// Nodes of a registered archive whose file is away.
  case offline(path: String, ids: [ObjectID])
}

extension ObjectStore {
  /// The loose objects of a layer.
  ///
  /// - Parameter layer: 0 for the store's own, from 1 on the alternates.
  /// - Returns: the shards in the order of the ids, whether they are there or not.
  package func shards(ofLayer layer: Int) -> [ObjectPart] {
    guard layer < layers.count else { return [] }
    return (UInt8.min...UInt8.max).map { ObjectPart(layer: layer, place: .shard($0)) }
  }

  /// The packed objects of a layer.
  ///
  /// An object that is packed meanwhile is not missed if this is called after reading the shards.
  ///
  /// - Parameters:
  ///   - layer: 0 for the store's own, from 1 on the alternates.
  ///   - visit: receives packs that cannot be opened.
  /// - Returns: the frames of all packs that are there now, in the order of their names.
  /// - Throws: `system` when the packs cannot be listed.
  package func frames(
    ofLayer layer: Int, _ visit: (PartItem) -> Void
  ) throws(StoreError) -> [ObjectPart] {
    guard layer < layers.count else { return archiveFrames(visit) }
    let packs = layers[layer].packs
    while true {
      var parts: [ObjectPart] = []
      var damage: [PartItem] = []
      var hasGone = false
      for pack in try mapSystem({ () throws(SystemError) in try packs.all() }) {
        do throws(PackError) {
          let count = try pack.directory().frames.count
          parts += (0..<count).map { ObjectPart(layer: layer, place: .frame(pack, $0)) }
        } catch {
          if case .system(let cause) = error {
            // Others have taken its place.
            guard cause.isMissing else { throw .system(cause) }
            hasGone = true
          }
          damage.append(.damagedPack(path: pack.path, reason: error.description))
        }
      }
      guard hasGone else {
        for item in damage { visit(item) }
        return parts
      }
      try mapSystem { () throws(SystemError) in _ = try packs.refresh(isForced: true) }
    }
  }

  /// Reads the objects of a part: those of a shard in the order of their ids, those of a frame in that
  /// of the pack.
  ///
  /// - Parameters:
  ///   - part: the part.
  ///   - workspace: the thread's buffers.
  ///   - visit: receives what is in it.
  /// - Throws: `system` when it cannot be read at all.
  package func read(
    _ part: ObjectPart, _ workspace: inout LooseStore.Workspace, _ visit: (PartItem) -> Void
  ) throws(StoreError) {
    switch part.place {
    case .shard(let byte): try read(byte, layers[part.layer].loose, &workspace, visit)
    case .frame(let pack, let frame): try Self.read(frame, pack, &workspace, visit)
    }
  }

  private func read(
    _ byte: UInt8, _ loose: LooseStore, _ workspace: inout LooseStore.Workspace,
    _ visit: (PartItem) -> Void
  ) throws(StoreError) {
    guard let shard = try loose.openShard(byte) else { return }
    for id in shard.ids {
      do throws(StoreError) {
        // What has gone since the shard was listed is in a pack now.
        guard let object = try loose.read(id, in: shard, &workspace) else { continue }
        visit(.object(object, fileBytes: workspace.fileBytes))
      } catch {
        guard case .corrupt = error else { throw error }
        visit(.damaged(id, error))
      }
    }
  }

  private static func read(
    _ frame: Int, _ pack: Pack, _ workspace: inout LooseStore.Workspace,
    _ visit: (PartItem) -> Void
  ) throws(StoreError) {
    do throws(PackError) {
      let objects = try pack.nodes(ofFrame: frame, &workspace.frames)
      let fileBytes = try pack.directory().frames[frame].fileBytes
      for (object, share) in zip(objects, shares(of: fileBytes, among: objects)) {
        visit(.object(object, fileBytes: share))
      }
    } catch {
      if case .system(let cause) = error { throw .system(cause) }
      let ids = (try? pack.asking { index throws(PackIndexDamage) in try index.idsByFrame() }) ?? []
      guard frame < ids.count, !ids[frame].isEmpty else {
        visit(.damagedPack(path: pack.path, reason: error.description))
        return
      }
      for id in ids[frame] {
        visit(.damaged(id, .corrupt(id, path: pack.path, reason: error.description)))
      }
    }
  }

  /// The bytes of a frame that fall to each of its objects, by the bytes of their bodies; together they
  /// are those of the frame.
  ///
  /// - Parameters:
  ///   - fileBytes: the bytes of the frame.
  ///   - objects: what is in it.
  /// - Returns: for each object its bytes.
  package static func shares(of fileBytes: Int, among objects: [StoredObject]) -> [Int] {
    let all = max(1, objects.reduce(0) { $0 + $1.canonical.count })
    var sum = 0
    var given = 0
    return objects.map { object in
      sum += object.canonical.count
      let share = fileBytes * sum / all - given
      given += share
      return share
    }
  }
}
