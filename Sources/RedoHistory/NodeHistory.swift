// A history of decoded nodes in memory, in whatever order they come.

package import RedoObject

/// A node of a history, whole or broken.
package struct HistoryNode: Sendable {
  /// Its place in the order.
  package let order: OrderEntry
  /// Its task.
  package let task: TaskID?
  /// What it does, if replay knows it.
  package let action: Action?
  /// The whole node; `nil` for a broken one.
  package let node: Node?

  /// A node that keeps the rules.
  package init(_ node: Node) {
    order = OrderEntry(node)
    task = node.taskID
    action = node.action
    self.node = node
  }

  /// A node that should not have been accepted.
  package init(_ broken: BrokenNode) {
    order = OrderEntry(
      id: broken.id, parents: broken.parents, lamport: broken.lamport, wall: broken.wall)
    task = broken.taskID
    action = broken.action
    node = nil
  }
}

/// A log of decoded nodes.
package struct NodeHistory: HistoryLog, Sendable {
  private let nodes: [HistoryNode]
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
    var seen: Set<ObjectID> = []
    seen.reserveCapacity(given.count)
    let unique = given.filter { seen.insert($0.order.id).inserted }
    let nodes = TotalOrder.positions(of: unique.map(\.order)).map { unique[$0] }

    var index: [ObjectID: Int32] = [:]
    index.reserveCapacity(nodes.count)
    var taskIndex: [TaskID: Int32] = [:]
    var tasks: [TaskID] = []
    var taskIndices: [Int32] = []
    var parents: [Int32] = []
    var parentStarts: [Int32] = [0]
    for (position, node) in nodes.enumerated() {
      index[node.order.id] = Int32(position)
      for parent in node.order.parents { parents.append(index[parent] ?? -1) }
      parentStarts.append(Int32(parents.count))
      guard let task = node.task else {
        taskIndices.append(-1)
        continue
      }
      let place = taskIndex[task] ?? Int32(tasks.count)
      if place == tasks.count {
        taskIndex[task] = place
        tasks.append(task)
      }
      taskIndices.append(place)
    }
    self.nodes = nodes
    self.index = index
    self.parents = parents
    self.parentStarts = parentStarts
    self.taskIndices = taskIndices
    self.tasks = tasks
    receivedTimes = received
  }

  /// The node at a position.
  package func node(at position: Int) -> HistoryNode { nodes[position] }

  package var count: Int { nodes.count }
  package var taskCount: Int { tasks.count }
  package func taskID(_ index: Int) -> TaskID { tasks[index] }

  package func id(at position: Int) -> ObjectID { nodes[position].order.id }
  package func position(of id: ObjectID) -> Int? { index[id].map(Int.init) }
  package func lamport(at position: Int) -> Lamport { nodes[position].order.lamport }
  package func wall(at position: Int) -> WallTime { nodes[position].order.wall }
  package func received(at position: Int) -> Int64? { receivedTimes[id(at: position)] }
  package func action(at position: Int) -> Action? { nodes[position].action }
  package func task(at position: Int) -> Int { Int(taskIndices[position]) }
  package func author(at position: Int) -> UserID { nodes[position].node?.userID ?? UserID.none }
  package func isBroken(at position: Int) -> Bool { nodes[position].node == nil }

  package func forEachParent(at position: Int, _ body: (Int) -> Void) {
    for place in Int(parentStarts[position])..<Int(parentStarts[position + 1]) {
      body(Int(parents[place]))
    }
  }

  package func parentIDs(at position: Int) -> [ObjectID] { nodes[position].order.parents }

  package func appendActionName(at position: Int, to output: inout [UInt8]) {
    if let name = nodes[position].node?.escapedText(.action) {
      output += name
    } else if let action = nodes[position].action {
      output += action.rawValue.utf8
    }
  }

  package func appendWallText(at position: Int, to output: inout [UInt8]) {
    if let text = nodes[position].node?.escapedText(.wall) {
      output += text
    } else {
      wall(at: position).append(to: &output)
    }
  }

  package func appendData(at position: Int, to output: inout [UInt8]) {
    if let node = nodes[position].node { output += node.data }
  }
}
