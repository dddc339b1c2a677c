// Many nodes of a store in a given order: what its packs have is read frame by frame, whatever the order.

package import RedoObject

extension ObjectStore {
  /// A reading of nodes in a given order, in bounded memory and linear time.
  ///
  /// - Parameter ids: the nodes in the order in which they are wanted.
  /// - Returns: `nil` when no pack has any of them, or the frames that do fit into the cache: then
  ///   nodes are read one by one.
  /// - Throws: `system` when the packs cannot be listed.
  package func ordered(_ ids: [ObjectID]) throws(StoreError) -> OrderedReading? {
    let packs = try mapSystem { () throws(SystemError) in try own.packs.all() }
    guard !packs.isEmpty else { return nil }
    var places: [NodePlace] = []
    places.reserveCapacity(ids.count)
    var frames: Set<Int> = []
    // The pack that has one node mostly has the next one.
    var last = 0
    for id in ids {
      var place = NodePlace.loose
      for step in packs.indices {
        let number = (last + step) % packs.count
        // What cannot be asked is read as all readers do, who tell what is wrong.
        guard let found = (try? packs[number].place(of: id)) ?? nil else { continue }
        last = number
        // A loose copy comes first.
        if try primary.contains(id) { break }
        place = NodePlace(pack: number, frame: found.frame, place: found.place)
        frames.insert(number << 32 | found.frame)
        break
      }
      places.append(place)
    }
    var bytes = 0
    for frame in frames {
      let all = (try? packs[frame >> 32].directory().frames) ?? []
      let index = frame & 0xFFFF_FFFF
      if index < all.count { bytes += all[index].canonicalBytes }
    }
    guard bytes > own.packs.cache.limitBytes / 2 else { return nil }
    // Reading writes nowhere else; where that is not possible, all that waits is in memory.
    let folder = try? primary.directory.openSubdirectory("../\(Layout.cache)")
    return OrderedReading(ids, places, packs: packs, spillingIn: folder) {
      id, workspace throws(StoreError) in
      try self.read(id, &workspace)
    }
  }
}
