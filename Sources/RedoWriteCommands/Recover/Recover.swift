// redo recover: brings the history of a point in time back, as a separate store or as refs, or its state in place.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo recover --to=<point> [-o <dir> | --write-ref=<name> | --in-place] [--policy=<policy>] [--task=<task>]...`.
enum Recover: Command {
  static let name = "recover"
  static let summary = "bring back the history or the state of a point in time"
  static var usage: [String] {
    [
      "redo-recover --to=<point> [-n] [--policy=<policy>] [--task=<task>]... [--allow-empty]\n"
        + "             [-q] [--json] [-z]",
      "redo-recover --to=<point> -o <dir> [<options>]",
      "redo-recover --to=<point> --write-ref=<name> [-f] [<options>]",
      "redo-recover --to=<point> --in-place [--exact] [<options>]",
      "redo-recover --to=<point> --local [<options>]",
    ]
  }

  private static let to = OptionSpec(
    "to", .required("point"), help: "a time, 'sha256:<id>' or 'lamport:<n>', itself included")
  private static let output = OptionSpec(
    "output", letter: "o", .required("dir"),
    help: "make a store in <dir>, which is empty or not there")
  private static let writeRef = OptionSpec(
    "write-ref", .required("name"), help: "write refs 'recovered/<name>/heads/<task>'")
  private static let force = OptionSpec(
    "force", letter: "f", help: "replace the refs of that name")
  private static let kind = OptionSpec(
    "kind", .required("kind"), help: "only objects of this kind: node, receipt or schema")
  private static let task = OptionSpec(
    "task", .required("task"), help: "only the history of this task, by its id or its beginning")
  private static let inPlace = OptionSpec(
    "in-place", help: "bring the state back by new changes in the history itself")
  private static let local = OptionSpec(
    "local", help: "move only the heads of this store back")
  private static let exact = OptionSpec(
    "exact", help: "with --in-place, delete the tasks that did not exist then")
  /// How the changes of a recovery in place are recorded.
  private static let recording = [
    CommitOptions.date, CommitOptions.unsigned, .profile, PassphraseSource.descriptorOption,
    CommitOptions.message,
  ]
  static var options: [OptionSpec] {
    [
      to, output, writeRef, force, inPlace, local, exact, kind, .closedPolicy, task, .allowEmpty,
      HistoryGraph.cache, .dryRun, .quiet, .format, .json, .nul,
      .heading("how changes in place are recorded"),
    ] + recording
  }

