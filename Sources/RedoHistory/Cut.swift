// A set of nodes at hand: a whole log, or the nodes that count at a point in time. Replay is always about
// such a set; paths through nodes outside of it do not count (protocol, section 3).

internal import RedoObject

/// A set of nodes of a log, in the total order of the set.
package struct Cut: Sendable {
  /// The positions in the log, in total order.
  package let order: [Int32]
  /// For each position of the log its place in `order`, -1 for a node outside.
  package let places: [Int32]

  /// The number of nodes.
  package var count: Int { order.count }

  /// Whether the set is the whole log.
  package var isWhole: Bool { order.count == places.count }

  /// Whether a node of the log is in the set.
  @inlinable
  package func contains(_ position: Int) -> Bool { places[position] >= 0 }

  /// The place of a node of the set in the order, -1 for a node outside.
  @inlinable
  package func place(of position: Int) -> Int { Int(places[position]) }

  /// The whole of a log.
  package init(whole log: some HistoryLog) {
    order = Array(0..<Int32(log.count))
    places = order
  }

  /// Some nodes of a log.
  ///
  /// - Parameters:
  ///   - log: the log.
  ///   - members: for each position whether the node is in the set.
  /// - Complexity: O(*n*) when the set is closed, or clocks increase along every edge of the log;
  ///   O(*n* log *n*) otherwise.
  package init(of log: some HistoryLog, members: [Bool]) {
    precondition(members.count == log.count, "BUG: another log")
    var kept: [Int32] = []
    var isClosed = true
    var isIncreasing = true
    for position in 0..<log.count {
      guard members[position] else { continue }
      kept.append(Int32(position))
      log.forEachParent(at: position) { parent in
        if parent >= 0, !members[parent] { isClosed = false }
      }
    }
    if !isClosed {
      for position in 0..<log.count where isIncreasing {
        log.forEachParent(at: position) { parent in
          if parent >= 0, !log.precedes(parent, position) { isIncreasing = false }
        }
      }
    }
    // A closed set keeps the order of the log, and so does any set of a log that is sorted by its
    // clocks alone. Otherwise a node whose parent is outside may come earlier than in the log.
    if !isClosed, !isIncreasing {
      var places = [Int32](repeating: -1, count: log.count)
      for (place, position) in kept.enumerated() { places[Int(position)] = Int32(place) }
      kept = TotalOrder.positions(
        count: kept.count, isBefore: { log.precedes(Int(kept[$0]), Int(kept[$1])) },
        forEachParent: { place, body in
          log.forEachParent(at: Int(kept[place])) { parent in
            if parent >= 0, places[parent] >= 0 { body(Int(places[parent])) }
          }
        }
      ).map { kept[$0] }
    }
    order = kept
    var places = [Int32](repeating: -1, count: log.count)
    for (place, position) in kept.enumerated() { places[Int(position)] = Int32(place) }
    self.places = places
  }
}
