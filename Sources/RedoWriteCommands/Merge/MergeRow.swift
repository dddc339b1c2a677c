// A diverged task, as `redo merge --check` lists it.

internal import RedoHistory
internal import RedoObject
internal import RedoShell

/// A diverged task as a line of JSON.
///
///     {"base":"sha256:...","fields":[{"conflict":true,"name":"priority","todo":"...","values":[1,2],
///      "winner":2,"writers":[0,1]}],"heads":["sha256:...","sha256:..."],"task":"..."}
enum MergeRow {
  static func append(_ plan: MergePlan, to output: inout [UInt8]) {
    var row = JSONRow()
    if let base = plan.base { row.add("base", base.text) }
    row.add("fields", plan.fields) { append($0, to: &$1) }
    row.add("heads", plan.parents.map(\.text))
    row.add("task", plan.task.text)
    row.append(to: &output)
  }

  private static func append(_ field: MergePlan.Field, to output: inout [UInt8]) {
    var row = JSONRow()
    row.add("conflict", field.isConflict)
    row.add("name", escaped: field.name)
    if let todo = field.todo { row.add("todo", todo.text) }
    row.add("values", field.values) { $1 += $0 ?? Array("null".utf8) }
    if let winner = field.winner { row.add("winner", json: winner) }
    row.add("writers", field.writers) { $1 += "\($0)".utf8 }
    row.append(to: &output)
  }
}
