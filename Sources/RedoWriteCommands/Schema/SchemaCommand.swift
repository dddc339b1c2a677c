// redo schema: definitions of schemas, which any device may change, also offline. Each subcommand is a command of its own.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo schema <subcommand>`.
enum SchemaCommand: CommandGroup {
  static let name = "schema"
  static let summary = "make, change, show, check and join schemas"
  static var subcommands: [any Command.Type] {
    [
      SchemaNew.self, SchemaList.self, SchemaShow.self, SchemaAddField.self, SchemaSet.self,
      SchemaRename.self, SchemaHide.self, SchemaRestore.self, SchemaDeprecate.self,
      SchemaMerge.self, SchemaMergeFields.self, SchemaSplitField.self, SchemaCheckCommand.self,
      SchemaLog.self, SchemaDiff.self, SchemaImportCommand.self, SchemaExport.self,
      SchemaMergeFile.self,
    ]
  }
}

/// What the commands of schemas share.
enum SchemaWords {
  static let name = OptionSpec("name", .required("text"), help: "what it is called, for people")
  static let icon = OptionSpec("icon", .required("text"), help: "the name of its picture")
  static let description = OptionSpec("description", .required("text"), help: "explains it")
  static let scope = OptionSpec(
    "scope", .required("uuid"), help: "the person whose copy of the schema it is")
  static let type = OptionSpec(
    "type", .required("type"),
    help: "string, int, double, bool, date, attachmentIds or stringArray")
  static let required = OptionSpec("required", help: "a record must have a value")
  static let order = OptionSpec(
    "order", .required("n"), help: "where it stands among others: the least first")
  static let placeholder = OptionSpec(
    "placeholder", .required("text"), help: "stands in an empty form")
  static let helpText = OptionSpec("help-text", .required("text"), help: "explains it")
  static let rule = OptionSpec(
    "rule", .required("type=value"),
    help:
      "what values must keep: minLength, maxLength, minValue, maxValue, minDate, maxDate, pattern")
  static let noRules = OptionSpec("no-rules", help: "take its rules away first")
  static let multiline = OptionSpec("multiline", help: "a text may have several lines")
  static let capitalization = OptionSpec(
    "capitalization", .required("mode"), help: "none, words, sentences or allCharacters")

  /// The options that say what a field is like.
  static let fieldOptions = [
    name, required, order, placeholder, helpText, rule, noRules, multiline, capitalization,
  ]

  /// The options that say how an edit is recorded.
  static let recording = [
    CommitOptions.date, CommitOptions.message, PassphraseSource.descriptorOption, .dryRun, .quiet,
  ]

  /// For whom a file is.
  static let reader = OptionSpec(
    "for", .required("reader"), help: "write it as the public app reads it: app")

  /// Whether a file is for the public app.
  ///
  /// - Throws: `usage` for another word.
  static func isForApp(_ options: ParsedOptions) throws -> Bool {
    guard let text = options.value(reader) else { return false }
    guard text == "app" else {
      throw CommandError.usage("'--for' is 'app', not '\(Escape.text(text))'")
    }
    return true
  }

  /// How an edit is recorded.
  static func writing(
    _ options: ParsedOptions, _ context: borrowing Context
  ) throws -> SchemaWriter.Options {
    var writing = SchemaWriter.Options()
    writing.wall = try CommitOptions.wall(CommitOptions.date, options, context)
    writing.isDryRun = options.has(.dryRun)
    writing.message = options.value(CommitOptions.message)
    writing.passphrase = try PassphraseSource(options)
    return writing
  }

  /// The schemas that texts mean; all without any.
  static func schemas(_ texts: [String], _ opened: Repository) throws -> [StoredSchema] {
    texts.isEmpty ? try opened.schemas() : try texts.map { try opened.schema(named: $0) }
  }

  /// A UUID.
  static func uuid(_ option: OptionSpec, _ options: ParsedOptions) throws -> UniqueID? {
    guard let text = options.value(option) else { return nil }
    guard let id = UniqueID(Array(text.utf8).span) else {
      throw CommandError.usage("'\(option.spelling)' is a UUID, not '\(Escape.text(text))'")
    }
    return id
  }

