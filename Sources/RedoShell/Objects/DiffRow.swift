// A difference for programs: one row per member, or the operations of a patch.
//
//   {"new":4,"old":3,"op":"replace","path":"/priority","task":"7a00..."}
//   {"new":"2025-03-09T00:00:00.000Z","old":...,"op":"replace","path":"/deadline","task":...,"todo":...}

package import RedoHistory
internal import RedoObject
internal import RedoRepository

/// Writes rows.
package enum DiffRow {
  /// Appends the rows of a difference as RFC 8785 JSON, each with its terminator.
  ///
  /// - Parameters:
  ///   - difference: the difference.
  ///   - names: what members are called for people, if it is a record.
  ///   - end: the terminator.
  ///   - output: receives the rows.
  package static func append(
    _ difference: TaskDifference, _ names: RecordNames?, end: UInt8, to output: inout [UInt8]
  ) {
    for change in difference.changes {
      var row = JSONRow()
      if change.todo == nil, let name = names?.name(at: change.path, change.new ?? change.old) {
        row.add("displayName", name.text.text)
      }
      if let new = change.new { row.add("new", json: new) }
      if let old = change.old { row.add("old", json: old) }
      row.add("op", change.operation.rawValue)
      row.add("path", escaped: change.path)
      row.add("task", difference.task.text)
      if let todo = change.todo { row.add("todo", todo.text) }
      row.append(to: &output)
      output.append(end)
    }
  }
}
