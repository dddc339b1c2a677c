// redo archive forget: makes the store stop reading archives. Their files stay where they are.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo archive forget [-f] [-q] (<file> | <name>)...`.
enum ArchiveForget: Command {
  static let name = "forget"
  static let summary = "take archives out of what the store reads; their files stay"
  static var usage: [String] { ["redo-archive forget [-f] [-q] (<file> | <name>)..."] }
  private static let force = OptionSpec(
    "force", letter: "f", help: "even if nodes are missing from the store then")
  static var options: [OptionSpec] { [force, .quiet] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard !options.arguments.isEmpty else { throw CommandError.usage("no archive is named") }
    let opened = try context.effects.openRepository()
    context.holdSignals()
    var held = try HeldArchives(opened, salvages: options.has(force), context.effects)
    for name in options.arguments {
      let archive = try held.forget(name, isForced: options.has(force), context.effects)
      if !options.has(.quiet) {
        context.note("the store reads '\(Escape.text(archive.path))' no longer")
      }
    }
    return .ok
  }
}
