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
    let sections: [(GraphSection, Int, Int)] = [
      (.parentStarts, 4, head.parentCount), (.dataStarts, 8, head.range(.data).count),
    ]
    for (section, width, end) in sections {
      guard isAscending(section, width, count: count, to: end) else {
        return "the column '\(section)' is out of order"
      }
    }
    guard
      isAscending(.actionStarts, 4, count: head.actionCount, to: head.range(.actionTable).count),
      isAscending(.authorStarts, 4, count: head.authorCount, to: head.range(.authorTable).count)
    else { return "the tables of names are out of order" }
    for index in 0..<count {
      for place in parentRange(index) {
        let parent = parent(place)
        let below = Int(parent & ~Self.belowMark)
        let isInPart = parent & Self.belowMark == 0 && below < index
        guard isInPart || parent & Self.belowMark != 0 && below < base?.count ?? 0 else {
          return "node \(index) has a parent that does not stand before it"
        }
      }
      guard action(index) < head.actionCount, (-1..<head.taskCount).contains(task(index)),
        author(index) < head.authorCount, Lamport(lamport(index)) != nil
      else { return "node \(index) has a number that stands for nothing" }
      if index > 0, isSorted, !isBefore(index - 1, index) {
        return "node \(index) does not follow the one before it in the total order"
      }
    }
    return faultOfNames
  }

  /// Whether the starts of a heap begin at 0, never fall, and end within it.
  private func isAscending(
    _ section: GraphSection, _ width: Int, count: Int, to end: Int
  ) -> Bool {
    let first = starts[section.rawValue]
    func start(_ index: Int) -> UInt64 {
      width == 4
        ? UInt64(memory.load(first + 4 * index, as: UInt32.self))
        : memory.load(first + 8 * index, as: UInt64.self)
    }
    guard start(0) == 0, start(count) <= UInt64(end) else { return false }
    for index in 0..<count where start(index) > start(index + 1) { return false }
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
