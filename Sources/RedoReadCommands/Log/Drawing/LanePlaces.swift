// Where the dots of one lane stand: near their times, and none upon another. A lane has several rows. A change stands
// on the row of the change before it, so that its line leads over no other dot; a branch goes to another row. What a burst
// holds is spread to both sides, as little as it takes.

internal import RedoRepository
internal import RedoShell

/// The places of the changes of one lane.
struct LanePlaces {
  /// A change of the lane; a list of them is in the order of time.
  struct Item {
    /// Where its time is, in tenths of a pixel.
    let x: Int
    /// Its parents in the lane: their places in the list, all before its own.
    let parents: [Int]
  }

  /// How far dots of one row must be apart, and the columns in which they may stand.
  struct Room {
    /// In tenths of a pixel.
    let distance: Int
    /// In tenths of a pixel.
    let columns: ClosedRange<Int>
    /// How many rows there are at least; there are more only if the dots have no place on these.
    let rowCount: Int

    /// How many dots a row can hold.
    var capacity: Int { (columns.upperBound - columns.lowerBound) / distance + 1 }
  }

  /// The column of each change, in tenths of a pixel.
  private(set) var columns: [Int]
  /// The row of each change: 0 is the middle, -1 is above it.
  private(set) var rows: [Int]
  /// The number of rows.
  private(set) var rowCount: Int

  /// A row while dots are given out.
  private struct Row {
    var places: [Int] = []
    /// Where its last dot must not be touched any more: its column at least.
    var lastX = Int.min / 2
  }

  /// Lays out the changes of a lane.
  ///
  /// - Complexity: O(*n r*) in changes and rows.
  init(_ items: [Item], _ room: Room) {
    precondition(room.distance > 0 && room.rowCount > 0, "BUG: no room for dots")
    columns = items.map(\.x)
    rows = [Int](repeating: 0, count: items.count)
    var lines = [Row](repeating: Row(), count: room.rowCount)
    // How many lines still lead away from a change: over these, no other dot should stand.
    var childCounts = [Int](repeating: 0, count: items.count)
    for item in items { for parent in item.parents { childCounts[parent] += 1 } }
    var lineOf = [Int](repeating: 0, count: items.count)
    for (place, item) in items.enumerated() {
      for parent in item.parents { childCounts[parent] -= 1 }
      let line = Self.line(for: item, lines, lineOf, childCounts, room)
      if line == lines.count { lines.append(Row()) }
      lineOf[place] = line
      lines[line].lastX = max(item.x, lines[line].lastX + room.distance)
      lines[line].places.append(place)
      rows[place] = Self.row(line)
    }
    rowCount = lines.count
    for line in lines {
      let spread = Self.spread(line.places.map { items[$0].x }, room)
      for (place, x) in zip(line.places, spread) { columns[place] = x }
    }
  }

  /// The rows from the middle on, upward and downward in turn: 0, -1, 1, -2, ...
  private static func row(_ line: Int) -> Int { line % 2 == 0 ? line / 2 : -(line + 1) / 2 }

  /// The line for the next change.
  private static func line(
    for item: Item, _ lines: [Row], _ lineOf: [Int], _ childCounts: [Int], _ room: Room
  ) -> Int {
    func isFree(_ line: Int) -> Bool {
      lines[line].places.count < room.capacity && item.x - lines[line].lastX >= room.distance
    }
    func isIdle(_ line: Int) -> Bool {
      lines[line].places.last.map { childCounts[$0] == 0 } ?? true
    }
    for parent in item.parents where lines[lineOf[parent]].places.last == parent {
      if isFree(lineOf[parent]) { return lineOf[parent] }
    }
    // On the row of a parent, the line would lead over what stands there now.
    let crossed = Set(item.parents.map { lineOf[$0] })
    let free = lines.indices.filter { isFree($0) && !crossed.contains($0) }
    if let line = free.first(where: isIdle) ?? free.first { return line }
    if let line = lines.indices.first(where: isFree) { return line }
    // All are taken: the dots have to be spread.
    let open = lines.indices.filter { lines[$0].places.count < room.capacity }
    return open.min { lines[$0].lastX < lines[$1].lastX } ?? lines.count
  }

  /// Moves dots apart, each as little as it takes: the least sum of squares (pool adjacent violators).
  ///
  /// - Parameters:
  ///   - wanted: where they ought to stand, ascending; not more than the room holds.
  ///   - room: the room of their row.
  /// - Returns: where they stand, at least the distance apart.
  private static func spread(_ wanted: [Int], _ room: Room) -> [Int] {
    // Less the distances before it, each dot may stand where the one before it stands.
    var blocks: [(sum: Int, count: Int)] = []
    for (index, x) in wanted.enumerated() {
      var block = (sum: x - index * room.distance, count: 1)
      while let last = blocks.last, last.sum * block.count > block.sum * last.count {
        block = (last.sum + block.sum, last.count + block.count)
        blocks.removeLast()
      }
      blocks.append(block)
    }
    let (low, high) = (room.columns.lowerBound, room.columns.upperBound)
    let highest = max(high - (wanted.count - 1) * room.distance, low)
    var result: [Int] = []
    result.reserveCapacity(wanted.count)
    for block in blocks {
      let start = min(max(block.sum / block.count, low), highest)
      for _ in 0..<block.count { result.append(start + result.count * room.distance) }
    }
    return result
  }
}
