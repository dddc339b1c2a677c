// Nodes of a log as a set that enters a history of its own.

internal import RedoObject

extension Admission {
  /// Some nodes of a log, in total order.
  ///
  /// - Parameters:
  ///   - log: the log.
  ///   - members: for each position whether the node is in the set; the set is closed.
  package init(of log: some HistoryLog, members: [Bool]) {
    precondition(members.count == log.count, "BUG: another log")
    self.init(profile: .v1)
    for position in 0..<log.count where members[position] {
      var parents: [ObjectID] = []
      log.forEachParent(at: position) { parent in
        precondition(parent >= 0 && members[parent], "BUG: the set is not closed")
        parents.append(log.id(at: parent))
      }
      let task = log.task(at: position)
      add(
        log.id(at: position),
        KnownNode(
          task: task < 0 ? nil : log.taskID(task), lamport: log.lamport(at: position),
          parents: parents, isInHistory: false))
    }
  }
}
