// redo archive list: what archives say of themselves.

internal import RedoObject

/// `redo archive list [--json] [-z] [<keys>] <file>...`.
enum ArchiveList: Command {
  static let name = "list"
  static let summary = "say what is in archives: counts, times and what they need"
  static var usage: [String] { ["redo-archive list [--json] [-z] <file>..."] }
  static var options: [OptionSpec] { [ArchiveWords.json, ArchiveWords.nul] + SealKeys.options }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws(CommandError) -> Exit {
    guard !options.arguments.isEmpty else { throw .usage("no archive is named") }
    let keys = try SealKeys(options)
    for path in options.arguments {
      let file = try ArchiveFile(path, keys, &context)
      try file.row.write(
        isJSON: options.has(ArchiveWords.json), end: ArchiveWords.end(options), &context)
    }
    return .ok
  }
}