  /// As many names as a command takes.
  static func names(_ options: ParsedOptions, _ words: [String]) throws -> [String] {
    guard options.arguments.count >= words.count else {
      throw CommandError.usage("\(words[options.arguments.count]) is needed")
    }
    guard options.arguments.count == words.count else {
      throw CommandError.usage(
        "'\(Escape.text(options.arguments[words.count]))' is one name too many")
    }
    return options.arguments
  }

  /// Does what is asked, and prints the ids of the new objects; none where nothing changes.
  static func edit(
    _ request: some SchemaAsked, of name: SchemaDefinition.Name, _ opened: Repository,
    _ options: ParsedOptions, _ context: inout Context
  ) throws -> Exit {
    try edit([([request], name)], opened, options, &context)
  }

  /// Does what is asked of several schemas; everything is made and judged before anything is written.
  static func edit(
    _ asked: [(requests: [any SchemaAsked], name: SchemaDefinition.Name)], _ opened: Repository,
    _ options: ParsedOptions, _ context: inout Context
  ) throws -> Exit {
    let writer = try SchemaWriter(opened, writing(options, context), context.effects)
    var made: [(outcome: SchemaWriter.Outcome, name: SchemaDefinition.Name)] = []
    var exit = Exit.ok
    for (requests, name) in asked {
      exit = max(
        exit,
        try saying(name, &context) { context throws in
          made.append((try writer.make(requests, of: name, context.effects), name))
        })
    }
    guard exit == .ok else { return exit }
    for (outcome, name) in made {
      let done = try saying(name, &context) { context throws in
        try writer.take(outcome, context.effects)
      }
      guard done == .ok else { return done }
      if !options.has(.quiet) {
        for finding in outcome.edits.flatMap(\.warnings) {
          context.warning(Diagnosis.text(finding, of: name.text))
          if let hint = finding.hint { context.hint(hint) }
        }
      }
      for schema in outcome.schemas { try context.output.writeLine(schema.id.text) }
    }
    if !options.has(.quiet), made.allSatisfy(\.outcome.schemas.isEmpty) {
      context.note("nothing changes")
    }
    return .ok
  }

  /// Runs work about a schema, and says which rules it breaks.
  static func saying(
    _ name: SchemaDefinition.Name, _ context: inout Context,
    _ body: (inout Context) throws -> Void
  ) throws -> Exit {
    do {
      try body(&context)
      return .ok
    } catch let error as SchemaFault {
      return try say(error, of: name, &context)
    } catch let error as SchemaRefusal {
      context.effects.reportErrors(error.findings, of: name.text)
      return .no
    }
  }

  /// Runs work about a record, and says what of its schema it does not fit.
  static func saying(
    _ context: inout Context, _ body: (inout Context) throws -> Exit
  ) throws -> Exit {
    do {
      return try body(&context)
    } catch RecordFault.unfit(let name, let fault) {
      return try say(fault, of: name, &context)
    }
  }

  /// Says why there is no edit.
  private static func say(
    _ fault: SchemaFault, of name: SchemaDefinition.Name, _ context: inout Context
  ) throws -> Exit {
    switch fault {
    case .refused(let findings):
      context.effects.reportErrors(findings, of: name.text)
      return .no
    case .present: throw CommandError(.refused, "the schema '\(Escape.text(name.text))' is here")
    case .absent:
      throw CommandError(.absent, "there is no schema '\(Escape.text(name.text))'")
    case .fieldUnknown(let text):
      throw CommandError(
        .absent, "'\(Escape.text(name.text))' has no field '\(Escape.text(text.text))'")
    case .fieldAmbiguous(let text, let ids):
      throw CommandError.fatal(
        "several fields of '\(Escape.text(name.text))' are called '\(Escape.text(text.text))'",
        hints: Candidates.hints(ids))
    }
  }
}
