// What a recovery in place, a revert or an undo does to the tasks, and what it cannot take back:
//
//   {"new":3,"old":5,"op":"replace","path":"/priority","task":"7a00..."}
//   {"new":"a","old":"a\nb","path":"/notes","task":"7a00...","todo":"7b00...","why":"appended-notes"}
//   {"task":"7c00...","why":"made-since"}

internal import CanonicalJSON
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// Writes plans.
enum RestoreText {
  /// Prints a plan: what `redo diff` prints of the states before and after it; with `--json` also what is lost.
  static func show(
    _ plan: RestorePlan, _ options: ParsedOptions, _ context: inout Context
  ) throws {
    let end = options.rowEnd
    let palette = Palette()
    var output: [UInt8] = []
    for task in plan.tasks {
      if let difference = TaskDifference(task.task, task.before, task.after) {
        if options.has(.json) {
          DiffRow.append(difference, nil, end: end, to: &output)
        } else {
          DiffText(difference, palette, nil, showsAll: true, isRaw: end == 0).append(to: &output)
          output.append(end)
        }
      }
      if options.has(.json) {
        for lost in task.lost {
          append(lost, of: task.task, to: &output)
          output.append(end)
        }
      }
      try context.output.write(output)
      output.removeAll(keepingCapacity: true)
    }
    guard options.has(.json) else { return }
    for task in plan.kept {
      var row = JSONRow()
      row.add("task", task.text)
      row.add("why", "made-since")
      row.append(to: &output)
      output.append(end)
    }
    try context.output.write(output)
  }

  private static func append(
    _ lost: TaskRestoration.Lost, of task: TaskID, to output: inout [UInt8]
  ) {
    var row = JSONRow()
    if let instead = lost.instead { row.add("instead", instead.text) }
    if let new = lost.change.new { row.add("new", json: new) }
    if let old = lost.change.old { row.add("old", json: old) }
    row.add("path", escaped: lost.change.path)
    row.add("task", task.text)
    if let todo = lost.change.todo { row.add("todo", todo.text) }
    row.add("why", lost.obstacle.rawValue)
    row.append(to: &output)
  }

  /// Lists what cannot be taken back.
  static func sayLost(_ plan: RestorePlan, _ context: inout Context) {
    for task in plan.tasks {
      for lost in task.lost where lost.isValue {
        context.warning("cannot take back \(words(lost, of: task.task))")
      }
    }
  }

  /// Lists the tasks that are not as a plan says; whether there are none.
  static func isDone(_ missed: [TaskID], _ context: inout Context) -> Bool {
    context.errors(missed, summary: "tasks were changed meanwhile") { task in
      context.error("task '\(task.text)' was changed meanwhile, and is not as planned")
    }
    return missed.isEmpty
  }

  /// Says how much is done.
  ///
  /// - Parameters:
  ///   - plan: the plan.
  ///   - verb: what is done to the tasks, such as `recovered`.
  ///   - context: receives the line.
  static func sayCount(_ plan: RestorePlan, _ verb: String, _ context: inout Context) {
    let tasks = plan.tasks.count { !$0.steps.isEmpty }
    let steps = plan.tasks.reduce(0) { $0 + $1.steps.count }
    context.note(
      "\(verb) \(tasks) task\(tasks == 1 ? "" : "s") by \(steps) change\(steps == 1 ? "" : "s")")
  }

  /// A line about what cannot be taken back.
  static func words(_ lost: TaskRestoration.Lost, of task: TaskID) -> String {
    var text: [UInt8] = Array("\(task.text) ".utf8)
    if let todo = lost.change.todo { text += "todo \(todo.text) ".utf8 }
    let name = lost.change.path.split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? []
    if !name.isEmpty {
      text += "\(Escape.text(StringEscape.unescape(name.span))) ".utf8
      if let old = lost.change.old { ValueText.append(old, to: &text) } else { text += "none".utf8 }
      text += " -> ".utf8
      if let new = lost.change.new { ValueText.append(new, to: &text) } else { text += "none".utf8 }
      text += " ".utf8
    }
    text += "(\(lost.obstacle.rawValue)".utf8
    if let instead = lost.instead { text += ", in its place \(instead.text)".utf8 }
    return String(decoding: text, as: UTF8.self) + ")"
  }
}
