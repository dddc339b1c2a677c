// Many nodes of a store in a given order: what its packs have is read frame by frame, whatever the order.

package import RedoObject

extension ObjectStore {
  /// A reading of nodes in a given order, in bounded memory and linear time.
  ///
  /// - Parameter ids: the nodes in the order in which they are wanted.
  /// - Returns: `nil` when there is no pack: then nodes are read one by one.
  /// - Throws: `system` when the store cannot be listed.
  package func ordered(_ ids: [ObjectID]) throws(StoreError) -> OrderedReading? {
    let packs = try mapSystem { () throws(SystemError) in try own.packs.all() }
    guard !packs.isEmpty else { return nil }
    // Loose copies come first.
    let loose = try primary.list(prefix: "")
    func isLoose(_ id: ObjectID) -> Bool {
      var (low, high) = (0, loose.count)
      while low < high {
        let middle = (low + high) / 2
        if loose[middle] < id { low = middle + 1 } else { high = middle }
      }
      return low < loose.count && loose[low] == id
    }
    var places: [NodePlace] = []
    places.reserveCapacity(ids.count)
    // The pack that has one node mostly has the next one.
    var last = 0
    for id in ids {
      var place = NodePlace.loose
      if !isLoose(id) {
        for step in packs.indices {
          let number = (last + step) % packs.count
          // What cannot be asked is read as all readers do, who tell what is wrong.
          guard let found = (try? packs[number].place(of: id)) ?? nil else { continue }
          place = NodePlace(pack: number, frame: found.frame, place: found.place)
          last = number
          break
        }
      }
      places.append(place)
    }
    guard places.contains(where: { !$0.isLoose }) else { return nil }
    // Reading writes nowhere else; where that is not possible, all that waits is in memory.
    let folder = try? primary.directory.openSubdirectory("../\(Layout.cache)")
    return OrderedReading(ids, places, packs: packs, spillingIn: folder) {
      id, workspace throws(StoreError) in try self.read(id, &workspace)
    }
  }
}
