// The rows of tasks, todos and nodes: a state as `redo state --json` prints it, its members a column each.

internal import CanonicalJSON
package import RedoHistory
package import RedoObject

extension SQLIndexRows {
  /// A column of a task or todo, and the member that it has.
  private struct Column {
    let name: StaticString
    /// The member; the whole value where it is `nil`.
    let member: StaticString?
    /// Whether the column has the JSON text of the member.
    var isText = false

    static let json = Column(name: "json", member: nil, isText: true)
  }

  private static let taskColumns = [
    Column(name: "archived", member: "archived"),
    Column(name: "completed_at", member: "completedAt"),
    Column(name: "created", member: "created"),
    Column(name: "defaulted", member: "defaulted", isText: true),
    Column(name: "description", member: "description"),
    Column(name: "fields", member: "fields", isText: true),
    Column(name: "frequency_days", member: "frequencyDays"),
    Column(name: "guid", member: "guid"), .json,
    Column(name: "last_updated", member: "lastUpdated"),
    Column(name: "priority", member: "priority"),
    Column(name: "privacy", member: "privacy"),
    Column(name: "story_points", member: "storyPoints"),
    Column(name: "title", member: "title"),
    Column(name: "todo_tasks", member: "todoTasks", isText: true),
    Column(name: "user_id", member: "userId"),
  ]
  private static let todoColumns = [
    Column(name: "completed", member: "completed"), Column(name: "deadline", member: "deadline"),
    Column(name: "guid", member: "guid"), .json, Column(name: "notes", member: "notes"),
    Column(name: "task", member: "redoParentGuid"),
  ]

  /// A task and its todos.
  ///
  /// - Parameter state: the state of the task.
  /// - Returns: their lines, the task first.
  package static func lines(of state: TaskState) -> [UInt8] {
    var text: [UInt8] = []
    state.appendJSON(to: &text)
    guard let document = try? JSONDocument(text) else { return [] }
    var lines = put("tasks", row(of: document.root, taskColumns, title: nil))
    guard let todos = document.root["todoTasks"] else { return lines }
    for index in todos.elementIndices {
      let todo = todos.value(at: index)
      // A todo has no title of its own in the protocol, but many have one among their other members.
      var title: [UInt8]?
      if let told = todo["fields"]?["title"], told.isString { title = told.bytes }
      lines += put("todos", row(of: todo, todoColumns, title: title))
    }
    return lines
  }

  private static func row(
    of value: JSONValue, _ columns: [Column], title: [UInt8]?
  ) -> [UInt8] {
    var row = [UInt8(ascii: "{")]
    for column in columns {
      var text: [UInt8]?
      if let name = column.member { text = value[name]?.bytes } else { text = value.bytes }
      guard let text else { continue }
      if row.count > 1 { row.append(UInt8(ascii: ",")) }
      row += "\"\(column.name)\":".utf8
      if column.isText { JSONWriter.appendString(text.span, to: &row) } else { row += text }
    }
    if let title {
      row += ",\"title\":".utf8
      row += title
    }
    row.append(UInt8(ascii: "}"))
    return row
  }

  /// Takes a task out, with its todos.
  package static func delete(task: TaskID) -> [UInt8] {
    delete("tasks", [("guid", task.text)])
  }

  /// A node.
  ///
  /// - Parameters:
  ///   - position: where it is in a log.
  ///   - log: the log.
  ///   - device: the device that made it, as it says: JSON without quotes.
  ///   - letter: the letter of the verdict on its signature.
  /// - Returns: its line.
  package static func node(
    at position: Int, in log: some HistoryLog, device: [UInt8]?, letter: Unicode.Scalar
  ) -> [UInt8] {
    var row: [UInt8] = []
    let task = log.task(at: position)
    JSONWriter.append(to: &row) { json in
      json.object { json in
        json.name("action")
        json.value(escaped: { log.appendActionName(at: position, to: &$0) })
        json.name("author")
        json.value(escaped: { log.author(at: position).append(to: &$0) })
        if let device { json.add("device", escaped: device) }
        json.name("id")
        json.value(escaped: { log.id(at: position).append(to: &$0) })
        json.add("lamport", log.lamport(at: position).value)
        json.add("letter", "\(letter)")
        json.name("parents")
        json.value(escaped: { output in
          output.append(UInt8(ascii: "["))
          for (place, parent) in log.parentIDs(at: position).enumerated() {
            if place > 0 { output.append(UInt8(ascii: ",")) }
            output += "\\\"".utf8
            parent.append(to: &output)
            output += "\\\"".utf8
          }
          output.append(UInt8(ascii: "]"))
        })
        if let received = log.received(at: position) {
          json.add("received_at", json: LocalRow.json(time: received))
        }
        if task >= 0 {
          json.name("task")
          json.value(escaped: { log.taskID(task).append(to: &$0) })
        }
        json.name("wall")
        json.value(escaped: { log.appendWallText(at: position, to: &$0) })
      }
    }
    return put("nodes", row)
  }
}
