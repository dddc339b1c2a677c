// redo explain: why a task has the state that it has.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo explain [--field=<name>] [--todo=<todo>] [--as-of=<point>] [--json] <task>`.
enum Explain: Command {
  static let name = "explain"
  static let readsArchives = true
  static let summary = "tell who set each value of a task, and why others lost"
  static var usage: [String] {
    [
      "redo-explain [--field=<name>] [--all-fields] [--todo=<todo>] [--as-of=<point>] [--policy=<policy>]\n"
        + "             [--json] [--color] [-q] [-z] <task>"
    ]
  }

  private static let field = OptionSpec(
    "field", .required("name"), help: "only the members of this name")
  private static let todo = OptionSpec(
    "todo", .required("todo"), help: "only this todo, by its id or the beginning of it")
  static var options: [OptionSpec] {
    [field, todo, .allFields] + State.pointOptions.specs + [
      .json, Palette.option, HistoryGraph.cache, .quiet, .nul,
    ]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let point = try HistoryPoint(options, State.pointOptions, now: context.clock())
    guard options.arguments.count == 1 else {
      throw CommandError.usage(
        options.arguments.isEmpty ? "a task is needed" : "only one task can be explained")
    }
    let opened = try context.effects.openRepository()
    let palette = try context.palette(options, setting: opened.store.config.get("color.ui"))
    let name = options.arguments[0]
    let task =
      if let id = TaskID(Array(name.utf8).span) { id } else { try TaskName.one(name, opened) }
    let tips = try HistoryLoad.heads(opened, tasks: [task])
    guard !tips.isEmpty else { throw CommandError.fatal("no change is about task '\(task.text)'") }

    // A damaged index is noticed before anything is printed; then the nodes themselves are read instead.
    for usesCache in [options.flag(HistoryGraph.cache) ?? true, false] {
      let source = try context.trace.measure("walk") {
        try ExplainSource(task, tips, point, opened, usesCache: usesCache)
      }
      guard source.check() else { continue }
      let trace = context.trace
      guard let explanation = trace.measure("replay", { source.explanation() }) else { continue }
      if !options.has(.quiet) { source.say(point, &context) }
      let schemas = try opened.namingSchemas(context.effects)
      let names = schemas.isEmpty ? nil : RecordNames(explanation.state, schemas)
      let choice = try ExplainChoice(
        explanation, names, field: options.value(field), todo: options.value(todo))
      let writer = ExplainWriter(
        explanation, source.graph, palette, names,
        showsAll: options.has(.allFields) || options.has(field), isNarrow: options.has(field),
        end: options.rowEnd)
      try writer.write(choice, isJSON: options.has(.json), &context)
      if !options.has(.quiet), let last = source.lastLife(of: explanation) {
        context.hint("'--as-of=\(last.text)' tells of the task as it was before")
      }
      return .ok
    }
    preconditionFailure("BUG: nodes that were just read are damaged")
  }
}

/// The nodes of a task, and which of them count.
struct ExplainSource {
  let graph: Graph
  private let task: Int
  /// For each position, whether the heads of the task reach the node, and whether the node counts.
  private let reached: [Bool]
  private let counting: [Bool]?

  /// Reads the nodes of a task.
  ///
  /// - Throws: `fatal` when a node is missing or corrupt, or the task has none at the point.
  init(
    _ id: TaskID, _ tips: [ObjectID], _ point: HistoryPoint, _ opened: Repository,
    usesCache: Bool
  ) throws {
    var named: ObjectID?
    if case .node(let name) = point.kind {
      named = try ObjectName.one(name, in: opened.objects)
    }
    graph = try HistoryGraph.reaching(
      tips + (named.map { [$0] } ?? []), opened, usesCache: usesCache,
      [.ids, .parents, .clocks, .labels])
    let positions = tips.compactMap { [graph] in graph.position(of: $0) }
    // A head that should not have been accepted may not even have a readable task.
    guard let index = (0..<graph.taskCount).first(where: { [graph] in graph.taskID($0) == id })
    else { throw CommandError.fatal("no change is about task '\(id.text)'") }
    task = index
    reached = graph.reachable(from: positions)
    counting = try point.members(of: graph, opened)
    if let named, let position = graph.position(of: named), graph.task(at: position) == task,
      !reached[position]
    {
      throw CommandError.fatal("node '\(named.text)' is not in the history")
    }
    guard counts(counting).contains(true) else {
      throw CommandError.fatal("no change of task '\(id.text)' counts at that point")
    }
  }

  /// For each position, whether the node counts and belongs to the task.
  private func counts(_ marks: [Bool]?) -> [Bool] {
    reached.indices.map { reached[$0] && (marks?[$0] ?? true) && graph.task(at: $0) == task }
  }

  /// Checks the contents that will be replayed.
  ///
  /// - Returns: `false` when the index is damaged.
  func check() -> Bool {
    let own = counts(counting)
    for position in own.indices where own[position] {
      guard graph.check(.data, of: position..<position + 1) else { return false }
    }
    return true
  }

  /// - Returns: `nil` when the index is damaged.
  func explanation() -> Explanation? {
    let members = counting.map { zip($0, reached).map { $0 && $1 } } ?? reached
    let cut = members.contains(false) ? Cut(of: graph, members: members) : Cut(whole: graph)
    var replay = Replay(graph, cut, TaskNodes(graph, cut, only: [task]))
    let explanation = replay.explain(task)
    return replay.isDamaged ? nil : explanation
  }

  /// The parent of the only DELETE of a deleted task.
  func lastLife(of explanation: Explanation) -> ObjectID? {
    guard explanation.state == nil, explanation.deletes.count == 1 else { return nil }
    let parents = graph.parentIDs(at: explanation.deletes[0])
    return parents.count == 1 ? parents[0] : nil
  }

  /// Says which point was used, and by how many nodes of the task the policies differ.
  func say(_ point: HistoryPoint, _ context: inout Context) {
    guard case .instant(let instant, let policy) = point.kind else { return }
    let used = counts(counting)
    var parts = [
      "as of \(instant.text): \(used.count { $0 }) of \(counts(nil).count { $0 }) nodes of the "
        + "task, policy \(policy.rawValue)"
    ]
    for other in PointPolicy.allCases where other != policy {
      let marks = counts(PointInTime.instant(instant, other).members(of: graph))
      let more = zip(marks, used).count { $0 && !$1 }
      let fewer = zip(marks, used).count { !$0 && $1 }
      parts.append("\(other.rawValue) has \(more) more and \(fewer) fewer")
    }
    context.note(parts.joined(separator: "; "))
  }
}
