// A history of decoded nodes in memory, in whatever order they come.

package import RedoObject

/// A node of a history.
package enum HistoryNode: Sendable {
  /// A node that keeps the rules.
  case whole(Node)
  /// A node that should not have been accepted.
  case broken(BrokenNode)

  /// A node that keeps the rules.
  package init(_ node: Node) { self = .whole(node) }

  /// A node that should not have been accepted.
  package init(_ broken: BrokenNode) { self = .broken(broken) }

  /// Its id.
  package var id: ObjectID {
    switch self {
    case .whole(let node): node.id
    case .broken(let node): node.id
    }
  }

  /// Its parents.
  package var parents: [ObjectID] {
    switch self {
    case .whole(let node): node.parents
    case .broken(let node): node.parents
    }
  }

  /// Its task.
  package var taskID: TaskID? {
    switch self {
    case .whole(let node): node.taskID
    case .broken(let node): node.taskID
    }
  }

  /// Its place in the order.
  package var order: OrderEntry {
    switch self {
    case .whole(let node): OrderEntry(node)
    case .broken(let node):
      OrderEntry(id: node.id, parents: node.parents, lamport: node.lamport, wall: node.wall)
    }
  }

  /// Where it stands.
  package var place: HistoryPlace {
    switch self {
    case .whole(let node): HistoryPlace(node)
    case .broken(let node): HistoryPlace(node)
    }
  }

  /// The whole node.
  package var node: Node? { if case .whole(let node) = self { node } else { nil } }

  /// Its fingerprint as it is kept; for a broken node, which is never compared, without a signature.
  package var fingerprint: NodeFingerprint { NodeFingerprint(id: id, signature: node?.signature) }
}

/// A log of decoded nodes: what a history asks of each, and its body.
///
/// It takes about 150 bytes a node in addition to the bodies, which it shares with the nodes.
package struct NodeHistory: HistoryLog, Sendable {
  /// What every node is asked for: nothing in it is reference-counted.
  private struct Row {
    let id: ObjectID
    let lamport: Lamport
    let wall: WallTime
    let author: UserID
    let action: Action?
    let isBroken: Bool
    let task: Int32
    let data: Range<UInt32>
    let wallText: Range<UInt32>
    let actionName: Range<UInt32>
  }

  private var rows: [Row] = []
  /// The bodies; of a broken node nothing.
  private var bodies: [[UInt8]] = []
  private var index: [ObjectID: Int32] = [:]
  private var parents: [Int32] = []
  private var parentStarts: [Int32] = [0]
  /// The parents of nodes that have one outside of the log.
  private var openParents: [Int32: [ObjectID]] = [:]
  private var tasks: [TaskID] = []
  private let receivedTimes: [ObjectID: Int64]

  /// Sorts nodes.
  ///
  /// - Parameters:
  ///   - given: the nodes, in any order; a node that comes twice is taken the first time.
  ///   - received: when nodes were first accepted, in milliseconds since 1970.
  /// - Complexity: O(*n* log *n*).
  package init(_ given: [HistoryNode], received: [ObjectID: Int64] = [:]) {
    receivedTimes = received
    index.reserveCapacity(given.count)
    var entries: [OrderEntry] = []
    entries.reserveCapacity(given.count)
    var origins: [Int32] = []
    origins.reserveCapacity(given.count)
    for (origin, node) in given.enumerated() {
      let entry = node.order
      guard index.updateValue(-1, forKey: entry.id) == nil else { continue }
      entries.append(entry)
      origins.append(Int32(origin))
    }
    let order = TotalOrder.positions(of: entries)
    rows.reserveCapacity(order.count)
    bodies.reserveCapacity(order.count)
    parentStarts.reserveCapacity(order.count + 1)
    var taskIndex: [TaskID: Int32] = [:]
    for place in order {
      append(given[Int(origins[place])], entries[place], &taskIndex)
    }
  }

  private mutating func append(
    _ node: HistoryNode, _ entry: OrderEntry, _ taskIndex: inout [TaskID: Int32]
  ) {
    let position = Int32(rows.count)
    index[entry.id] = position
    var isOpen = false
    for parent in entry.parents {
      let place = index[parent] ?? -1
      parents.append(place)
      if place < 0 { isOpen = true }
    }
    if isOpen { openParents[position] = entry.parents }
    parentStarts.append(Int32(parents.count))
    var task: Int32 = -1
    if let id = node.taskID {
      task = taskIndex[id] ?? Int32(tasks.count)
      if task == tasks.count {
        taskIndex[id] = task
        tasks.append(id)
      }
    }
    switch node {
    case .whole(let whole):
      bodies.append(whole.body)
      rows.append(
        Row(
          id: entry.id, lamport: entry.lamport, wall: entry.wall, author: whole.userID,
          action: whole.action, isBroken: false, task: task, data: Self.range(whole.data),
          wallText: Self.range(whole.escapedText(.wall) ?? []),
          actionName: Self.range(whole.escapedText(.action) ?? [])))
    case .broken(let broken):
      bodies.append([])
      rows.append(
        Row(
          id: entry.id, lamport: entry.lamport, wall: entry.wall, author: .none,
          action: broken.action, isBroken: true, task: task, data: 0..<0, wallText: 0..<0,
          actionName: 0..<0))
    }
  }

  private static func range(_ slice: ArraySlice<UInt8>) -> Range<UInt32> {
    UInt32(slice.startIndex)..<UInt32(slice.endIndex)
  }

  package var count: Int { rows.count }
  package var taskCount: Int { tasks.count }
  package func taskID(_ index: Int) -> TaskID { tasks[index] }

  package func id(at position: Int) -> ObjectID { rows[position].id }
  package func position(of id: ObjectID) -> Int? { index[id].map(Int.init) }
  package func lamport(at position: Int) -> Lamport { rows[position].lamport }
  package func wall(at position: Int) -> WallTime { rows[position].wall }
  package func received(at position: Int) -> Int64? { receivedTimes[rows[position].id] }
  package func action(at position: Int) -> Action? { rows[position].action }
  package func task(at position: Int) -> Int { Int(rows[position].task) }
  package func author(at position: Int) -> UserID { rows[position].author }
  package func isBroken(at position: Int) -> Bool { rows[position].isBroken }

  package func forEachParent(at position: Int, _ body: (Int) -> Void) {
    for place in Int(parentStarts[position])..<Int(parentStarts[position + 1]) {
      body(Int(parents[place]))
    }
  }

  package func parentIDs(at position: Int) -> [ObjectID] {
    if let ids = openParents[Int32(position)] { return ids }
    let places = Int(parentStarts[position])..<Int(parentStarts[position + 1])
    return parents[places].map { rows[Int($0)].id }
  }

  package func appendActionName(at position: Int, to output: inout [UInt8]) {
    guard rows[position].isBroken else {
      return append(rows[position].actionName, position, &output)
    }
    output += (rows[position].action?.rawValue ?? "").utf8
  }

  package func appendWallText(at position: Int, to output: inout [UInt8]) {
    guard rows[position].isBroken else { return append(rows[position].wallText, position, &output) }
    rows[position].wall.append(to: &output)
  }

  package func appendData(at position: Int, to output: inout [UInt8]) {
    append(rows[position].data, position, &output)
  }

  package func dataCount(at position: Int) -> Int { rows[position].data.count }

  private func append(_ range: Range<UInt32>, _ position: Int, _ output: inout [UInt8]) {
    output += bodies[position][Int(range.lowerBound)..<Int(range.upperBound)]
  }
}
