// The heads of each task after a set of nodes has entered the history (protocol, section 2): the
// nodes of a task that are not ancestors of another node of the task, by whatever path.

package import RedoObject

/// How the heads of one task change.
package struct HeadsChange: Sendable {
  /// The task; `nil` for the nodes without one.
  package let task: TaskID?
  /// Heads that got a descendant in the task.
  package var removed: [ObjectID] = []
  /// New heads.
  package var added: [ObjectID] = []

  /// Notes a head that got a descendant, once.
  fileprivate mutating func remove(_ id: ObjectID) {
    if !removed.contains(id) { removed.append(id) }
  }
}

extension Admission {
  /// Computes the changes of all heads.
  ///
  /// Tasks travel from the newest nodes to the oldest: each node learns which tasks have nodes
  /// above it. A task stops travelling at its first node in the set, so that the sets stay small
  /// even where one task's log hangs on another's.
  ///
  /// Nodes of the set that are in the history already change nothing.
  ///
  /// - Parameters:
  ///   - heads: the present heads of a task.
  ///   - lookUp: what is known of a node; asked for parents outside of the set, and for nodes of
  ///     the set that would become heads of a task that has some.
  /// - Returns: the changes, without tasks that do not change.
  /// - Throws: what the closures throw.
  package func headsChanges<Failure: Error>(
    heads: (TaskID?) throws(Failure) -> [ObjectID],
    lookUp: (ObjectID) throws(Failure) -> KnownNode?
  ) throws(Failure) -> [HeadsChange] {
    let places = parentPositions()
    let order = topologicalOrder(places)
    var rank = [Int32](repeating: 0, count: count)
    for (place, position) in order.enumerated() { rank[Int(position)] = Int32(place) }
    var present: [Set<ObjectID>] = []
    var changes: [HeadsChange] = []
    for task in taskIDs {
      present.append(Set(try heads(task)))
      changes.append(HeadsChange(task: task))
    }
    var first = [Int32](repeating: .max, count: taskIDs.count)
    for position in 0..<count {
      first[task(at: position)] = min(first[task(at: position)], rank[position])
    }

    var above = [Set<Int32>?](repeating: nil, count: count)
    var reached: [ObjectID: Set<Int32>] = [:]
    for position in order.reversed().map(Int.init) {
      let own = task(at: position)
      let id = ids[position]
      var tasks = above[position] ?? []
      above[position] = nil
      if present[own].contains(id) {
        if tasks.contains(Int32(own)) { changes[own].removed.append(id) }
      } else if !tasks.contains(Int32(own)) {
        // A node that follows a present head of its task is not in the history yet; any other may be.
        let isNew =
          present[own].isEmpty || parents(at: position).contains { present[own].contains($0) }
        let known = isNew ? nil : try lookUp(id)
        if known?.isInHistory != true { changes[own].added.append(id) }
      }
      tasks.insert(Int32(own))
      if tasks.count > 1 || present[own].isEmpty {
        tasks = tasks.filter {
          first[Int($0)] < rank[position] || !present[Int($0)].isEmpty
        }
      }
      guard !tasks.isEmpty else { continue }
      for (parent, place) in zip(parents(at: position), places[parentRange(at: position)]) {
        if place < 0 {
          reached[parent, default: []].formUnion(tasks)
        } else if above[Int(place)] == nil {
          above[Int(place)] = tasks
        } else {
          above[Int(place)]?.formUnion(tasks)
        }
      }
    }
    try dropReached(reached, present, &changes, lookUp)
    return changes.compactMap { change in
      var change = change
      change.added.sort()
      change.removed.sort()
      return change.added.isEmpty && change.removed.isEmpty ? nil : change
    }
  }

  /// Drops present heads that lie below nodes of their task in the set.
  ///
  /// `reached` are the nodes outside of the set that nodes of it have as parents, each with the
  /// tasks that have nodes above it.
  private func dropReached<Failure: Error>(
    _ reached: [ObjectID: Set<Int32>], _ present: [Set<ObjectID>], _ changes: inout [HeadsChange],
    _ lookUp: (ObjectID) throws(Failure) -> KnownNode?
  ) throws(Failure) {
    var walk: [ObjectID: Set<Int32>] = [:]
    for (parent, tasks) in reached {
      var sought: Set<Int32> = []
      for task in tasks where !present[Int(task)].isEmpty {
        if present[Int(task)].contains(parent) {
          changes[Int(task)].remove(parent)
        } else {
          sought.insert(task)
        }
      }
      if !sought.isEmpty { walk[parent] = sought }
    }
    try dropAncestors(of: walk, present, &changes, lookUp)
  }

  /// Walks the history below nodes of other tasks, in search of heads of the tasks above them.
  ///
  /// A task is not searched for below one of its own nodes: none of its heads can lie there, or it would not be a
  /// head. A node is looked at again only for tasks that were not searched for there before.
  private func dropAncestors<Failure: Error>(
    of starts: [ObjectID: Set<Int32>], _ present: [Set<ObjectID>],
    _ changes: inout [HeadsChange], _ lookUp: (ObjectID) throws(Failure) -> KnownNode?
  ) throws(Failure) {
    var pending = starts.map { (id: $0.key, tasks: $0.value) }
    var seen: [ObjectID: Set<Int32>] = starts
    while let (id, above) = pending.popLast() {
      var tasks = above
      for task in tasks where present[Int(task)].contains(id) {
        changes[Int(task)].remove(id)
      }
      guard let node = try lookUp(id) else { continue }
      tasks.remove(taskPosition(node.task))
      for parent in node.parents {
        let new = tasks.subtracting(seen[parent] ?? [])
        if new.isEmpty { continue }
        seen[parent, default: []].formUnion(new)
        pending.append((parent, new))
      }
    }
  }

  private func taskPosition(_ task: TaskID?) -> Int32 {
    taskPositions[task] ?? -1
  }

  /// The positions of the set, parents first.
  func topologicalOrder() -> [Int32] { topologicalOrder(parentPositions()) }

  /// The same, where the positions of the parents are known.
  private func topologicalOrder(_ places: [Int32]) -> [Int32] {
    // Mostly they came in such an order.
    let isOrdered = (0..<count).allSatisfy { position in
      places[parentRange(at: position)].allSatisfy { Int($0) < position }
    }
    guard !isOrdered else { return Array(0..<Int32(count)) }
    var waiting = [Int32](repeating: 0, count: count)
    var childStarts = [Int32](repeating: 0, count: count + 1)
    for position in 0..<count {
      for place in places[parentRange(at: position)] where place >= 0 {
        waiting[position] += 1
        childStarts[Int(place) + 1] += 1
      }
    }
    for position in 0..<count { childStarts[position + 1] += childStarts[position] }
    var children = [Int32](repeating: 0, count: Int(childStarts[count]))
    var fill = childStarts
    for position in 0..<count {
      for place in places[parentRange(at: position)] where place >= 0 {
        children[Int(fill[Int(place)])] = Int32(position)
        fill[Int(place)] += 1
      }
    }
    var order: [Int32] = []
    order.reserveCapacity(count)
    for position in 0..<count where waiting[position] == 0 { order.append(Int32(position)) }
    var next = 0
    while next < order.count {
      let position = Int(order[next])
      next += 1
      for child in children[Int(childStarts[position])..<Int(childStarts[position + 1])] {
        waiting[Int(child)] -= 1
        if waiting[Int(child)] == 0 { order.append(child) }
      }
    }
    precondition(order.count == count, "BUG: a cycle, which no hash can have")
    return order
  }
}
