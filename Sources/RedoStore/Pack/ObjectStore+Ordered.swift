// Many nodes of a store in a given order: what its packs have is read frame by frame, whatever the order.

package import RedoObject

extension ObjectStore {
  /// A reading of nodes in a given order, in bounded memory and linear time.
  ///
  /// - Parameter ids: the nodes in the order in which they are wanted.
  /// - Returns: `nil` when there is no pack: then nodes are read one by one.
  /// - Throws: `system` when the store cannot be listed.
  package func ordered(_ ids: [ObjectID]) throws(StoreError) -> OrderedReading? {
    let owned = try mapSystem { () throws(SystemError) in try own.packs.all() }
    let packs = owned + presentArchives
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
    var inOwn = NodeFinder(packs, owned.indices)
    var inArchives = NodeFinder(packs, owned.count..<packs.count)
    for id in ids {
      if isLoose(id) {
        places.append(.loose)
      } else {
        places.append(inOwn.place(of: id) ?? inArchives.place(of: id) ?? .loose)
      }
    }
    guard places.contains(where: { !$0.isLoose }) else { return nil }
    // Reading writes nowhere else; where that is not possible, all that waits is in memory.
    let folder = try? primary.directory.openSubdirectory("../\(Layout.cache)")
    return OrderedReading(ids, places, packs: packs, spillingIn: folder) {
      id, workspace throws(StoreError) in try self.read(id, &workspace)
    }
  }

  /// The registered archives whose files are there; none where alternates are read before them.
  private var presentArchives: [Pack] {
    guard alternates.isEmpty, let shelved = try? archives?.all() else { return [] }
    return shelved.filter { $0.condition() == .present }.map(\.pack)
  }
}

/// Looks for nodes in some of many packs.
private struct NodeFinder {
  private let packs: [Pack]
  private let range: Range<Int>
  /// The pack that had the last node: mostly it has the next one.
  private var last: Int

  init(_ packs: [Pack], _ range: Range<Int>) {
    self.packs = packs
    self.range = range
    last = range.lowerBound
  }

  mutating func place(of id: ObjectID) -> NodePlace? {
    for step in 0..<range.count {
      let number = range.lowerBound + (last - range.lowerBound + step) % range.count
      // What cannot be asked is read as all readers do, who tell what is wrong.
      guard let found = (try? packs[number].place(of: id)) ?? nil else { continue }
      last = number
      return NodePlace(pack: number, frame: found.frame, place: found.place)
    }
    return nil
  }
}
