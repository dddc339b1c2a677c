// redo schema new, add-field, set, rename, hide, restore, deprecate, merge, merge-fields, split-field: edits, each a signed object that
// follows all heads of its schema.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo schema new <id>`.
enum SchemaNew: Command {
  static let name = "new"
  static let summary = "begin a schema"
  static var usage: [String] {
    [
      "redo-schema new [--name=<text>] [--icon=<text>] [--description=<text>] [--scope=<uuid>]\n"
        + "            [<recording>] <id>"
    ]
  }
  static var options: [OptionSpec] {
    [SchemaWords.name, SchemaWords.icon, SchemaWords.description, SchemaWords.scope]
      + SchemaWords.recording
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let id = try SchemaWords.names(options, ["an id"])[0]
    let name = SchemaDefinition.Name(
      ByteText(id), scope: try SchemaWords.uuid(SchemaWords.scope, options))
    let opened = try context.effects.openRepository()
    return try SchemaWords.edit(
      SchemaRequest.new(name, SchemaOptions(options)), of: name, opened, options, &context)
  }
}

extension SchemaOptions {
  /// What the command line says of a schema.
  fileprivate init(_ options: ParsedOptions) {
    self.init()
    displayName = options.value(SchemaWords.name).map { ByteText($0) }
    iconSystemName = options.value(SchemaWords.icon).map { ByteText($0) }
    description = options.value(SchemaWords.description).map { ByteText($0) }
  }
}

extension FieldOptions {
  /// What the command line says of a field.
  ///
  /// - Throws: `usage` for a value that is none.
  fileprivate init(_ options: ParsedOptions) throws {
    self.init()
    displayName = options.value(SchemaWords.name).map { ByteText($0) }
    isRequired = options.flag(SchemaWords.required)
    displayOrder = try options.integer(SchemaWords.order, in: Int.min...Int.max).map { Int64($0) }
    placeholder = options.value(SchemaWords.placeholder).map { ByteText($0) }
    helpText = options.value(SchemaWords.helpText).map { ByteText($0) }
    dropsRules = options.has(SchemaWords.noRules)
    rules = options.values(SchemaWords.rule).map { ByteText($0) }
    isMultiline = options.flag(SchemaWords.multiline)
    capitalization = try options.choice(SchemaWords.capitalization, as: Capitalization.self)
    type = try options.choice(SchemaWords.type, as: FieldType.self)
  }
}

/// `redo schema add-field --type=<type> <schema>`.
enum SchemaAddField: Command {
  static let name = "add-field"
  static let summary = "add a field to a schema"
  static var usage: [String] {
    [
      "redo-schema add-field --name=<text> --type=<type> [--id=(<uuid> | <key>)] [<options of a field>]\n"
        + "            [<recording>] <schema>"
    ]
  }
  private static let id = OptionSpec(
    "id", .required("id"), help: "its UUID, or a text that becomes a key; random unless given")
  static var options: [OptionSpec] {
    [SchemaWords.type, id] + SchemaWords.fieldOptions + SchemaWords.recording
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let text = try SchemaWords.names(options, ["a schema"])[0]
    var field = try FieldOptions(options)
    guard let type = field.type else { throw CommandError.usage("'--type' is needed") }
    field.type = nil
    guard field.displayName != nil || options.has(id) else {
      throw CommandError.usage("'--name' is needed")
    }
    let opened = try context.effects.openRepository()
    let schema = try opened.schema(named: text)
    let new: NewFieldID
    if let given = options.value(id) {
      new = NewFieldID(ByteText(given))
    } else {
      let random = TaskID.random(context.effects.random).text
      guard let made = UniqueID(Array(random.utf8).span) else {
        preconditionFailure("BUG: a random UUID is none")
      }
      new = .id(made)
    }
    return try SchemaWords.edit(
      SchemaRequest.addField(new, type, field), of: schema.name, opened, options, &context)
  }
}

/// `redo schema set <schema> [<field>]`.
enum SchemaSet: Command {
  static let name = "set"
  static let summary = "change what is said of a schema, or of one of its fields"
  static var usage: [String] {
    [
      "redo-schema set [--name=<text>] [--icon=<text>] [--description=<text>] [<recording>] <schema>",
      "redo-schema set [<options of a field>] [<recording>] <schema> <field>",
    ]
  }
  private static let provenance = FieldOptions.Provenance.allCases.map { member in
    let word =
      switch member {
      case .createdAt: "created-at"
      case .createdBy: "created-by"
      case .updatedAt: "updated-at"
      case .updatedBy: "updated-by"
      }
    return OptionSpec(word, .required("value"), help: "is refused: who did it, and when, stays")
  }
  static var options: [OptionSpec] {
    [SchemaWords.icon, SchemaWords.description, SchemaWords.type] + SchemaWords.fieldOptions
      + SchemaWords.recording + provenance
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard let text = options.arguments.first, options.arguments.count < 3 else {
      throw CommandError.usage("a schema is needed, and a field at most")
    }
    let opened = try context.effects.openRepository()
    let schema = try opened.schema(named: text)
    guard options.arguments.count == 2 else {
      let others = SchemaWords.fieldOptions.filter { !$0.isSame(as: SchemaWords.name) }
      if let other = (others + [SchemaWords.type] + provenance).first(where: options.has) {
        throw CommandError.usage("'\(other.spelling)' is about a field, which is not named")
      }
      return try SchemaWords.edit(
        SchemaRequest.set(SchemaOptions(options)), of: schema.name, opened, options, &context)
    }
    if let other = [SchemaWords.icon, SchemaWords.description].first(where: options.has) {
      throw CommandError.usage("'\(other.spelling)' is about a schema, not about a field")
    }
    var field = try FieldOptions(options)
    field.provenance = zip(FieldOptions.Provenance.allCases, provenance)
      .filter { options.has($0.1) }.map(\.0)
    return try SchemaWords.edit(
      SchemaRequest.setField(ByteText(options.arguments[1]), field), of: schema.name, opened,
      options, &context)
  }
}

