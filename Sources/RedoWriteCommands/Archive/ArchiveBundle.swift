// redo archive bundle: the changes in some ranges, as a file for somebody who already has the rest.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo archive bundle -o <file> <range>...`.
///
/// An archive like any other, except that ranges must be given: it lists the nodes they leave out as required.
enum ArchiveBundle: Command {
  static let name = "bundle"
  static let summary = "write what ranges name, for a store that has the rest"
  static var usage: [String] {
    [
      "redo-archive bundle [-q] [--json] [-f] [-r <key>]... [--manifest] -o <file>\n"
        + "             [--stdin] [--since=<archive>]... [<range>...]",
      "redo-archive bundle -n [-q] [--json] [-o <file>] [--stdin] [--since=<archive>]... [<range>...]",
    ]
  }

  private static let stdin = OptionSpec(
    "stdin", help: "read revisions and ranges from standard input, too")
  static var options: [OptionSpec] {
    ArchiveCreate.options.filter { !["before", "older-than", "clock", "split"].contains($0.name) }
      + [stdin]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    var ranges = options.arguments
    if options.has(stdin) {
      ranges += try context.names(end: options.rowEnd).map { Escape.text($0.bytes) }
      // A list that could not be made must not stand for everything.
      guard !ranges.isEmpty else { throw CommandError.fatal("no range is on standard input") }
    }
    guard !ranges.isEmpty || options.given.contains(where: { $0.spec.name == "since" }) else {
      throw CommandError.usage(
        "no range is named", hints: ["'redo archive create' writes the whole history"])
    }
    return try ArchiveCreate.run(&context, options, revisions: ranges, isIncrement: true)
  }
}
