// redo record: tasks that name a schema, by the names that people gave to its fields. Each subcommand is a command of its own.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo record <subcommand>`.
enum RecordCommand: CommandGroup {
  static let name = "record"
  static let readsArchives = true
  static let summary = "make, change, show, check and exchange the records of schemas"
  static var subcommands: [any Command.Type] {
    [
      RecordNew.self, RecordSet.self, RecordShow.self, RecordList.self, RecordCheckCommand.self,
      RecordMigrate.self, RecordImport.self, RecordExport.self,
    ]
  }
}

/// What the commands of records share.
enum RecordWords {
  static let person = OptionSpec(
    "person", .required("uuid"), help: "the person whose record it is")
  static let title = OptionSpec.title

  /// The options that say at which point in time records are read.
  static let point = HistoryPoint.Options(
    point: .asOf, policy: .policy, allowEmpty: .allowEmpty, empty: .state)

  /// The options that say how a change is recorded.
  static let recording = SchemaWords.recording

  /// How a change is recorded.
  static func writing(
    _ options: ParsedOptions, _ context: borrowing Context
  ) throws -> CommitWriter.Options {
    var writing = try CommitOptions.writing(options, context)
    writing.checksRecords = true
    return writing
  }

  /// Records changes, and prints the nodes.
  static func commit(
    _ requests: [ChangeRequest], _ writing: CommitWriter.Options, _ opened: Repository,
    _ options: ParsedOptions, _ context: inout Context
  ) throws -> Exit {
    let style = try NewNodeStyle(options)
    guard !requests.isEmpty else {
      if !writing.isQuiet { context.note("nothing changes") }
      return .ok
    }
    var writer = try CommitWriter(opened, writing, context.effects)
    guard let nodes = try writer.commit(requests, context.effects) else { return .no }
    for node in nodes { try style.show(node, &context) }
    guard !writing.isQuiet else { return .ok }
    let limit = 20
    let created = nodes.filter { $0.action == .create }
    for node in created.prefix(limit) {
      if let task = node.taskID { context.note("created record '\(task.text)'") }
    }
    if created.count > limit { context.note("created \(created.count - limit) more records") }
    return .ok
  }

  /// `<field>=<text>` words.
  static func typed(_ words: some Sequence<String>) throws -> [RecordSchemas.Typed] {
    try words.map { word throws in
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw CommandError.usage("'\(Escape.text(word))' is not <field>=<value>")
      }
      return (ByteText(String(parts[0])), String(parts[1]))
    }
  }
}

/// `redo record new <schema> [<field>=<value>...]`.
enum RecordNew: Command {
  static let name = "new"
  static let summary = "make a record of a schema"
  static var usage: [String] {
    [
      "redo-record new [--person=<uuid>] [--title=<text>] [<recording>] [--format=<format> | --json] [-z]\n"
        + "            <schema> [<field>=<value>...]"
    ]
  }
  static var options: [OptionSpec] {
    [RecordWords.person, RecordWords.title] + RecordWords.recording + CommitOptions.printing
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard let text = options.arguments.first else { throw CommandError.usage("a schema is needed") }
    let typed = try RecordWords.typed(options.arguments.dropFirst())
    let writing = try RecordWords.writing(options, context)
    let person = try SchemaWords.uuid(RecordWords.person, options)
    let opened = try context.effects.openRepository()
    return try SchemaWords.saying(&context) { context throws in
      let request = try opened.newRecord(
        of: text, typed, person: person,
        title: options.value(RecordWords.title).map { Array($0.utf8) })
      return try RecordWords.commit([request], writing, opened, options, &context)
    }
  }
}

/// `redo record set <task> <field>=<value>...`.
enum RecordSet: Command {
  static let name = "set"
  static let summary = "change values of a record"
  static var usage: [String] {
    [
      "redo-record set [<recording>] [--format=<format> | --json] [-z] <task> <field>=<value>..."
    ]
  }
  static var options: [OptionSpec] { RecordWords.recording + CommitOptions.printing }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.count > 1 else {
      throw CommandError.usage("a task and '<field>=<value>' are needed")
    }
    let typed = try RecordWords.typed(options.arguments.dropFirst())
    let writing = try RecordWords.writing(options, context)
    let opened = try context.effects.openRepository()
    let task = try TaskName.known(options.arguments[0], opened)
    let now = writing.wall ?? WallTime(milliseconds: context.clock())
    return try SchemaWords.saying(&context) { context throws in
      let request = try opened.recordChange(of: task, typed, now: now, context.effects)
      return try RecordWords.commit(
        request.map { [$0] } ?? [], writing, opened, options, &context)
    }
  }
}

/// `redo record migrate [--strategy=<strategy>] [<schema>...]`.
enum RecordMigrate: Command {
  static let name = "migrate"
  static let summary = "write values under the ids of their fields, and take old keys away"
  static var usage: [String] {
    [
      "redo-record migrate [--strategy=<strategy>] [--task=<task>]... [<recording>]\n"
        + "            [--format=<format> | --json] [-z] [<schema>...]"
    ]
  }
  private static let strategy = OptionSpec(
    "strategy", .required("strategy"),
    help: "how fields that were merged come to one value: concatenate[:<text>], source or target")
  static var options: [OptionSpec] {
    [strategy, .task] + RecordWords.recording + CommitOptions.printing
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let strategy = try options.value(strategy).map { text throws in
      guard let strategy = RecordMergeStrategy(text) else {
        throw CommandError.usage(
          "'--strategy' is 'concatenate[:<text>]', 'source' or 'target', not '\(Escape.text(text))'"
        )
      }
      return strategy
    }
    var writing = try RecordWords.writing(options, context)
    // Nothing new is said.
    writing.checksRecords = false
    let opened = try context.effects.openRepository()
    let requests = try opened.recordMigrations(
      try RecordChoice(options.arguments, opened), tasks: options.values(.task), strategy,
      context.effects)
    return try RecordWords.commit(requests, writing, opened, options, &context)
  }
}