/// An edit of one field that needs no options: `redo schema <command> <schema> <field>`.
protocol SchemaFieldEdit: Command {
  /// The words for what follows the schema.
  static var words: [String] { get }
  /// What is asked.
  static func request(_ names: [ByteText]) -> SchemaRequest
}

extension SchemaFieldEdit {
  static var usage: [String] {
    ["redo-schema \(name) [<recording>] <schema> <field>" + (words.count > 1 ? " <name>" : "")]
  }
  static var words: [String] { ["a field"] }
  static var options: [OptionSpec] { SchemaWords.recording }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let names = try SchemaWords.names(options, ["a schema"] + words)
    let opened = try context.effects.openRepository()
    let schema = try opened.schema(named: names[0])
    return try SchemaWords.edit(
      request(names.dropFirst().map { ByteText($0) }), of: schema.name, opened, options, &context)
  }
}

/// `redo schema rename <schema> <field> <name>`.
enum SchemaRename: SchemaFieldEdit {
  static let name = "rename"
  static let summary = "call a field something else"
  static var words: [String] { ["a field", "a name"] }
  static func request(_ names: [ByteText]) -> SchemaRequest { .rename(names[0], to: names[1]) }
}

/// `redo schema hide <schema> <field>`.
enum SchemaHide: SchemaFieldEdit {
  static let name = "hide"
  static let summary = "hide a field; its values stay"
  static func request(_ names: [ByteText]) -> SchemaRequest { .show(names[0], .hidden) }
}

/// `redo schema restore <schema> <field>`.
enum SchemaRestore: SchemaFieldEdit {
  static let name = "restore"
  static let summary = "show a field that is hidden or deprecated"
  static func request(_ names: [ByteText]) -> SchemaRequest { .show(names[0], .active) }
}

/// `redo schema deprecate <schema> <field>`.
enum SchemaDeprecate: SchemaFieldEdit {
  static let name = "deprecate"
  static let summary = "retire a field; its values are shown with a warning"
  static func request(_ names: [ByteText]) -> SchemaRequest { .show(names[0], .deprecated) }
}

/// `redo schema merge-fields <schema> <source> <target>`.
enum SchemaMergeFields: SchemaFieldEdit {
  static let name = "merge-fields"
  static let summary = "show the values of a field under another one"
  static var usage: [String] {
    ["redo-schema merge-fields [<recording>] <schema> <source> <target>"]
  }
  static var words: [String] { ["a source", "a target"] }
  static func request(_ names: [ByteText]) -> SchemaRequest {
    .mergeFields(source: names[0], target: names[1])
  }
}

/// `redo schema split-field <schema> <source>`.
enum SchemaSplitField: SchemaFieldEdit {
  static let name = "split-field"
  static let summary = "show the values of a merged field under itself again"
  static func request(_ names: [ByteText]) -> SchemaRequest { .splitField(names[0]) }
}

/// `redo schema merge [--pick <field>=<head>]... <schema>`.
enum SchemaMerge: Command {
  static let name = "merge"
  static let summary = "join the heads of a schema into one"
  static var usage: [String] {
    ["redo-schema merge [--pick=<field>=<head>]... [<recording>] <schema>"]
  }
  private static let pick = OptionSpec(
    "pick", .required("field=head"), help: "a field as a head has it, whatever others say")
  static var options: [OptionSpec] { [pick] + SchemaWords.recording }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let text = try SchemaWords.names(options, ["a schema"])[0]
    let opened = try context.effects.openRepository()
    let schema = try opened.schema(named: text)
    let picks = try options.values(pick).map { value throws in
      guard let cut = value.lastIndex(of: "=") else {
        throw CommandError.usage("'--pick' is a field and a head, not '\(Escape.text(value))'")
      }
      let id = try ObjectName.one(String(value[value.index(after: cut)...]), in: opened.objects)
      guard let head = schema.heads.first(where: { $0.id == id }) else {
        throw CommandError(.absent, "'\(id.text)' is no head of '\(Escape.text(schema.name.text))'")
      }
      return SchemaPick(ByteText(String(value[..<cut])), fromHead: head.definition)
    }
    return try SchemaWords.edit(
      SchemaRequest.merge(picks), of: schema.name, opened, options, &context)
  }
}
