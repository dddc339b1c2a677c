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
    return faultOfNames
  }

  /// The part of a heap that belongs to some entries, whose starts have been read and found right.
  ///
  /// - Parameters:
  ///   - section: where each entry begins in the heap, and after the last one where that ends.
  ///   - range: the entries.
  ///   - end: the length of the heap.
  /// - Returns: `nil` when a start is below the one before it, or beyond the end.
  func heapRange(_ section: GraphSection, of range: Range<Int>, to end: Int) -> Range<Int>? {
    let isWide = section == .dataStarts
    let first = starts[section.rawValue]
    func start(_ index: Int) -> UInt64 {
      isWide
        ? memory.load(first + 8 * index, as: UInt64.self)
        : UInt64(memory.load(first + 4 * index, as: UInt32.self))
    }
    let lower = start(range.lowerBound)
    var last = lower
    for index in range {
      let next = start(index + 1)
      guard last <= next else { return nil }
      last = next
    }
    return last <= UInt64(end) ? Int(lower)..<Int(last) : nil
  }

  /// Whether every parent of some nodes stands before its child, or in the part below.
  func hasParentsBefore(_ range: Range<Int>) -> Bool {
    for index in range {
      for place in parentRange(index) {
        let parent = parent(place)
        let isBelow = parent & Self.belowMark != 0
        guard Int(parent & ~Self.belowMark) < (isBelow ? head.baseCount : index) else {
          return false
        }
      }
    }
    return true
  }

  /// Whether some nodes have times that there are.
  func hasTimes(_ range: Range<Int>) -> Bool {
    let walls = WallTime.earliest.milliseconds...WallTime.latest.milliseconds
    for index in range {
      guard Lamport(lamport(index)) != nil, walls.contains(wall(index)),
        walls.contains(received(index))
      else { return false }
    }
    return true
  }

  /// Whether actions, tasks and authors of some nodes are in the tables.
  func hasLabels(_ range: Range<Int>) -> Bool {
    let tasks = -1..<head.taskCount
    for index in range {
      guard action(index) < head.actionCount, author(index) < head.authorCount,
        tasks.contains(task(index))
      else { return false }
    }
    return true
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
