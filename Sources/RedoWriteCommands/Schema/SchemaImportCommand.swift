// redo schema import: definitions from files, in their own form or in those of the public app, joined with what is here.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo schema import [<file>...]`.
enum SchemaImportCommand: Command {
  static let name = "import"
  static let summary = "take in definitions from files"
  static var usage: [String] {
    [
      "redo-schema import [--scope=<uuid>] [--hide-absent] [--salvage] [<recording>] [<file>...]"
    ]
  }
  private static let hideAbsent = OptionSpec(
    "hide-absent", help: "hide the fields that a file lacks")
  private static let salvage = OptionSpec(
    "salvage", help: "leave out fields that cannot be read, and say which")
  static var options: [OptionSpec] {
    [SchemaWords.scope, hideAbsent, salvage] + SchemaWords.recording
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let scope = try SchemaWords.uuid(SchemaWords.scope, options)
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
    return try SchemaWords.edit(
      SchemaDefinition.joinedByName(definitions).map { definition in
        (.import(definition, hidesAbsent: options.has(hideAbsent)), definition.name)
      }, opened, options, &context)
  }
}
