// A difference for programs: a row a member, or the operations of a patch.
//
//   {"new":4,"old":3,"op":"replace","path":"/priority","task":"7a00..."}
//   {"new":"2025-03-09T00:00:00.000Z","old":...,"op":"replace","path":"/deadline","task":...,"todo":...}

internal import RedoHistory
internal import RedoObject

/// Writes rows.
enum DiffRow {
  /// Appends the rows of a difference, RFC 8785, each with its end.
  static func append(_ difference: TaskDifference, end: UInt8, to output: inout [UInt8]) {
    for change in difference.changes {
      output.append("{")
      if let new = change.new {
        output.append("\"new\":")
        output += new
        output.append(",")
      }
      if let old = change.old {
        output.append("\"old\":")
        output += old
        output.append(",")
      }
      output += "\"op\":\"\(change.operation.rawValue)\",\"path\":\"".utf8
      output += change.path
      output.append("\",\"task\":\"")
      difference.task.append(to: &output)
      if let todo = change.todo {
        output.append("\",\"todo\":\"")
        todo.append(to: &output)
      }
      output.append("\"}")
      output.append(end)
    }
  }
}
