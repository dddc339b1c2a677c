// redo archive list: what archives say of themselves, and which ones the store reads.

internal import RedoObject
internal import RedoStore

/// `redo archive list [--json] [-z] [<file>...]`.
enum ArchiveList: Command {
  static let name = "list"
  static let summary = "say what is in archives: counts, times and what they need"
  static var usage: [String] { ["redo-archive list [--json] [-z] [<file>...]"] }
  static var options: [OptionSpec] { [ArchiveWords.json, ArchiveWords.nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws(CommandError) -> Exit {
    let isJSON = options.has(ArchiveWords.json)
    let end = ArchiveWords.end(options)
    guard !options.arguments.isEmpty else {
      for archive in try registered(try context.openRepository()) {
        try row(archive).write(isJSON: isJSON, end: end, &context)
      }
      return .ok
    }
    for path in options.arguments {
      let file = try ArchiveFile(path, context)
      try file.row.write(isJSON: isJSON, end: end, &context)
    }
    return .ok
  }

  private static func registered(
    _ opened: OpenRepository
  ) throws(CommandError) -> [ShelvedArchive] {
    do throws(StoreError) { return try opened.objects.archives?.all() ?? [] } catch {
      throw .fatal(error)
    }
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

/// What is known of a registered archive.
struct RegisteredRow {
  let archive: RegisteredArchive
  /// What it says of itself, if its file is there.
  let directory: PackDirectory?
  /// `present`, `offline` or `removing`.
  let state: String

  /// Writes `<name> <nodes> <bytes> <first> <last> <state> <file>`, or the members in RFC 8785 order.
  func write(isJSON: Bool, end: UInt8, _ context: inout Context) throws(CommandError) {
    let first = ArchiveRow.wall(directory?.walls?.lowerBound)
    let last = ArchiveRow.wall(directory?.walls?.upperBound)
    try context.output.append { output throws(CommandError) in
      if isJSON {
        var row = JSONRow()
        row.add("bytes", archive.bytes)
        row.add("file", archive.path)
        row.addIfAny("first", first)
        row.addIfAny("last", last)
        row.add("name", archive.hex)
        row.add("nodes", archive.nodes)
        row.add("sha256", ObjectID(digest: archive.hash).hex)
        row.add("state", state)
        row.append(to: &output)
      } else {
        output += "\(archive.hex) \(archive.nodes) \(archive.bytes) ".utf8
        output += "\(first ?? "-") \(last ?? "-") \(state) \(Escape.text(archive.path))".utf8
      }
      output.append(end)
    }
  }
}
