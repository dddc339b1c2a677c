// Whether the numbers of a part make sense. Its hashes show that its bytes are those that were written, not
// that their writer was right.

internal import RedoObject

extension GraphSegment {
  /// Checks every byte, and that every number lies within what it points into, so that no later access lies
  /// outside.
  ///
  /// - Parameter base: the part below this one, if any.
  /// - Returns: what is wrong; `nil` when nothing is.
  package func fault(on base: GraphSegment?) -> String? {
    guard memory.check(0..<memory.count) else {
      return "its bytes have another hash than it states"
    }
    guard head.baseCount == base?.count ?? 0 else {
      return "it stands on a part of another size"
    }
    guard checkTables() else { return "the tables of names are out of order" }
    let columns: [(Columns, String)] = [
      (.parents, "parents"), (.clocks, "times"), (.labels, "labels"), (.data, "data"),
    ]
    for (column, name) in columns where !check(column, of: 0..<count) {
      return "a node has \(name) that point to nothing"
    }
    for index in 0..<count where index > 0 && isSorted && !isBefore(index - 1, index) {
      return "node \(index) does not follow the one before it in the total order"
    }
    guard checkWallOrder(0..<count),
      computedWallOrder().enumerated().allSatisfy({ wallOrder($0.offset) == $0.element })
    else { return "the order of its wall times is wrong" }
    return faultOfNames
  }

  /// The part of a heap that belongs to some entries, whose starts have been read and found right.
  ///
  /// - Parameters:
  ///   - section: where each entry begins in the heap, and after the last one where that ends.
  ///   - range: the entries.
  ///   - end: the length of the heap.
  ///   - limit: the most that one entry takes of it.
  /// - Returns: `nil` when a start is below the one before it, or beyond the end, or an entry is too long.
  func heapRange(
    _ section: GraphSection, of range: Range<Int>, to end: Int, limit: Int = .max
  ) -> Range<Int>? {
    // Numbers that do not fit an Int are above every end.
    func starts<Number: FixedWidthInteger & BitwiseCopyable>(
      _ type: Number.Type
    ) -> Range<Int>? {
      memory.withNumbers(
        from: self.starts[section.rawValue], range.lowerBound..<range.upperBound + 1, type
      ) { number in
        let lower = Int(clamping: number(range.lowerBound))
        var last = lower
        var wrong = 0
        for index in range {
          let next = Int(clamping: number(index + 1))
          // Below the last, or too far above it, in one comparison.
          wrong |= UInt(bitPattern: next &- last) > UInt(bitPattern: limit) ? 1 : 0
          last = next
        }
        return wrong != 0 || last > end ? nil : lower..<last
      }
    }
    return section == .dataStarts ? starts(UInt64.self) : starts(UInt32.self)
  }

  /// Whether every parent of some nodes stands before its child, or in the part below.
  ///
  /// - Parameters:
  ///   - range: the nodes; where the parents of each begin has been checked.
  ///   - heap: their parents.
  /// - Returns: whether they do.
  func hasParentsBefore(_ range: Range<Int>, _ heap: Range<Int>) -> Bool {
    let below = UInt32(head.baseCount)
    return memory.withNumbers(from: starts[GraphSection.parents.rawValue], heap, UInt32.self) {
      parent in
      memory.withNumbers(
        from: starts[GraphSection.parentStarts.rawValue], range.lowerBound..<range.upperBound + 1,
        UInt32.self
      ) { start in
        var wrong: UInt32 = 0
        for index in range {
          for place in Int(start(index))..<Int(start(index + 1)) {
            let number = parent(place)
            let limit = number & Self.belowMark != 0 ? below : UInt32(truncatingIfNeeded: index)
            wrong |= number & ~Self.belowMark < limit ? 0 : 1
          }
        }
        return wrong == 0
      }
    }
  }

  /// Whether some nodes have times that there are.
  func hasTimes(_ range: Range<Int>) -> Bool {
    let first = WallTime.earliest.milliseconds
    let span = UInt64(bitPattern: WallTime.latest.milliseconds &- first)
    return all(.lamports, range, UInt64.self) { $0 &- 1 < Lamport.limit }
      && all(.walls, range, UInt64.self) { $0 &- UInt64(bitPattern: first) <= span }
      && all(.received, range, UInt64.self) { $0 &- UInt64(bitPattern: first) <= span }
  }

