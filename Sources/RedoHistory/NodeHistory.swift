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

  /// The whole node.
  package var node: Node? { if case .whole(let node) = self { node } else { nil } }
}

/// A log of decoded nodes.
///
/// Beside the nodes themselves it takes about 100 bytes a node.
package struct NodeHistory: HistoryLog, Sendable {
  /// The nodes as they were given, and where each place of the order is among them.
  private let nodes: [HistoryNode]
  private let places: [Int32]
  private let index: [ObjectID: Int32]
  private let parents: [Int32]
  private let parentStarts: [Int32]
  private let taskIndices: [Int32]
  private let tasks: [TaskID]
  private let receivedTimes: [ObjectID: Int64]

  /// Sorts nodes.
  ///
  /// - Parameters:
  ///   - given: the nodes, in any order; one that comes twice is taken once, the first time.
  ///   - received: when nodes were first accepted, in milliseconds since 1970.
  /// - Complexity: O(*n* log *n*).
  package init(_ given: [HistoryNode], received: [ObjectID: Int64] = [:]) {
    var index: [ObjectID: Int32] = [:]
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

    var taskIndex: [TaskID: Int32] = [:]
    var tasks: [TaskID] = []
    var taskIndices: [Int32] = []
    taskIndices.reserveCapacity(order.count)
    var parents: [Int32] = []
    var parentStarts: [Int32] = [0]
    parentStarts.reserveCapacity(order.count + 1)
    for (position, place) in order.enumerated() {
      index[entries[place].id] = Int32(position)
      for parent in entries[place].parents { parents.append(index[parent] ?? -1) }
      parentStarts.append(Int32(parents.count))
      guard let task = given[Int(origins[place])].taskID else {
        taskIndices.append(-1)
        continue
      }
      let number = taskIndex[task] ?? Int32(tasks.count)
      if number == tasks.count {
        taskIndex[task] = number
        tasks.append(task)
      }
      taskIndices.append(number)
    }
    nodes = given
    places = order.map { origins[$0] }
    self.index = index
    self.parents = parents
    self.parentStarts = parentStarts
    self.taskIndices = taskIndices
    self.tasks = tasks
    receivedTimes = received
  }

  /// The node at a position.
  package func node(at position: Int) -> HistoryNode { nodes[Int(places[position])] }

  package var count: Int { places.count }
  package var taskCount: Int { tasks.count }
  package func taskID(_ index: Int) -> TaskID { tasks[index] }

  package func id(at position: Int) -> ObjectID { node(at: position).id }
  package func position(of id: ObjectID) -> Int? { index[id].map(Int.init) }

  package func lamport(at position: Int) -> Lamport {
    switch nodes[Int(places[position])] {
    case .whole(let node): node.lamport
    case .broken(let node): node.lamport
    }
  }

  package func wall(at position: Int) -> WallTime {
    switch nodes[Int(places[position])] {
    case .whole(let node): node.wall
    case .broken(let node): node.wall
    }
  }

  package func received(at position: Int) -> Int64? { receivedTimes[id(at: position)] }

  package func action(at position: Int) -> Action? {
    switch nodes[Int(places[position])] {
    case .whole(let node): node.action
    case .broken(let node): node.action
    }
  }

  package func task(at position: Int) -> Int { Int(taskIndices[position]) }

  package func author(at position: Int) -> UserID {
    if case .whole(let node) = nodes[Int(places[position])] { node.userID } else { .none }
  }

  package func isBroken(at position: Int) -> Bool {
    if case .broken = nodes[Int(places[position])] { true } else { false }
  }

  package func forEachParent(at position: Int, _ body: (Int) -> Void) {
    for place in Int(parentStarts[position])..<Int(parentStarts[position + 1]) {
      body(Int(parents[place]))
    }
  }

  package func parentIDs(at position: Int) -> [ObjectID] { node(at: position).parents }

  package func appendActionName(at position: Int, to output: inout [UInt8]) {
    switch nodes[Int(places[position])] {
    case .whole(let node): output += node.escapedText(.action) ?? []
    case .broken(let node): output += (node.action?.rawValue ?? "").utf8
    }
  }

  package func appendWallText(at position: Int, to output: inout [UInt8]) {
    switch nodes[Int(places[position])] {
    case .whole(let node): output += node.escapedText(.wall) ?? []
    case .broken(let node): node.wall.append(to: &output)
    }
  }

  package func appendData(at position: Int, to output: inout [UInt8]) {
    if case .whole(let node) = nodes[Int(places[position])] { output += node.data }
  }
}
