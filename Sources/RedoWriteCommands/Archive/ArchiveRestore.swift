// redo archive restore: turns the nodes of a registered archive back into a pack of the store.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo archive restore [-n] [-q] [--json] [-z] [<keys>] (<file> | <name>)...`.
enum ArchiveRestore: Command {
  static let name = "restore"
  static let summary = "bring the nodes of registered archives back into the store"
  static var usage: [String] {
    ["redo-archive restore [-n] [-q] [--json] [-z] [<keys>] (<file> | <name>)..."]
  }
  static var options: [OptionSpec] { [.dryRun, .quiet, .json, .nul] + SealKeys.options }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard !options.arguments.isEmpty else { throw CommandError.usage("no archive is named") }
    let keys = try SealKeys(options, reading: options.arguments)
    let opened = try context.effects.openRepository()
    context.holdSignals()
    var held = try HeldArchives(opened, context.effects)
    for name in options.arguments {
      let archive = try held.one(name, keys, context.effects)
      let directory: PackDirectory
      if options.has(.dryRun) {
        directory = try ArchiveProving.prove(archive.path, keys, context.effects).directory
      } else {
        directory = try held.restore(archive, keys, context.effects)
        if !options.has(.quiet) {
          context.note(
            "\(archive.nodes) \(directory.kind.name)s are in the store again; "
              + "'\(Escape.text(archive.path))' stays where it is")
        }
      }
      let row = try ArchiveRow(of: directory, at: archive.path, context.effects)
      try row.write(
        isJSON: options.has(.json), end: options.rowEnd, &context)
    }
    return .ok
  }
}