  /// Whether actions, tasks and authors of some nodes are in the tables.
  func hasLabels(_ range: Range<Int>) -> Bool {
    let (actions, authors) = (UInt32(head.actionCount), UInt32(head.authorCount))
    let tasks = UInt32(head.taskCount)
    return all(.actions, range, UInt32.self) { $0 < actions }
      && all(.authors, range, UInt32.self) { $0 < authors }
      // -1 is the number of no task.
      && all(.tasks, range, UInt32.self) { $0 &+ 1 <= tasks }
  }

  /// Whether something holds for all numbers of some nodes.
  @inline(__always)
  private func all<Number: FixedWidthInteger & BitwiseCopyable>(
    _ section: GraphSection, _ range: Range<Int>, _ type: Number.Type, _ holds: (Number) -> Bool
  ) -> Bool {
    memory.withNumbers(from: starts[section.rawValue], range, type) { number in
      // Without an early end, so that several are looked at together.
      var wrong: Number = 0
      for index in range { wrong |= holds(number(index)) ? 0 : 1 }
      return wrong == 0
    }
  }

  private func isBefore(_ one: Int, _ other: Int) -> Bool {
    let lamports = (lamport(one), lamport(other))
    if lamports.0 != lamports.1 { return lamports.0 < lamports.1 }
    let walls = (wall(one), wall(other))
    if walls.0 != walls.1 { return walls.0 < walls.1 }
    return id(one) < id(other)
  }

  /// Whether every node is found by its id.
  private var faultOfNames: String? {
    let first = starts[GraphSection.idOrder.rawValue]
    var last: ObjectID?
    for place in 0..<count {
      let index = Int(memory.load(first + 4 * place, as: UInt32.self))
      guard index < count, last.map({ $0 < id(index) }) ?? true else {
        return "the order of its ids is wrong"
      }
      last = id(index)
    }
    return nil
  }
}

extension Graph {
  /// The first thing of a node that the graph says in another way.
  ///
  /// - Parameters:
  ///   - position: where the node is; its part has no fault.
  ///   - node: the node itself.
  ///   - milliseconds: when it was received; `nil` when it was not, or this is not known.
  /// - Returns: what differs, for people; `nil` when nothing does.
  package func difference(
    at position: Int, from node: HistoryNode, received milliseconds: Int64?
  ) -> String? {
    let order = node.order
    guard lamport(at: position) == order.lamport else { return "lamport" }
    guard wall(at: position) == order.wall else { return "wall time" }
    guard parentIDs(at: position) == order.parents else { return "parents" }
    if let milliseconds, received(at: position) ?? 0 != milliseconds { return "time of receipt" }
    let number = task(at: position)
    guard (number < 0 ? nil : taskID(number)) == node.taskID else { return "task" }
    let own = marks(at: position)
    var action: [UInt8] = []
    appendActionName(at: position, to: &action)
    switch node {
    case .broken(let node):
      guard own.contains(.isBroken) else { return "that it is broken" }
      return action == Array((node.action?.rawValue ?? "").utf8) ? nil : "action"
    case .whole(let node):
      guard !own.contains(.isBroken) else { return "that it is not broken" }
      guard own.contains(.isSigned) == (node.signature != nil) else {
        return "whether it is signed"
      }
      guard fingerprint(at: position) == NodeFingerprint(id: node.id, signature: node.signature)
      else {
        return "signature"
      }
      guard node.escapedText(.action)?.elementsEqual(action) == true else { return "action" }
      guard own.contains(.hasFraction) == (node.escapedText(.wall)?.count == 24) else {
        return "form of the wall time"
      }
      guard authorBytes(at: position) == GraphAuthor.bytes(of: node) else { return "author" }
      var data: [UInt8] = []
      appendData(at: position, to: &data)
      return node.data.elementsEqual(data) ? nil : "data"
    }
  }
}
