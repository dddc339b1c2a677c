// redo schema import: definitions from files, in their own form or in those of the public app, joined with what is here.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo schema import [<file>...]`.
enum SchemaImportCommand: Command {
  static let name = "import"
  static let summary = "take in definitions from files"
  static var usage: [String] {
    [
      "redo-schema import [--scope=<uuid>] [--hide-absent] [--salvage] [--records] [<recording>] [<file>...]"
    ]
  }
  private static let hideAbsent = OptionSpec(
    "hide-absent", help: "hide the fields that a file lacks")
  private static let salvage = OptionSpec(
    "salvage", help: "leave out fields that cannot be read, and say which")
  private static let records = OptionSpec(
    "records", help: "take in the records of backups as well")
  static var options: [OptionSpec] {
    [SchemaWords.scope, hideAbsent, salvage, records] + SchemaWords.recording
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let scope = try SchemaWords.uuid(SchemaWords.scope, options)
    if options.has(records),
      options.arguments.isEmpty || options.arguments.contains(InputFile.standardInputSign)
    {
      throw CommandError.usage("'--records' reads files twice, and standard input is read once")
    }
    let opened = try context.effects.openRepository()
    let names = options.arguments.isEmpty ? [InputFile.standardInputSign] : options.arguments
    var definitions: [SchemaDefinition] = []
    // All files are read before anything is written.
    for path in names {
      guard
        let read = try SchemaMergeFile.read(
          path, salvages: options.has(salvage), scope, isQuiet: options.has(.quiet), &context)
      else { return .no }
      definitions += read
    }
    var entries: [RecordFile.Entry] = []
    if options.has(records) {
      guard
        let read = try RecordImport.read(
          names, salvages: options.has(salvage), backupsOnly: true,
          isQuiet: options.has(.quiet), &context)
      else { return .no }
      entries = read
    }
    let exit = try SchemaWords.edit(
      SchemaDefinition.joinedByName(definitions).map { definition in
        ([SchemaRequest.import(definition, hidesAbsent: options.has(hideAbsent))], definition.name)
      }, opened, options, &context)
    guard options.has(records), exit == .ok else { return exit }
    return try RecordImport.take(entries, opened, options, &context)
  }
}
