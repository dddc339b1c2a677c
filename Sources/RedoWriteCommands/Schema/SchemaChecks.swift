// redo schema check, log, diff: what should be settled in schemas, and how they came to be what they are.

internal import CanonicalJSON
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo schema check [--against=<old>] [<schema>...]`.
enum SchemaCheckCommand: Command {
  static let name = "check"
  static let summary = "say what should be settled in schemas, or what a change breaks"
  static var usage: [String] {
    [
      "redo-schema check [-q] [--json] [-z] [<schema>...]",
      "redo-schema check --against=(<object> | <file>) [--mode=<mode>] [-q] [--json] [-z] <schema>",
    ]
  }
  private static let against = OptionSpec(
    "against", .required("old"), help: "a schema object, or a file with a definition, from before")
  private static let mode = OptionSpec(
    "mode", .required("mode"),
    help: "backward (default): old records fit the new schema; forward: the reverse; or full")
  static var options: [OptionSpec] { [against, mode, .quiet, .json, .nul] }

  private struct Row {
    let schema: SchemaDefinition.Name
    let problem: SchemaProblem
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.has(against) || !options.has(mode) else {
      throw CommandError.usage("'--mode' is about '--against', which is not given")
    }
    let opened = try context.effects.openRepository()
    var rows: [Row] = []
    if let old = options.value(against) {
      let mode = try options.choice(mode, as: SchemaCompatibility.Mode.self) ?? .backward
      let text = try SchemaWords.names(options, ["a schema"])[0]
      let schema = try opened.schema(named: text)
      guard let before = try definition(old, of: schema.name, opened, context) else { return .no }
      rows = SchemaCompatibility.problems(old: before, new: schema.definition, mode: mode)
        .map { Row(schema: schema.name, problem: $0) }
    } else {
      let devices = try opened.devices(context.effects)
      let schemas = try SchemaWords.schemas(options.arguments, opened)
      let counts = try opened.deprecatedCounts(of: schemas.map(\.definition), context.effects)
      for schema in schemas {
        let history = try SchemaHistory(from: schema.heads.map(\.id), opened.objects)
        let check = SchemaCheck(schema.heads.map(\.definition)) { devices.name(of: $0) }
        rows += check.problems(counts: counts[schema.name] ?? [:]) {
          history.base(schema.heads[$0].id, schema.heads[$1].id)
        }
        .map { Row(schema: schema.name, problem: $0) }
      }
    }
    try RowWriter(columns, separator: "\t", options).write(rows, &context)
    if !options.has(.quiet) {
      var said: Set<String> = []
      for row in rows {
        if let hint = row.problem.hint, said.insert(hint).inserted { context.hint(hint) }
      }
    }
    return rows.contains { $0.problem.rule.severity != .info } ? .no : .ok
  }

  /// `rule schema field other text`.
  private static var columns: [RowColumn<Row>] {
    [
      .word("rule") { $0.problem.rule.id },
      .text("schema", .field) { $0.schema.text },
      .word("field") { $0.problem.field?.text },
      .word("other") { $0.problem.other?.text },
      .text("text", .field) { $0.problem.text },
    ]
  }

  /// The definition of an object of the store, or of the same name in a file; `nil` when what is wrong has been said.
  private static func definition(
    _ text: String, of name: SchemaDefinition.Name, _ opened: Repository,
    _ context: borrowing Context
  ) throws -> SchemaDefinition? {
    if case .id(let id) = try ObjectName.resolve(Array(text.utf8)[...], in: opened.objects) {
      let history = try SchemaHistory(from: [id], opened.objects)
      return history.object(id)?.definition
    }
    let read = SchemaImport(
      try InputFile.read(text, limit: SchemaMergeFile.inputLimit, context.effects),
      scope: name.scope)
    guard !read.isRefused else {
      context.effects.reportErrors(read.findings, of: text)
      return nil
    }
    guard let found = read.definitions.first(where: { $0.name == name }) else {
      throw CommandError(
        .absent, "'\(Escape.text(text))' has no schema '\(Escape.text(name.text))'")
    }
    return found
  }
}

/// `redo schema log <schema>`.
enum SchemaLog: Command {
  static let name = "log"
  static let summary = "list the objects of a schema, newest first"
  static var usage: [String] { ["redo-schema log [--json] [-z] <schema>"] }
  static var options: [OptionSpec] { [.json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let text = try SchemaWords.names(options, ["a schema"])[0]
    let opened = try context.effects.openRepository()
    let schema = try opened.schema(named: text)
    let history = try SchemaHistory(from: schema.heads.map(\.id), opened.objects)
    try RowWriter(columns, separator: "\t", options).write(history.objects.reversed(), &context)
    return .ok
  }

  /// `id wall op source device`.
  private static var columns: [RowColumn<Schema>] {
    [
      .word("id") { $0.id.text },
      .word("wall") { $0.wall.text },
      .word("op") { $0.change.op },
      .word("source") { $0.change.source.rawValue },
      .text("device", .field) { $0.deviceName ?? $0.deviceID },
      .number("lamport", in: .json) { Int(clamping: $0.lamport.value) },
      .word("user", in: .json) { $0.userID.text },
      .word("hash", in: .json) { $0.definition.hash.text },
    ]
  }
}

/// `redo schema diff <schema> [<object>..<object>]`.
enum SchemaDiff: Command {
  static let name = "diff"
  static let summary = "show what changed in a schema"
  static var usage: [String] {
    ["redo-schema diff [--json] [-z] <schema> [<object> | <object>..<object>]"]
  }
  static var options: [OptionSpec] { [.json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard let text = options.arguments.first, options.arguments.count < 3 else {
      throw CommandError.usage("a schema is needed, and a range at most")
    }
    let opened = try context.effects.openRepository()
    let schema = try opened.schema(named: text)
    let history = try SchemaHistory(from: schema.heads.map(\.id), opened.objects)
    let (old, new) = try sides(options.arguments.dropFirst().first, schema, history, opened)
    let found = SchemaDifference.between(old, new)
    for difference in found {
      try context.output.append { output in
        if options.has(.json) {
          JSONWriter.append(to: &output) { difference.write(to: &$0) }
        } else {
          output += difference.columns.map { Escape.text($0) }.joined(separator: "\t").utf8
        }
        output.append(options.rowEnd)
      }
    }
    return found.isEmpty ? .ok : .no
  }

  /// The two definitions: without a range the first object and the present.
  private static func sides(
    _ range: String?, _ schema: StoredSchema, _ history: SchemaHistory, _ opened: Repository
  ) throws -> (SchemaDefinition, SchemaDefinition) {
    func definition(_ text: some StringProtocol) throws -> SchemaDefinition {
      if text.isEmpty { return schema.definition }
      let id = try ObjectName.one(String(text), in: opened.objects)
      guard let object = history.object(id) else {
        throw CommandError(
          .absent, "'\(id.text)' is no object of '\(Escape.text(schema.name.text))'")
      }
      return object.definition
    }
    guard let range else {
      return (history.objects.first?.definition ?? schema.definition, schema.definition)
    }
    // No name of an object has a dot in it.
    let sides = range.split(separator: ".", omittingEmptySubsequences: false)
    guard sides.count == 3, sides[1].isEmpty else {
      return (try definition(range), schema.definition)
    }
    return (try definition(sides[0]), try definition(sides[2]))
  }
}
