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
    guard let (places, packs) = try places(of: ids) else { return nil }
    var frames: Set<NodePlace.Frame> = []
    for place in places { if let frame = place.packFrame { frames.insert(frame) } }
    var bytes = 0
    for frame in frames {
      let all = (try? packs[frame.pack].directory().frames) ?? []
      if frame.number < all.count { bytes += all[frame.number].canonicalBytes }
    }
    guard bytes > own.packs.cache.limitBytes / 2 else { return nil }
    // Reading writes nowhere else; where that is not possible, all that waits is in memory.
    let folder = try? primary.directory.openSubdirectory("../\(Layout.cache)")
    return OrderedReading(ids, places, packs: packs, spillingIn: folder) {
      id, workspace throws(StoreError) in try self.read(id, &workspace)
    }
  }

  /// The order in which some objects lie: whoever needs them in no particular order reads each frame once, and nothing waits.
  ///
  /// - Parameter ids: the objects.
  /// - Returns: their positions among the ids; those that are in no pack come first, in the order of the ids.
  /// - Throws: `system` when the packs cannot be listed.
  package func lyingOrder(of ids: [ObjectID]) throws(StoreError) -> [Int] {
    guard let (places, _) = try places(of: ids) else { return Array(ids.indices) }
    return ids.indices.sorted { left, right in
      let (first, second) = (places[left], places[right])
      if first.pack != second.pack { return first.pack < second.pack }
      if first.frame != second.frame { return first.frame < second.frame }
      return first.place == second.place ? left < right : first.place < second.place
    }
  }

  /// Where each of some objects is read, and the packs that are meant; `nil` where there are none.
  private func places(
    of ids: [ObjectID]
  ) throws(StoreError) -> (places: [NodePlace], packs: [Pack])? {
    let owned = try mapSystem { () throws(SystemError) in try own.packs.all() }
    let packs = owned + presentArchives
    guard !packs.isEmpty else { return nil }
    var places: [NodePlace] = []
    places.reserveCapacity(ids.count)
    var inOwn = NodeFinder(packs, owned.indices)
    var inArchives = NodeFinder(packs, owned.count..<packs.count)
    for id in ids {
      // A loose copy comes first.
      if let place = inOwn.place(of: id) ?? inArchives.place(of: id), try !primary.contains(id) {
        places.append(place)
      } else {
        places.append(.loose)
      }
    }
    return (places, packs)
  }

  /// The registered archives whose files are there; none where alternates are read before them.
  var presentArchives: [Pack] {
    guard alternates.isEmpty, let shelved = try? archives?.all() else { return [] }
    return shelved.filter { $0.condition() == .present }.map(\.pack)
  }
}

/// Looks for nodes in some of many packs.
struct NodeFinder {
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
      // What cannot be looked up is read in the usual way, which reports what is wrong.
      guard let found = (try? packs[number].place(of: id)) ?? nil else { continue }
      last = number
      return NodePlace(pack: number, frame: found.frame, place: found.place)
    }
    return nil
  }
}
