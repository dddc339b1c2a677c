// redo archive register: makes the nodes of archives count as nodes of the store, wherever the files are.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo archive register [-q] [--json] [-z] [<keys>] <file>...`.
enum ArchiveRegisterFile: Command {
  static let name = "register"
  static let summary = "let the store read archives, or tell it where they are now"
  static var usage: [String] { ["redo-archive register [-q] [--json] [-z] [<keys>] <file>..."] }
  static var options: [OptionSpec] { [.quiet, .json, .nul] + SealKeys.options }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard !options.arguments.isEmpty else { throw CommandError.usage("no archive is named") }
    let keys = try SealKeys(options, reading: options.arguments)
    let opened = try context.effects.openRepository()
    context.holdSignals()
    var held = try HeldArchives(opened, salvages: true, context.effects)
    for path in options.arguments {
      let proof = try ArchiveProving.prove(path, keys, context.effects)
      let archive = try held.register(proof, path, .kept, context.effects)
      let row = try ArchiveRow(of: proof.directory, at: path, context.effects)
      if archive.state == .removing {
        var removal = ArchiveRemoval(opened, proof)
        try removal.finish(&held, context.effects)
      }
      try row.write(
        isJSON: options.has(.json), end: options.rowEnd, &context)
    }
    return .ok
  }
}
