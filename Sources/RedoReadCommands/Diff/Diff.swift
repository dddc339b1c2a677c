// redo diff: how the states at two points in time differ.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo diff [--json-patch | --json | --name-only] [--task=<task>]... <point> [<point>]`.
enum Diff: Command {
  static let name = "diff"
  static let readsArchives = true
  static let summary = "show what differs between the states at two points in time"
  static var usage: [String] {
    [
      "redo-diff [--json-patch | --json | --name-only] [--task=<task>]... [--policy=<policy>]\n"
        + "          [--all-fields] [--exit-code] [-q] [--color] [-z] <point> [<point>]",
      "redo-diff [<options>] <point>..<point>",
    ]
  }

  private static let jsonPatch = OptionSpec(
    "json-patch", help: "a JSON Patch (RFC 6902) that makes the one state of the other")
  private static let nameOnly = OptionSpec("name-only", help: "only the ids of the tasks")
  private static let exitCode = OptionSpec("exit-code", help: "end with 1 if anything differs")
  static var options: [OptionSpec] {
    [
      jsonPatch, .json, nameOnly, .task, .policy, .allowEmpty, .allFields, exitCode, .quiet,
      HistoryGraph.cache,
      Palette.option, .nul,
    ]
  }

  /// The form of the output.
  private enum Style {
    case text(Palette), rows, patch, names, nothing
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let mode = try options.only(oneOf: [jsonPatch, .json, nameOnly])
    let texts = try points(options, now: context.clock())
    let policy = try options.choice(.policy, as: PointPolicy.self) ?? .closed
    let opened = try context.effects.openRepository()
    let palette = try context.palette(options, setting: opened.store.config.get("color.ui"))
    let revisions = Revisions(opened, now: context.clock())
    let left = try DiffPoint(texts.0, revisions)
    let right = try texts.1.map { text throws in try DiffPoint(text, revisions) }
    let points = (left, right ?? .present)
    var tasks: [TaskID] = []
    for name in options.values(.task) {
      if let task = TaskID(Array(name.utf8).span) {
        tasks.append(task)
      } else {
        tasks.append(try TaskName.one(name, opened))
      }
    }

    let schemas = try opened.namingSchemas(context.effects)
    // A damaged index is noticed before anything is printed, and is rebuilt once.
    for isFresh in [false, true] {
      var set = try context.trace.measure("walk") {
        try DiffSet(
          points, policy, allowsEmpty: options.has(.allowEmpty), opened,
          usesCache: options.flag(HistoryGraph.cache) ?? true, isFresh: isFresh)
      }
      guard set.findTasks() else { continue }
      if !tasks.isEmpty { try set.keep(tasks) }
      guard set.check() else { continue }
      if !options.has(.quiet) {
        points.0.say(set.left, set.history, policy, set.graph, &context)
        points.1.say(set.right, set.history, policy, set.graph, &context)
      }
      let style: Style =
        options.has(.quiet)
        ? .nothing
        : mode.map { $0.isSame(as: jsonPatch) ? .patch : $0.isSame(as: .json) ? .rows : .names }
          ?? .text(palette)
      let trace = context.trace
      let isDifferent = try trace.measure("replay") {
        try write(
          set, style, schemas, showsAll: options.has(.allFields), end: options.rowEnd, &context)
      }
      return isDifferent && (options.has(exitCode) || options.has(.quiet)) ? .no : .ok
    }
    preconditionFailure("BUG: an index that was just made is damaged")
  }

  /// The texts of the points; `nil` stands for the present.
  private static func points(
    _ options: ParsedOptions, now: Int64
  ) throws -> (String, String?) {
    let texts: (String, String?)
    switch options.arguments.count {
    case 0: throw CommandError.usage("a point in time is needed")
    case 1:
      if case .difference(let from, let to) = try RevisionRange(options.arguments[0]) {
        texts = (from, to)
      } else {
        texts = (options.arguments[0], nil)
      }
    case 2: texts = (options.arguments[0], options.arguments[1])
    default: throw CommandError.usage("a diff has two points, not \(options.arguments.count)")
    }
    let all = [texts.0] + (texts.1.map { [$0] } ?? [])
    guard !options.has(.policy) || all.contains(where: { DiffPoint.isInstant($0, now: now) }) else {
      throw CommandError.usage("'--policy' is about a time, and no point is one")
    }
    return texts
  }

  /// Writes the differences.
  ///
  /// - Returns: whether there are any.
  private static func write(
    _ set: DiffSet, _ style: Style, _ schemas: RecordSchemas, showsAll: Bool, end: UInt8,
    _ context: inout Context
  ) throws -> Bool {
    var isDifferent = false
    if case .patch = style { try context.output.write(byte: UInt8(ascii: "[")) }
    try set.compare { difference in
      row(
        difference, style,
        schemas.isEmpty ? nil : RecordNames(difference.after ?? difference.before, schemas),
        showsAll: showsAll, end: end)
    } body: { row throws in
      if isDifferent, case .patch = style { try context.output.write(byte: UInt8(ascii: ",")) }
      isDifferent = true
      try context.output.write(row)
      if case .nothing = style { return false }
      return true
    }
    if case .patch = style {
      try context.output.write(byte: UInt8(ascii: "]"))
      try context.output.write(byte: end)
    }
    return isDifferent
  }

  /// The output for one difference; called on many threads.
  private static func row(
    _ difference: TaskDifference, _ style: Style, _ names: RecordNames?, showsAll: Bool, end: UInt8
  ) -> [UInt8] {
    var output: [UInt8] = []
    switch style {
    case .nothing: return []
    case .text(let palette):
      DiffText(difference, palette, names, showsAll: showsAll, isRaw: end == 0).append(to: &output)
      output.append(end)
    case .rows: DiffRow.append(difference, names, end: end, to: &output)
    case .patch: difference.appendPatch(to: &output)
    case .names:
      difference.task.append(to: &output)
      output.append(end)
    }
    return output
  }
}
