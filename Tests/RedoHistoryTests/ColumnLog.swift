// A log of computed columns: histories too large to decode node by node in a test, and a second conformer to
// HistoryLog beside NodeHistory.

import RedoCrypto
import RedoHistory
import RedoObject

/// A log whose nodes are described by a few values each; lamports are positions.
struct ColumnLog: HistoryLog, Sendable {
  struct Row {
    var action: Action = .update
    var parents: [Int32] = []
    var task: Int32 = 0
    var data: StaticString = #"{"fields":{"priority":2}}"#
    var isBroken = false
  }

  var rows: [Row]
  var taskCount: Int

  var count: Int { rows.count }

  func taskID(_ index: Int) -> TaskID {
    var bytes = InlineArray<16, UInt8>(repeating: 0)
    for place in 0..<4 { bytes[place] = UInt8(truncatingIfNeeded: index >> (24 - 8 * place)) }
    return TaskID(bytes: bytes)
  }

  func id(at position: Int) -> ObjectID {
    var bytes = InlineArray<32, UInt8>(repeating: 0)
    for place in 0..<8 { bytes[place] = UInt8(truncatingIfNeeded: position >> (56 - 8 * place)) }
    return ObjectID(digest: Digest(bytes: bytes))
  }

  func position(of id: ObjectID) -> Int? {
    (0..<8).reduce(0) { $0 << 8 | Int(id[$1]) }
  }

  func lamport(at position: Int) -> Lamport {
    guard let lamport = Lamport(UInt64(position + 1)) else { preconditionFailure("too many nodes") }
    return lamport
  }

  func wall(at position: Int) -> WallTime { WallTime(milliseconds: Int64(position) * 1000) }
  func received(at position: Int) -> Int64? { nil }
  func action(at position: Int) -> Action? { rows[position].action }
  func task(at position: Int) -> Int { Int(rows[position].task) }
  func author(at position: Int) -> UserID { .none }
  func isBroken(at position: Int) -> Bool { rows[position].isBroken }

  func forEachParent(at position: Int, _ body: (Int) -> Void) {
    for parent in rows[position].parents { body(Int(parent)) }
  }

  func parentIDs(at position: Int) -> [ObjectID] {
    rows[position].parents.map { id(at: Int($0)) }
  }

  func appendActionName(at position: Int, to output: inout [UInt8]) {
    output += rows[position].action.rawValue.utf8
  }

  func appendWallText(at position: Int, to output: inout [UInt8]) {
    wall(at: position).append(to: &output)
  }

  func appendData(at position: Int, to output: inout [UInt8]) {
    output.append(rows[position].data)
  }

  func dataCount(at position: Int) -> Int { rows[position].data.utf8CodeUnitCount }

  /// A CREATE, followed by a chain of changes of one task.
  static func chain(_ count: Int) -> ColumnLog {
    var log = ColumnLog(rows: [], taskCount: 1)
    log.rows.append(Row(action: .create, data: #"{"fields":{"title":"a"}}"#))
    for position in 1..<count { log.rows.append(Row(parents: [Int32(position - 1)])) }
    return log
  }
}

/// A log that notes how far down its parents were asked for.
struct ReadLog: HistoryLog {
  final class Lowest {
    var value = Int.max
  }

  let log: ColumnLog
  let lowest = Lowest()

  var count: Int { log.count }
  var taskCount: Int { log.taskCount }
  func taskID(_ index: Int) -> TaskID { log.taskID(index) }
  func id(at position: Int) -> ObjectID { log.id(at: position) }
  func position(of id: ObjectID) -> Int? { log.position(of: id) }
  func lamport(at position: Int) -> Lamport { log.lamport(at: position) }
  func wall(at position: Int) -> WallTime { log.wall(at: position) }
  func received(at position: Int) -> Int64? { log.received(at: position) }
  func action(at position: Int) -> Action? { log.action(at: position) }
  func task(at position: Int) -> Int { log.task(at: position) }
  func author(at position: Int) -> UserID { log.author(at: position) }
  func isBroken(at position: Int) -> Bool { log.isBroken(at: position) }
  func parentIDs(at position: Int) -> [ObjectID] { log.parentIDs(at: position) }
  func appendActionName(at position: Int, to output: inout [UInt8]) {
    log.appendActionName(at: position, to: &output)
  }
  func appendWallText(at position: Int, to output: inout [UInt8]) {
    log.appendWallText(at: position, to: &output)
  }
  func appendData(at position: Int, to output: inout [UInt8]) {
    log.appendData(at: position, to: &output)
  }
  func dataCount(at position: Int) -> Int { log.dataCount(at: position) }

  func forEachParent(at position: Int, _ body: (Int) -> Void) {
    lowest.value = min(lowest.value, position)
    log.forEachParent(at: position, body)
  }
}
