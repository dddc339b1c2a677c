// A difference for people:
//
//   changed 7a000000-0000-4000-8000-000000000001 Water everything
//       priority 3 -> 4
//       title "Water" -> "Water everything"
//       todo 7b1f2a33 deadline "2025-03-08T00:00:00.000Z" -> "2025-03-09T00:00:00.000Z"

internal import CanonicalJSON
package import RedoHistory
internal import RedoObject
internal import RedoRepository

/// Writes a difference as lines; the last line has no terminator.
package struct DiffText {
  private let difference: TaskDifference
  private let palette: Palette
  private let isRaw: Bool

  /// - Parameters:
  ///   - difference: the difference to write.
  ///   - palette: the colours.
  ///   - isRaw: whether the title is written as it is, line feeds and all.
  package init(_ difference: TaskDifference, _ palette: Palette, isRaw: Bool) {
    self.difference = difference
    self.palette = palette
    self.isRaw = isRaw
  }

  /// Appends the lines.
  ///
  /// - Parameter output: receives them.
  package func append(to output: inout [UInt8]) {
    appendHeading(to: &output)
    guard let after = difference.after else { return }
    let before = difference.before
    let changes = StateChange.between(before, after)
    let start = output.count
    for change in changes where change.todo == nil { append(change, to: &output) }
    for todo in before?.todos.items ?? [] where after.todos.place(of: todo.id) == nil {
      line(todo.id, to: &output)
      output.append("removed")
    }
    if isReordered { output.append("\n    todos are in another order") }
    var last: TaskID?
    for change in changes {
      guard let todo = change.todo, after.todos.place(of: todo) != nil else { continue }
      if todo != last, before?.todos.place(of: todo) == nil {
        line(todo, to: &output)
        output.append("added")
      }
      last = todo
      if !change.name.isEmpty { append(change, to: &output) }
    }
    // Nothing else can differ but when and by whom members were set.
    guard output.count == start, before != nil else { return }
    for change in difference.changes {
      line(change.todo, to: &output)
      output += change.path.dropFirst()
      values(change.old, change.new, to: &output)
    }
  }

  /// Whether the todos that are in both states are in a different order.
  private var isReordered: Bool {
    guard let before = difference.before, let after = difference.after else { return false }
    let stayed = before.todos.items.map(\.id).filter { after.todos.place(of: $0) != nil }
    return stayed != after.todos.items.map(\.id).filter { before.todos.place(of: $0) != nil }
  }

  private func appendHeading(to output: inout [UInt8]) {
    let (verb, role): (StaticString, Palette.Role) =
      difference.before == nil
      ? ("added", .good) : difference.after == nil ? ("removed", .bad) : ("changed", .id)
    palette.paint(role, to: &output) { output in
      output.append(verb)
      output.append(" ")
      difference.task.append(to: &output)
    }
    let title = (difference.after ?? difference.before)?.value(.title) ?? []
    let text = StringEscape.unescape(Array(title.dropFirst().dropLast()).span)
    output.append(" ")
    output += Escape.field(text, isRaw: isRaw).utf8
  }

  private func append(_ change: StateChange, to output: inout [UInt8]) {
    line(change.todo, to: &output)
    output += Escape.text(StringEscape.unescape(change.name.span)).utf8
    values(change.old, change.new, to: &output)
  }

  private func line(_ todo: TaskID?, to output: inout [UInt8]) {
    output.append("\n    ")
    if let todo { output += "todo \(todo.text.prefix(8)) ".utf8 }
  }

  private func values(_ old: [UInt8]?, _ new: [UInt8]?, to output: inout [UInt8]) {
    output.append(" ")
    if let old {
      ValueText.append(old, to: &output)
      output.append(" -> ")
    }
    if let new { ValueText.append(new, to: &output) } else { output.append("none") }
  }
}
