// A set of nodes as several packs, one for each month or year that has any. A node is packed with the latest of
// its own time and those of its ancestors: so every pack, together with those before it, is closed, whatever any
// clock showed.

internal import RedoObject

/// A set of nodes by periods.
///
/// It takes about 12 bytes for each node of the log, and of the set another 4.
package struct PackPeriods {
  /// The periods that have nodes, ascending.
  package let periods: [HistoryPeriod]
  /// The first node of the set without a known time; it counts in the latest period of its parents.
  package let undated: Int?
  /// How many nodes of the set are of a later period than their own times say.
  package let raisedCount: Int
  /// Where the nodes of each period begin in `members`, followed by the end.
  private let starts: [Int]
  /// The positions of the nodes of the set, period by period, ascending in each.
  private let members: [Int32]
  /// For each position of the log its place in `members`, -1 for a node outside.
  private let places: [Int32]

  /// Splits a set.
  ///
  /// What period a node is of does not depend on the set, but on the node and its ancestors in the
  /// log.
  ///
  /// - Parameters:
  ///   - isMember: for each position of the log whether the node is in the set.
  ///   - log: the log.
  ///   - length: how long periods are.
  ///   - time: the instant of a node in milliseconds since 1970; `nil` for one that is not known.
  /// - Complexity: O(*n*).
  package init<Log: HistoryLog>(
    of isMember: [Bool], in log: Log, by length: HistoryPeriod.Length, time: (Int) -> Int64?
  ) {
    precondition(isMember.count == log.count, "BUG: another log")
    var numbers = [Int32](repeating: .min, count: log.count)
    var undated: Int?
    var raisedCount = 0
    var counts: [Int32: Int] = [:]
    for position in 0..<log.count {
      let own = time(position).map { HistoryPeriod(of: $0, length).number } ?? .min
      var latest = own
      log.forEachParent(at: position) { if $0 >= 0 { latest = max(latest, numbers[$0]) } }
      numbers[position] = latest
      guard isMember[position] else { continue }
      counts[latest, default: 0] += 1
      if own == .min { undated = undated ?? position } else if own < latest { raisedCount += 1 }
    }
    let sorted = counts.keys.sorted()
    var starts = [0]
    var next: [Int32: Int] = [:]
    for number in sorted {
      next[number] = starts[starts.count - 1]
      starts.append(starts[starts.count - 1] + (counts[number] ?? 0))
    }
    var members = [Int32](repeating: 0, count: starts[starts.count - 1])
    // The places take the room of the numbers.
    for position in 0..<log.count {
      guard isMember[position], let place = next[numbers[position]] else {
        numbers[position] = -1
        continue
      }
      next[numbers[position]] = place + 1
      members[place] = Int32(position)
      numbers[position] = Int32(place)
    }
    periods = sorted.map { HistoryPeriod($0, length) }
    self.undated = undated
    self.raisedCount = raisedCount
    self.starts = starts
    self.members = members
    places = numbers
  }

  /// The number of nodes of a period.
  ///
  /// - Parameter index: the period, as an index of `periods`.
  /// - Returns: at least 1.
  package func count(of index: Int) -> Int { starts[index + 1] - starts[index] }

  /// The nodes of a period in the order in which they are packed; see `PackOrder`.
  ///
  /// - Parameters:
  ///   - index: the period, as an index of `periods`.
  ///   - log: the log.
  /// - Returns: their positions.
  /// - Complexity: O(*n* log *n*) for the nodes of the period.
  package func positions<Log: HistoryLog>(of index: Int, in log: Log) -> [Int] {
    let (start, end) = (starts[index], starts[index + 1])
    func position(_ number: Int) -> Int { Int(members[start + number]) }
    let total = TotalOrder.positions(
      count: end - start, isBefore: { log.precedes(position($0), position($1)) },
      forEachParent: { number, body in
        forEachParent(of: position(number), in: index, log) { body($0 - start) }
      })
    var ranks = [Int32](repeating: 0, count: total.count)
    for (rank, number) in total.enumerated() { ranks[number] = Int32(rank) }
    return PackOrder.places(
      count: total.count, taskCount: log.taskCount + 1,
      task: { log.task(at: position(total[$0])) + 1 },
      forEachParent: { rank, body in
        forEachParent(of: position(total[rank]), in: index, log) { body(Int(ranks[$0 - start])) }
      }
    ).map { position(total[$0]) }
  }

  /// The nodes of a period that no other node of it names as parent.
  ///
  /// - Parameters:
  ///   - index: the period, as an index of `periods`.
  ///   - log: the log.
  /// - Returns: their positions, ascending.
  package func heads<Log: HistoryLog>(of index: Int, in log: Log) -> [Int] {
    let start = starts[index]
    var isParent = [Bool](repeating: false, count: count(of: index))
    for place in start..<starts[index + 1] {
      forEachParent(of: Int(members[place]), in: index, log) { isParent[$0 - start] = true }
    }
    return isParent.indices.filter { !isParent[$0] }.map { Int(members[start + $0]) }
  }

  /// Hands on the places of those parents of a node that are of a period.
  @inline(__always)
  private func forEachParent<Log: HistoryLog>(
    of position: Int, in index: Int, _ log: Log, _ body: (Int) -> Void
  ) {
    log.forEachParent(at: position) { parent in
      guard parent >= 0 else { return }
      let place = Int(places[parent])
      if place >= starts[index], place < starts[index + 1] { body(place) }
    }
  }
}
