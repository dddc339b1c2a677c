// redo archive diff: which nodes are in one archive and not in another one, or not in the history of the store.

internal import RedoRepository
internal import RedoShell

/// `redo archive diff [--stat] [--json] [-z] [-q] <file> [<file>]`.
enum ArchiveDiff: Command {
  static let name = "diff"
  static let summary = "compare the nodes of two archives, or of one with those of the store"
  static var usage: [String] {
    ["redo-archive diff [--stat] [--json] [-z] [-q] [<keys>] <file> [<file>]"]
  }
  static var options: [OptionSpec] { ComparisonOutput.options + SealKeys.options }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard (1...2).contains(options.arguments.count) else {
      throw CommandError.usage("one archive is compared with the store, two with each other")
    }
    let keys = try SealKeys(options, reading: options.arguments)
    let effects = context.effects
    let first = try CopySource(options.arguments[0], effects)
    let second =
      try options.arguments.dropFirst().first.map { name throws in try CopySource(name, effects) }
      ?? CopySource(try effects.openRepository())
    return try ComparisonOutput.write(
      CopyComparison(first, second, keys, effects), options, &context)
  }
}
