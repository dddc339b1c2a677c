// Nodes without effect, for programs and for people: `<id> <reason> <action> <task> <todo>`.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// Writes what has no effect.
enum SkipRow {
  /// Writes a row.
  static func write(
    _ skip: Skip, _ log: some HistoryLog, isJSON: Bool, end: UInt8, _ context: inout Context
  ) throws {
    try context.output.append { output throws in
      if isJSON {
        appendJSON(skip, log, to: &output)
      } else {
        append(skip, log, to: &output)
      }
      output.append(end)
    }
  }

  private static func append(_ skip: Skip, _ log: some HistoryLog, to output: inout [UInt8]) {
    log.id(at: skip.position).append(to: &output)
    output += " \(skip.reason.rawValue) ".utf8
    let start = output.count
    log.appendActionName(at: skip.position, to: &output)
    if output.count == start { output.append("-") }
    output += " \(task(skip, log) ?? "-") \(skip.todo?.text ?? "-")".utf8
  }

  private static func appendJSON(_ skip: Skip, _ log: some HistoryLog, to output: inout [UInt8]) {
    var row = JSONRow()
    var action: [UInt8] = []
    log.appendActionName(at: skip.position, to: &action)
    row.addIfAny("action", String(decoding: action, as: UTF8.self))
    row.addIfAny("code", code(skip, log))
    row.addIfAny("id", log.id(at: skip.position).text)
    row.addIfAny("reason", skip.reason.rawValue)
    row.addIfAny("task", task(skip, log))
    row.addIfAny("todo", skip.todo?.text)
    row.append(to: &output)
  }

  /// Warns of anything but the usual end of a deleted branch: one line per reason.
  static func warn(_ skips: [Skip], _ log: some HistoryLog, _ context: inout Context) {
    for reason in SkipReason.allCases {
      let found = skips.filter { $0.reason == reason }
      guard let first = found.first else { continue }
      let code = found.lazy.compactMap { Self.code($0, log) }.first
      warn(reason, found.count, log.id(at: first.position), code, &context)
    }
  }

  /// Warns of anything but the usual end of a deleted branch, when no node is broken.
  static func warn(_ skips: [SkipTally], _ context: inout Context) {
    for skip in skips { warn(skip.reason, skip.count, skip.first, skip.reason.code, &context) }
  }

  private static func warn(
    _ reason: SkipReason, _ number: Int, _ first: ObjectID, _ code: String?,
    _ context: inout Context
  ) {
    guard !reason.isUsual else { return }
    let count = number == 1 ? "a node has" : "\(number) nodes have"
    var text = "\(count) no effect: \(reason.rawValue); "
    text += number == 1 ? "it" : "the first"
    text += " is '\(first.text)'"
    if let code { text += " [\(code)]" }
    context.warning(text)
  }

  /// The code that the protocol's documents give to it; descendants of a broken node break no
  /// rule themselves, so they have none.
  private static func code(_ skip: Skip, _ log: some HistoryLog) -> String? {
    skip.reason == .brokenBranch && !log.isBroken(at: skip.position) ? nil : skip.reason.code
  }

  private static func task(_ skip: Skip, _ log: some HistoryLog) -> String? {
    let task = log.task(at: skip.position)
    return task < 0 ? nil : log.taskID(task).text
  }
}

/// The stages of a replay and their counts, on standard error.
struct StateTrace {
  let isWanted: Bool

  /// Reports what was read.
  func begin(
    _ log: some HistoryLog, _ source: StateSource, _ cut: Cut, _ context: inout Context
  ) {
    guard isWanted else { return }
    let from =
      source.opened == nil
      ? "standard input" : "\(source.tipCount) tip\(source.tipCount == 1 ? "" : "s")"
    context.note("load: \(log.count) nodes from \(from)")
    context.note(
      "validate: \(log.count - source.brokenCount) valid, \(source.brokenCount) broken")
    context.note("order: \(log.count) nodes of \(log.taskCount) tasks")
    if !cut.isWhole { context.note("cut: \(cut.count) nodes") }
  }

  /// Reports which snapshot was used, and what still had to be replayed.
  func note(
    _ snapshot: StateSnapshot, of nodes: Int, tasks: Int, replayed: Int, _ context: inout Context
  ) {
    guard isWanted else { return }
    context.note(
      "snapshot: \(snapshot.name.hex) has \(snapshot.nodeCount) of \(nodes) nodes; "
        + "\(replayed) of \(tasks) tasks are replayed")
  }

  /// Reports the result when a snapshot was used.
  func end(_ skips: [SkipTally], tasks: Int, states: Int, _ context: inout Context) {
    end(skips.map { ($0.reason, $0.count) }, tasks, states, &context)
  }

  /// Reports the result.
  func end(_ skips: [Skip], tasks: Int, states: Int, _ context: inout Context) {
    let counts = SkipReason.allCases.map { reason in (reason, skips.count { $0.reason == reason }) }
    end(counts.filter { $0.1 > 0 }, tasks, states, &context)
  }

  private func end(
    _ skips: [(reason: SkipReason, count: Int)], _ tasks: Int, _ states: Int,
    _ context: inout Context
  ) {
    guard isWanted else { return }
    let count = skips.reduce(0) { $0 + $1.count }
    context.note("replay: \(tasks) tasks, \(states) in the state, \(count) skips")
    for skip in skips { context.note("skip: \(skip.count) \(skip.reason.rawValue)") }
  }
}
