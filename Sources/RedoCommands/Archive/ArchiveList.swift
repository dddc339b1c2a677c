// redo archive list: what archives say of themselves.

internal import RedoObject

/// `redo archive list [--json | --heads] [-z] [<keys>] <file>...`.
enum ArchiveList: Command {
  static let name = "list"
  static let summary = "say what is in archives: counts, times and what they need"
  static var usage: [String] { ["redo-archive list [--json] [-z] <file>..."] }
  private static let heads = OptionSpec(
    "heads", help: "print the ids of nodes that no other node of the archive names as parent")
  static var options: [OptionSpec] {
    [ArchiveWords.json, ArchiveWords.nul] + SealKeys.options + [heads]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws(CommandError) -> Exit {
    guard !options.arguments.isEmpty else { throw .usage("no archive is named") }
    _ = try options.only(oneOf: [ArchiveWords.json, heads])
    let keys = try SealKeys(options)
    for path in options.arguments {
      var file = try ArchiveFile(path, keys, &context)
      if options.has(heads) {
        try writeHeads(&file, ArchiveWords.end(options), &context)
        continue
      }
      try file.row.write(
        isJSON: options.has(ArchiveWords.json), end: ArchiveWords.end(options), &context)
    }
    return .ok
  }

  /// Prints the heads, for which every node is looked at; of a damaged archive nothing.
  private static func writeHeads(
    _ file: inout ArchiveFile, _ end: UInt8, _ context: inout Context
  ) throws(CommandError) {
    try file.check()
    var tally = HeadTally()
    var reader = NodeReader()
    let path = file.path
    try file.forEachFrame(&context) { nodes, _, _ throws(CommandError) in
      for node in nodes {
        let parents = reader.decode(node)?.parents ?? reader.decoder.decodeBroken(node)?.parents
        guard let parents else {
          throw .fatal("'\(path)' has an object that is no node: '\(node.id.text)'")
        }
        tally.add(node.id, parents: parents)
      }
    }
    for id in tally.sorted {
      try context.output.append { output throws(CommandError) in
        id.append(to: &output)
        output.append(end)
      }
    }
  }
}
