// Broken branches and DELETE (protocol, section 3): which nodes of a task replay takes.
//
//   1. broken nodes are removed, with their descendants in the task
//   2. so are the nodes that descend from a DELETE of the task
//   3. of the rest, a node is a living head if it is not a DELETE and no other of the rest descends from it
//   4. the living heads and their ancestors count

internal import RedoObject

/// The part that a node of a task plays in its state.
enum BranchStanding {
  case taken
  /// A DELETE that nothing came before: it says something, and changes no state.
  case tombstone
  case skipped(SkipReason)
}

/// What is known of a node of a task from its relatives.
private struct BranchMarks {
  var isBroken = false
  var isAfterDelete = false
  var hasDescendant = false
  var isTaken = false

  var isOfRest: Bool { !isBroken && !isAfterDelete }
}

extension Replay {
  /// The parts that the nodes of a task play.
  ///
  /// - Complexity: O(*k*) in the task's nodes; with parents in other tasks, also in the nodes of those
  ///   between.
  mutating func standings(of own: ArraySlice<Int32>, task: Int) -> [BranchStanding] {
    let floor = cut.place(of: Int(own[own.startIndex]))
    var index: [Int32: Int] = [:]
    for (place, position) in own.enumerated() { index[position] = place }
    var parents: [[Int]] = []
    parents.reserveCapacity(own.count)
    for position in own {
      let nearest = ancestry.nearest(to: Int(position), task: task, notBefore: floor)
      parents.append(nearest.compactMap { index[$0] })
    }
    var marks = [BranchMarks](repeating: BranchMarks(), count: own.count)
    for (place, position) in own.enumerated() {
      marks[place].isBroken = log.isBroken(at: Int(position))
      for parent in parents[place] {
        let isDelete = isDelete(Int(own[own.startIndex + parent]))
        if marks[parent].isBroken { marks[place].isBroken = true }
        if marks[parent].isAfterDelete || isDelete { marks[place].isAfterDelete = true }
      }
    }
    for place in own.indices.reversed().map({ $0 - own.startIndex }) {
      let isDelete = isDelete(Int(own[own.startIndex + place]))
      if marks[place].isOfRest, !isDelete, !marks[place].hasDescendant {
        marks[place].isTaken = true
      }
      for parent in parents[place] {
        if marks[place].isOfRest || marks[place].hasDescendant {
          marks[parent].hasDescendant = true
        }
        if marks[place].isTaken { marks[parent].isTaken = true }
      }
    }
    return zip(own, marks).map { position, marks in
      if marks.isBroken { return .skipped(.brokenBranch) }
      if marks.isAfterDelete { return .skipped(.afterDelete) }
      if marks.isTaken { return .taken }
      return isDelete(Int(position)) ? .tombstone : .skipped(.notLiving)
    }
  }

  private func isDelete(_ position: Int) -> Bool { log.action(at: position) == .delete }
}