  private static let pointOptions = HistoryPoint.Options(
    point: to, policy: .closedPolicy, allowEmpty: .allowEmpty, empty: .history)

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let point = try point(options, now: context.clock())
    let destination = try destination(options, context)
    let style = try NewNodeStyle(options)
    let opened = try context.effects.openRepository()
    let recovery = Recovery(
      point: point, destination: destination, tasks: options.values(task),
      kind: try kind(options, point, destination),
      usesCache: options.flag(HistoryGraph.cache) ?? true, isDryRun: options.has(.dryRun))
    let outcome = try opened.recover(recovery, context.effects)
    if let restored = outcome.inPlace {
      return try show(restored, outcome, of: recovery, style, options, &context)
    }
    if !options.has(.quiet) { try show(outcome, of: recovery, options, &context) }
    return .ok
  }

  /// The one kind that is asked for.
  private static func kind(
    _ options: ParsedOptions, _ point: HistoryPoint, _ destination: RecoverDestination
  ) throws -> ObjectKind? {
    let found = try options.kind(kind)
    guard let found, found != .node else { return found }
    if case .inPlace = destination {
      throw CommandError.usage(
        "'--in-place' brings tasks back, not \(found)s",
        hints: [found == .receipt ? "'redo receipt edit' changes one" : "'redo schema' changes one"]
      )
    }
    guard !options.has(task) else {
      throw CommandError.usage("'--task' and '--kind=\(found)' cannot be used together")
    }
    if case .lamport = point.kind {
      throw CommandError.usage(
        "\(found)s have no place at the logical time '\(options.value(to) ?? "")' of tasks")
    }
    return found
  }

  private static func point(
    _ options: ParsedOptions, now: Int64
  ) throws -> HistoryPoint {
    guard options.arguments.isEmpty else {
      throw CommandError.usage("the point is named by '--to', not by '\(options.arguments[0])'")
    }
    guard options.has(to) else {
      throw CommandError.usage("a point in time is needed, '--to=<point>'")
    }
    if try options.choice(.closedPolicy, as: PointPolicy.self) == .wall {
      throw CommandError.usage(
        "'--policy=wall' cannot be recovered: nodes without their parents are no history",
        hints: ["'redo state --policy=wall' shows what they come to"])
    }
    return try HistoryPoint(options, pointOptions, now: now)
  }

  private static func destination(
    _ options: ParsedOptions, _ context: borrowing Context
  ) throws -> RecoverDestination {
    let given = try options.only(oneOf: [output, writeRef, inPlace, local])
    if let given, given.isSame(as: inPlace) {
      guard !options.has(force) else {
        throw CommandError.usage("'--force' is about '--write-ref', which is not given")
      }
      return .inPlace(
        RecoverInPlace(
          isExact: options.has(exact), recording: try CommitOptions.writing(options, context)))
    }
    if let foreign = ([exact, .format] + recording).first(where: { options.has($0) }) {
      throw CommandError.usage(
        "'\(foreign.spelling)' is about '--in-place', which is not given")
    }
    if let given, given.isSame(as: writeRef) {
      return try .refs(RecoverRefs(options.value(writeRef) ?? "", isForced: options.has(force)))
    }
    guard !options.has(force) else {
      throw CommandError.usage("'--force' is about '--write-ref', which is not given")
    }
    guard let given else { return .none }
    if given.isSame(as: local) { return .local(RecoverLocal()) }
    guard let path = options.value(output), !path.isEmpty else {
      throw CommandError.usage("'-o' needs the name of a directory")
    }
    return .store(RecoverStore(path: path))
  }

  /// Prints the new nodes, or what they would change, and reports what cannot be brought back.
  private static func show(
    _ restored: RecoverInPlace.Outcome, _ outcome: Recovery.Outcome, of recovery: Recovery,
    _ style: NewNodeStyle, _ options: ParsedOptions, _ context: inout Context
  ) throws -> Exit {
    guard let nodes = restored.nodes else { return .no }
    if recovery.isDryRun {
      try RestoreText.show(restored.plan, options, &context)
    } else {
      for node in nodes { try style.show(node, &context) }
    }
    try context.output.flush()
    let isDone = RestoreText.isDone(restored.missed, &context)
    let exit: Exit = restored.plan.losesValue || !isDone ? .no : .ok
    guard !options.has(.quiet) else { return exit }
    recovery.point.say(outcome.members, outcome.log, hasReceived: true, context.effects)
    for text in outcome.leftWords { context.note("\(text) stay as they are") }
    RestoreText.sayLost(restored.plan, &context)
    if isDone {
      RestoreText.sayCount(
        restored.plan, recovery.isDryRun ? "would recover" : "recovered", &context)
    }
    if !restored.plan.kept.isEmpty {
      let count = restored.plan.kept.count
      context.note(
        "kept \(count) task\(count == 1 ? "" : "s") that did not exist then; '--exact' deletes them"
      )
    }
    return exit
  }

  /// Lists what is left out, and reports what was done.
  private static func show(
    _ outcome: Recovery.Outcome, of recovery: Recovery, _ options: ParsedOptions,
    _ context: inout Context
  ) throws {
    let end = options.rowEnd
    // Who makes something wants to know what; who asks, or has a program ask, wants to see it all.
    var lists = recovery.isDryRun || options.has(.json) || options.has(.nul)
    if case .none = recovery.destination { lists = true }
    func list(_ left: [LeftOut], _ log: some HistoryLog) throws {
      for row in left where lists {
        try context.output.append { output throws in
          if options.has(.json) {
            RecoverRow.appendJSON(row, log, to: &output)
          } else {
            RecoverRow.append(row, log, to: &output)
          }
          output.append(end)
        }
      }
    }
    try list(outcome.left, outcome.log)
    for part in outcome.groups { try list(part.left, part.graph) }
    try context.output.flush()
    var parts: [String] = []
    if recovery.includesNodes {
      recovery.point.say(outcome.members, outcome.log, hasReceived: true, context.effects)
      for text in RecoverRow.summary(outcome.left, "node") { context.note(text) }
      parts.append(
        "\(count(outcome.nodeCount, "node")) of \(count(outcome.taskCount, "task"))")
    }
    for part in outcome.groups {
      for text in RecoverRow.summary(part.left, "\(part.kind)") { context.note(text) }
      if part.cardCount > 0 {
        context.note(
          "\(count(part.cardCount, "device card")) from later taken along, to check signatures with"
        )
      }
      if part.graph.count > 0 {
        parts.append(
          "\(count(part.count, "\(part.kind)")) of "
            + count(part.groupCount, "\(part.kind.groupNoun)"))
      }
    }
    for text in outcome.leftWords {
      context.note(
        "\(text) left out: they have no place at "
          + (recovery.tasks.isEmpty ? "this point" : "a task"))
    }
    let verb = recovery.isDryRun ? "would recover" : "recovered"
    let place =
      switch recovery.destination {
      case .none, .inPlace, .local: ""
      case .store(let store): " in '\(store.path)'"
      case .refs(let refs): " as '\(refs.prefix)'"
      }
    context.note("\(verb) \(parts.joined(separator: " and "))\(place)")
    guard let taken = outcome.local, taken.count > 0 else { return }
    for text in taken.words { context.note(text) }
    if taken.holders.isEmpty {
      context.note("no remote is known to have them; whoever has them brings them back")
    }
  }

  private static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}

extension Recovery.Outcome {
  /// What has no part in it, for people: `2 chains of receipts`.
  fileprivate var leftWords: [String] {
    ObjectKind.grouped.compactMap { kind in
      guard let count = groupsLeft[kind], count > 0 else { return nil }
      return kind.groupWords(count)
    }
  }
}
