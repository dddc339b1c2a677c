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
  private let names: RecordNames?
  private let showsAll: Bool

  /// - Parameters:
  ///   - difference: the difference to write.
  ///   - palette: the colours.
  ///   - names: what members are called for people, if it is a record.
  ///   - showsAll: whether fields of records that are hidden are shown as well.
  ///   - isRaw: whether the title is written as it is, line feeds and all.
  package init(
    _ difference: TaskDifference, _ palette: Palette, _ names: RecordNames?, showsAll: Bool,
    isRaw: Bool
  ) {
    self.names = names
    self.showsAll = showsAll
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
    appendOwn(changes.filter { $0.todo == nil }, to: &output)
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

  /// Appends the changes of the task itself: those of fields of a record in the order of its schema, after the others.
  private func appendOwn(_ changes: [StateChange], to output: inout [UInt8]) {
    var named: [(change: StateChange, name: RecordNames.Name)] = []
    for change in changes {
      if let name = names?.name(of: change.name, change.new ?? change.old) {
        named.append((change, name))
      } else {
        append(change, to: &output)
      }
    }
    var hidden = 0
    for (change, name) in named.sorted(by: { $0.name.place < $1.name.place }) {
      guard showsAll || name.visibility != .hidden else {
        hidden += 1
        continue
      }
      append(change, name, to: &output)
    }
    if hidden > 0 { output += "\n    \(RecordLabel.hidden(hidden))".utf8 }
  }

  private func append(
    _ change: StateChange, _ name: RecordNames.Name? = nil, to output: inout [UInt8]
  ) {
    line(change.todo, to: &output)
    let key = Escape.text(StringEscape.unescape(change.name.span))
    output += (name.map { RecordLabel.text($0, key) } ?? key).utf8
    func plain(_ value: [UInt8]?) -> [UInt8]? {
      value.map { name == nil ? $0 : names?.value(of: change.name, $0) ?? $0 }
    }
    values(plain(change.old), plain(change.new), to: &output)
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
