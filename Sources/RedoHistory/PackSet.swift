// Objects of one kind that are to be packed together, and that need be no closed history: what their order depends on,
// and nothing else of them.

package import RedoObject

/// A set of nodes, or of objects of another kind, and the order in which they are packed.
///
/// It takes about 150 bytes a node.
package struct PackSet {
  private var numbers: [ObjectID: Int32] = [:]
  private var ids: [ObjectID] = []
  private var parentStarts: [Int32] = [0]
  private var parents: [ObjectID] = []
  private var clocks: [(lamport: Lamport, wall: WallTime)] = []
  private var tasks: [Int32] = []
  private var taskNumbers: [TaskID: Int32] = [:]

  /// No nodes yet.
  package init() {}

  /// The number of nodes.
  package var count: Int { ids.count }

  /// Makes room for this many nodes.
  package mutating func reserve(_ count: Int) {
    numbers.reserveCapacity(count)
    ids.reserveCapacity(count)
    clocks.reserveCapacity(count)
    tasks.reserveCapacity(count)
  }

  /// The number under which a node was added; `nil` when it was not.
  package func number(of id: ObjectID) -> Int? { numbers[id].map { Int($0) } }

  /// The node of a number.
  package func id(_ number: Int) -> ObjectID { ids[number] }

  /// Adds a node.
  ///
  /// - Parameters:
  ///   - id: the node.
  ///   - place: where it stands.
  /// - Returns: `false` when it was there already.
  @discardableResult
  package mutating func add(_ id: ObjectID, _ place: HistoryPlace) -> Bool {
    guard numbers[id] == nil else { return false }
    numbers[id] = Int32(ids.count)
    ids.append(id)
    parents += place.parents
    parentStarts.append(Int32(parents.count))
    clocks.append((place.lamport, place.wall))
    var task: Int32 = 0
    if let id = place.taskID {
      // Nodes without a task, and objects of other kinds, are of task 0.
      task = taskNumbers[id] ?? Int32(taskNumbers.count + 1)
      taskNumbers[id] = task
    }
    tasks.append(task)
    return true
  }

  /// The parents of a node.
  package func parents(_ number: Int) -> ArraySlice<ObjectID> {
    parents[Int(parentStarts[number])..<Int(parentStarts[number + 1])]
  }

  /// The logical time of a node.
  package func lamport(_ number: Int) -> Lamport { clocks[number].lamport }

  /// The wall time of a node.
  package func wall(_ number: Int) -> WallTime { clocks[number].wall }

  /// Sorts some of the nodes as a pack has them; see `PackOrder`.
  ///
  /// - Parameter isMember: whether a node is one of them.
  /// - Returns: their numbers.
  /// - Complexity: O(*n* log *n*).
  package func order(of isMember: (Int) -> Bool) -> [Int] {
    let members = (0..<count).filter(isMember)
    var index = [Int32](repeating: -1, count: count)
    for (place, number) in members.enumerated() { index[number] = Int32(place) }
    // The parents that are members, by their indexes.
    var starts: [Int32] = [0]
    starts.reserveCapacity(members.count + 1)
    var known: [Int32] = []
    for number in members {
      for parent in parents(number) {
        if let parent = numbers[parent], index[Int(parent)] >= 0 {
          known.append(index[Int(parent)])
        }
      }
      starts.append(Int32(known.count))
    }
    let total = TotalOrder.positions(
      count: members.count, isBefore: { isBefore(members[$0], members[$1]) },
      forEachParent: { member, body in
        for parent in known[Int(starts[member])..<Int(starts[member + 1])] { body(Int(parent)) }
      })
    var places = [Int32](repeating: 0, count: members.count)
    for (place, member) in total.enumerated() { places[member] = Int32(place) }
    return PackOrder.places(
      count: members.count, taskCount: taskNumbers.count + 1,
      task: { Int(tasks[members[total[$0]]]) },
      forEachParent: { place, body in
        let member = total[place]
        for parent in known[Int(starts[member])..<Int(starts[member + 1])] {
          body(Int(places[Int(parent)]))
        }
      }
    ).map { members[total[$0]] }
  }

  private func isBefore(_ one: Int, _ other: Int) -> Bool {
    let (left, right) = (clocks[one], clocks[other])
    if left.lamport != right.lamport { return left.lamport < right.lamport }
    if left.wall != right.wall { return left.wall < right.wall }
    return ids[one] < ids[other]
  }
}
