// A history as if some of its nodes had never been written. Who descends from whom stays as it was: a node follows
// the nearest ancestors that are left, so that a DELETE still ends what came before a node that is gone.

package import RedoObject

/// A log without some of its nodes; they keep their positions, and belong to no set of it.
package struct LogWithout<Log: HistoryLog>: HistoryLog {
  private let log: Log
  /// For each position whether the node is gone.
  package let isGone: [Bool]
  /// The parents of the nodes that have another parent than before.
  private var changed: [Int32: [Int32]] = [:]

  /// Takes nodes out of a log.
  ///
  /// - Parameters:
  ///   - log: the log.
  ///   - isGone: for each position whether the node is gone.
  /// - Complexity: O(*n*) in nodes and parents, and in what is gone for each node that follows it.
  package init(_ log: Log, isGone: [Bool]) {
    precondition(isGone.count == log.count, "BUG: another log")
    self.log = log
    self.isGone = isGone
    for position in 0..<log.count {
      var parents: [Int32] = []
      var isChanged = false
      log.forEachParent(at: position) { parent in
        if parent >= 0, isGone[parent] {
          isChanged = true
          // What is gone comes earlier, so its own parents are known; a gone root leaves nothing.
          parents += changed[Int32(parent)] ?? Self.parents(of: parent, log)
        } else if parent >= 0 {
          parents.append(Int32(parent))
        }
      }
      guard isChanged else { continue }
      var seen: Set<Int32> = []
      changed[Int32(position)] = parents.filter { seen.insert($0).inserted }
    }
  }

  private static func parents(of position: Int, _ log: Log) -> [Int32] {
    var parents: [Int32] = []
    log.forEachParent(at: position) { if $0 >= 0 { parents.append(Int32($0)) } }
    return parents
  }

  /// The nodes that are left.
  package var cut: Cut { Cut(of: self, members: isGone.map { !$0 }) }

  package var count: Int { log.count }
  package var taskCount: Int { log.taskCount }
  package func taskID(_ index: Int) -> TaskID { log.taskID(index) }
  package func id(at position: Int) -> ObjectID { log.id(at: position) }
  package func position(of id: ObjectID) -> Int? { log.position(of: id) }
  package func lamport(at position: Int) -> Lamport { log.lamport(at: position) }
  package func wall(at position: Int) -> WallTime { log.wall(at: position) }
  package func received(at position: Int) -> Int64? { log.received(at: position) }
  package func action(at position: Int) -> Action? { log.action(at: position) }
  package func task(at position: Int) -> Int { log.task(at: position) }
  package func author(at position: Int) -> UserID { log.author(at: position) }
  package func isBroken(at position: Int) -> Bool { log.isBroken(at: position) }

  package func forEachParent(at position: Int, _ body: (Int) -> Void) {
    guard let parents = changed[Int32(position)] else {
      return log.forEachParent(at: position, body)
    }
    for parent in parents { body(Int(parent)) }
  }

  package func parentIDs(at position: Int) -> [ObjectID] {
    guard let parents = changed[Int32(position)] else { return log.parentIDs(at: position) }
    return parents.map { log.id(at: Int($0)) }
  }

  package func appendActionName(at position: Int, to output: inout [UInt8]) {
    log.appendActionName(at: position, to: &output)
  }
  package func appendWallText(at position: Int, to output: inout [UInt8]) {
    log.appendWallText(at: position, to: &output)
  }
  package func appendData(at position: Int, to output: inout [UInt8]) {
    log.appendData(at: position, to: &output)
  }
  package func dataCount(at position: Int) -> Int { log.dataCount(at: position) }
}
