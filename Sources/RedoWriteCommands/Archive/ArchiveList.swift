// redo archive list: what archives contain according to their directories, and which ones the store reads.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo archive list [--json | --heads] [-z] [<keys>] [<file>...]`.
enum ArchiveList: Command {
  static let name = "list"
  static let summary = "say what is in archives: counts, times and what they need"
  static var usage: [String] { ["redo-archive list [--json] [-z] [<file>...]"] }
  private static let heads = OptionSpec(
    "heads", help: "print the ids of nodes that no other node of the archive names as parent")
  static var options: [OptionSpec] {
    [.json, .nul] + SealKeys.options + [heads]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    _ = try options.only(oneOf: [.json, heads])
    let isJSON = options.has(.json)
    let end = options.rowEnd
    guard !options.arguments.isEmpty else {
      guard !options.has(heads) else { throw CommandError.usage("no archive is named") }
      let rows = try registered(try context.effects.openRepository()).map { row($0) }
      try RowWriter(RegisteredRow.columns, options).write(rows, &context)
      return .ok
    }
    let keys = try SealKeys(options, reading: options.arguments)
    for path in options.arguments {
      let file = try ArchiveFile(path, keys, context.effects)
      if options.has(heads) {
        try writeHeads(file, end, &context)
        continue
      }
      try file.row.write(isJSON: isJSON, end: end, &context)
    }
    return .ok
  }

  /// Prints the heads, which requires reading every node; prints nothing for a damaged archive.
  private static func writeHeads(
    _ file: borrowing ArchiveFile, _ end: UInt8, _ context: inout Context
  ) throws {
    try file.check()
    var tally = HeadTally()
    var reader = NodeReader()
    let path = file.path
    try file.forEachFrame(context.effects) { nodes, _ in
      for node in nodes {
        let parents = reader.decode(node)?.parents ?? reader.decoder.decodeBroken(node)?.parents
        guard let parents else {
          throw CommandError.fatal("'\(path)' has an object that is no node: '\(node.id.text)'")
        }
        tally.add(node.id, parents: parents)
      }
    }
    for id in tally.sorted {
      try context.output.append { output throws in
        id.append(to: &output)
        output.append(end)
      }
    }
  }

  private static func registered(
    _ opened: Repository
  ) throws -> [ShelvedArchive] {
    return try opened.objects.archives?.all() ?? []
  }

  private static func row(_ shelved: ShelvedArchive) -> RegisteredRow {
    let isPresent = shelved.condition() == .present
    let directory = isPresent ? try? shelved.pack.directory() : nil
    let isRemoving = shelved.archive.state == .removing
    return RegisteredRow(
      archive: shelved.archive, directory: directory,
      state: directory == nil ? "offline" : isRemoving ? "removing" : "present")
  }
}

/// What is known about a registered archive.
struct RegisteredRow {
  let archive: RegisteredArchive
  /// The directory of the archive, if its file is there.
  let directory: PackDirectory?
  /// `present`, `offline` or `removing`.
  let state: String

  /// `<name> <nodes> <bytes> <first> <last> <state> <file>`, and the hash in JSON.
  static var columns: [RowColumn<RegisteredRow>] {
    [
      .word("name") { $0.archive.hex },
      .number("nodes") { $0.archive.nodes },
      .number("bytes") { $0.archive.bytes },
      .word("first") { ArchiveRow.wall($0.directory?.walls?.lowerBound) },
      .word("last") { ArchiveRow.wall($0.directory?.walls?.upperBound) },
      .word("state") { $0.state },
      .text("file") { $0.archive.path },
      .word("sha256", in: .json) { ObjectID(digest: $0.archive.hash).hex },
    ]
  }
}
