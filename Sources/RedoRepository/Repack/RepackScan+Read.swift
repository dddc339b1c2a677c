// Reading the nodes that were found in the order of a pack: of several copies, the best.

internal import RedoHistory
internal import RedoObject
package import RedoStore

extension RepackScan {
  /// Reads nodes.
  ///
  /// - Parameters:
  ///   - numbers: the nodes, in the requested order.
  ///   - loose: the loose objects.
  ///   - packs: the packs, by the numbers that were assigned to them.
  ///   - store: where a temporary file may be created.
  ///   - chooser: chooses among the copies of each.
  ///   - effects: says whether the work is cancelled.
  ///   - body: receives each node.
  /// - Returns: whether copies of some node had different signatures.
  /// - Throws: `RepackFault` or `StoreError` for a node that can no longer be read, `Interruption`, or what the closure
  ///   throws.
  @discardableResult
  package func forEachNode(
    _ numbers: [Int], _ loose: LooseStore, _ packs: [Pack], spillingIn store: PackStore,
    _ chooser: consuming CopyChooser, _ effects: Effects,
    _ body: (PackEntry) throws -> Void
  ) throws -> Bool {
    // The copies of each node side by side, in the order in which they were found.
    var rank = [Int32](repeating: -1, count: set.count)
    for (place, number) in numbers.enumerated() { rank[number] = Int32(place) }
    var starts = [Int32](repeating: 0, count: numbers.count + 1)
    for copy in copies where rank[Int(copy.number)] >= 0 {
      starts[Int(rank[Int(copy.number)]) + 1] += 1
    }
    for place in numbers.indices { starts[place + 1] += starts[place] }
    var filled = starts
    var places = [NodePlace](repeating: .loose, count: Int(starts[numbers.count]))
    for copy in copies where rank[Int(copy.number)] >= 0 {
      let place = Int(rank[Int(copy.number)])
      places[Int(filled[place])] = copy.place
      filled[place] += 1
    }
    var ids: [ObjectID] = []
    ids.reserveCapacity(places.count)
    for (place, number) in numbers.enumerated() {
      for _ in starts[place]..<starts[place + 1] { ids.append(set.id(number)) }
    }
    let folder = try SystemError.naming(store.path) { try store.openFolder() }
    var reading = OrderedReading(
      ids, places, packs: packs, spillingIn: folder
    ) { id, workspace throws(StoreError) in try loose.read(id, &workspace) }
    let progress = Progress(.packing, total: numbers.count, effects)
    var (next, place) = (0, 0)
    while !reading.isAtEnd {
      try effects.checkInterrupt()
      progress.update(place)
      let objects = try reading.read()
      for object in objects {
        chooser.take(object)
        next += 1
        guard next == starts[place + 1] else { continue }
        let number = numbers[place]
        place += 1
        guard let best = chooser.finish() else {
          if let failure = reading.failure { throw failure }
          throw RepackFault.gone(set.id(number))
        }
        try body(
          PackEntry(
            best, parents: Array(set.parents(number)), lamport: set.lamport(number),
            wall: set.wall(number)))
      }
    }
    progress.finish(numbers.count)
    return chooser.hasRivals
  }
}
