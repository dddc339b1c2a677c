// The living heads of a task (protocol, section 3, DELETE): what a new node of the task follows, and
// what replay takes with its ancestors.
//
//   1. nodes that are broken are removed, with their descendants in the task
//   2. so are the nodes that descend from a DELETE of the task
//   3. of the rest, a node is a living head if it is not a DELETE and no other of the rest descends from it

package import RedoObject

/// What the living heads depend on, of one node.
package struct TaskNode: Sendable {
  /// Its place in the order.
  package let order: OrderEntry
  /// Its task.
  package let task: TaskID?
  /// Whether it is a DELETE.
  package let isDelete: Bool
  /// Whether it should not have been accepted.
  package let isBroken: Bool

  /// What a node says.
  package init(_ node: Node) {
    order = OrderEntry(node)
    task = node.taskID
    isDelete = node.action == .delete
    isBroken = false
  }

  /// A node of its parts.
  package init(order: OrderEntry, task: TaskID?, isDelete: Bool, isBroken: Bool) {
    self.order = order
    self.task = task
    self.isDelete = isDelete
    self.isBroken = isBroken
  }
}

/// The living heads of one task.
package struct LivingHeads: Sendable {
  /// The heads in total order; none when the task is deleted or was never there.
  package let heads: [OrderEntry]
  /// The nodes of the task that were looked at, in total order.
  package let chain: [ObjectID]

  /// Finds the living heads.
  ///
  /// Every ancestor counts, also through nodes of other tasks.
  ///
  /// - Parameters:
  ///   - task: the task; `nil` for the nodes without one.
  ///   - tips: its heads in the history.
  ///   - lookUp: a node of the history.
  /// - Throws: what `lookUp` throws.
  /// - Complexity: O(*n* log *n*) in the ancestors of the tips, each read once.
  package init<Failure: Error>(
    of task: TaskID?, tips: [ObjectID],
    _ lookUp: (ObjectID) throws(Failure) -> TaskNode
  ) throws(Failure) {
    var nodes: [TaskNode] = []
    var index: [ObjectID: Int] = [:]
    var pending = tips
    while let id = pending.popLast() {
      guard index[id] == nil else { continue }
      let node = try lookUp(id)
      index[id] = nodes.count
      nodes.append(node)
      pending += node.order.parents
    }
    let order = TotalOrder.positions(of: nodes.map(\.order))
    let marks = Self.marks(nodes, order, index, task)
    heads = order.filter { marks[$0].isLiving(nodes[$0]) }.map { nodes[$0].order }
    chain = order.filter { nodes[$0].task == task }.map { nodes[$0].order.id }
  }

  /// What is known of a node from its relatives.
  private struct Marks {
    /// Whether it belongs to the rest: it is of the task, not broken, and does not descend from a DELETE.
    var isOfRest = false
    /// Whether a broken node of the task or a DELETE of the task is at or below it.
    var isCut = false
    /// Whether a node of the rest is above it.
    var hasDescendant = false

    func isLiving(_ node: TaskNode) -> Bool { isOfRest && !node.isDelete && !hasDescendant }
  }

  private static func marks(
    _ nodes: [TaskNode], _ order: [Int], _ index: [ObjectID: Int], _ task: TaskID?
  ) -> [Marks] {
    var marks = [Marks](repeating: Marks(), count: nodes.count)
    for position in order {
      let node = nodes[position]
      var isCut = false
      for parent in node.order.parents {
        if let place = index[parent], marks[place].isCut { isCut = true }
      }
      let isOwn = node.task == task
      marks[position].isOfRest = isOwn && !isCut && !node.isBroken
      marks[position].isCut = isCut || isOwn && (node.isDelete || node.isBroken)
    }
    for position in order.reversed()
    where marks[position].isOfRest || marks[position].hasDescendant {
      for parent in nodes[position].order.parents {
        if let place = index[parent] { marks[place].hasDescendant = true }
      }
    }
    return marks
  }
}
