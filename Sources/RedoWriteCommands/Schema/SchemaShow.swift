// redo schema list, show, export: what the schemas of a store are.

internal import CanonicalJSON
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo schema list [--all]`.
enum SchemaList: Command {
  static let name = "list"
  static let summary = "list the schemas of a store"
  static var usage: [String] { ["redo-schema list [--all] [--json] [-z]"] }
  private static let all = OptionSpec("all", help: "also those that redo keeps for itself")
  static var options: [OptionSpec] { [all, .json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    _ = try SchemaWords.names(options, [])
    let schemas = try context.effects.openRepository().schemas()
      .filter { options.has(all) || !$0.name.isReserved }
    try RowWriter(columns, separator: "\t", options).write(schemas, &context)
    return .ok
  }

  /// `name heads fields version displayName`.
  private static var columns: [RowColumn<StoredSchema>] {
    [
      .text("name", .field) { $0.name.text },
      .number("heads") { $0.heads.count },
      .number("fields") { $0.definition.fields.count },
      .word("version") { $0.definition.version.text },
      .text("displayName", .field) { $0.definition.metadata.displayName.text },
      .word("hash", in: .json) { $0.definition.hash.text },
    ]
  }
}

extension SchemaVersion {
  /// `<time>/<device>/<counter>`.
  fileprivate var text: String { "\(timestamp.text)/\(deviceID.text)/\(counter)" }
}

/// `redo schema show [--hash] <schema>`.
enum SchemaShow: Command {
  static let name = "show"
  static let summary = "show a schema as it is, or was"
  static var usage: [String] {
    [
      "redo-schema show [--hash | --for=app] [--provenance] [--all-fields] [--as-of=<point>] [--json] [-z] <schema>"
    ]
  }
  private static let hash = OptionSpec("hash", help: "print the SHA-256 of its definition")
  private static let provenance = OptionSpec(
    "provenance", help: "say who added and who changed each field")
  static var options: [OptionSpec] {
    [hash, SchemaWords.reader, provenance, .allFields, .asOf, .json, .nul]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let text = try SchemaWords.names(options, ["a schema"])[0]
    let isForApp = try SchemaWords.isForApp(options)
    _ = try options.only(oneOf: [hash, SchemaWords.reader, .json])
    if let other = [provenance, OptionSpec.allFields].first(where: options.has),
      options.has(hash) || options.has(.json) || isForApp
    {
      throw CommandError.usage("'\(other.spelling)' is about the text for people")
    }
    let opened = try context.effects.openRepository()
    let schema = try opened.schema(named: text)
    var definition = schema.definition
    if let point = options.value(.asOf) {
      let history = try SchemaHistory(from: schema.heads.map(\.id), opened.objects)
      guard let past = try past(point, of: history, opened, context) else {
        throw CommandError(
          .absent, "there was no schema '\(Escape.text(text))' at '\(Escape.text(point))'")
      }
      definition = past
    }
    if isForApp {
      var line: [UInt8] = []
      definition.appendForApp(to: &line)
      try context.output.write(line + [options.rowEnd])
      return .ok
    }
    if options.has(hash) {
      try context.output.write(Array(definition.hash.hex.utf8) + [options.rowEnd])
      return .ok
    }
    if options.has(.json) {
      try context.output.write(definition.canonical + [options.rowEnd])
      return .ok
    }
    let names = options.has(provenance) ? try opened.devices(context.effects) : nil
    let speaker = names.map { FieldProvenance($0, now: WallTime(milliseconds: context.clock())) }
    try context.output.append { output in
      SchemaText(definition, showsAll: options.has(.allFields), speaker).append(to: &output)
    }
    return .ok
  }

  /// What the schema was at a point: what the objects made until a time come to, or what one of them says.
  private static func past(
    _ point: String, of history: SchemaHistory, _ opened: Repository, _ context: borrowing Context
  ) throws -> SchemaDefinition? {
    if let moment = Moment(point, .end, now: context.clock()) {
      return history.definition(asOf: WallTime(milliseconds: moment.milliseconds))
    }
    guard ObjectID.hasPrefix(Array(point.utf8).span) else {
      throw CommandError.usage(
        "option '--as-of' expects a time or the id of a schema, not '\(Escape.text(point))'")
    }
    return history.object(try ObjectName.one(point, in: opened.objects))?.definition
  }
}

/// A definition for people.
struct SchemaText {
  private let definition: SchemaDefinition
  private let showsAll: Bool
  private let provenance: FieldProvenance?

  init(_ definition: SchemaDefinition, showsAll: Bool, _ provenance: FieldProvenance?) {
    self.definition = definition
    self.showsAll = showsAll
    self.provenance = provenance
  }

  /// Appends the lines.
  func append(to output: inout [UInt8]) {
    func line(_ text: String) { output += "\(text)\n".utf8 }
    let said = definition.metadata
    line("schema \(Escape.text(definition.name.text))")
    line("Name:    \(Escape.text(said.displayName.text))")
    line("Icon:    \(Escape.text(said.iconSystemName.text))")
    if let text = said.description { line("About:   \(Escape.text(text.text))") }
    line(
      "Version: \(definition.version.counter) of \(definition.version.timestamp.text), "
        + "by \(definition.version.deviceID.text)")
    let view = SchemaView(definition)
    var hidden = 0
    for field in view.fields {
      let isMerged = view.home(of: field.pair.id) != field.pair.id
      guard showsAll || !isMerged && field.visibility != .hidden else {
        hidden += 1
        continue
      }
      var words = [field.pair.type.rawValue]
      if field.isRequired { words.append("required") }
      if field.visibility != .active { words.append(field.visibility.rawValue) }
      if isMerged { words.append("merged into \(view.home(of: field.pair.id).text)") }
      line("")
      line("    \(Escape.text(field.displayName.text)) (\(words.joined(separator: ", ")))")
      line("        id: \(field.pair.id.text)")
      for rule in field.rules {
        line("        \(rule.kind.rawValue): \(Escape.text(rule.value))")
      }
      if let text = field.helpText { line("        help: \(Escape.text(text.text))") }
      if let provenance { line("        \(Escape.text(provenance.text(of: field)))") }
    }
    guard hidden > 0 else { return }
    line("")
    line("    \(RecordLabel.hidden(hidden))")
  }
}

/// `redo schema export [--for=app] [<schema>...]`.
enum SchemaExport: Command {
  static let name = "export"
  static let summary = "write definitions, one a line"
  static var usage: [String] { ["redo-schema export [--for=app] [-z] [<schema>...]"] }
  static var options: [OptionSpec] { [SchemaWords.reader, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let isForApp = try SchemaWords.isForApp(options)
    let opened = try context.effects.openRepository()
    for schema in try SchemaWords.schemas(options.arguments, opened) {
      if isForApp, schema.name.isReserved {
        guard options.arguments.isEmpty else {
          throw CommandError(
            .refused, "'\(Escape.text(schema.name.text))' is nothing that the public app reads")
        }
        continue
      }
      try context.output.append { output in
        if isForApp {
          schema.definition.appendForApp(to: &output)
        } else {
          output += schema.definition.canonical
        }
        output.append(options.rowEnd)
      }
    }
    return .ok
  }
}
