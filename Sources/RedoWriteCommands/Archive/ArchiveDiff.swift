// redo archive diff: which nodes are in one archive and not in another one, or not in the history of the store.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo archive diff [--stat] [--json] [-z] [-q] <file> [<file>]`.
enum ArchiveDiff: Command {
  static let name = "diff"
  static let summary = "compare the nodes of two archives, or of one with those of the store"
  static var usage: [String] {
    ["redo-archive diff [--stat] [--json] [-z] [-q] [<keys>] <file> [<file>]"]
  }
  private static let stat = OptionSpec("stat", help: "print numbers instead of ids")
  static var options: [OptionSpec] {
    [stat, .quiet, .json, .nul] + SealKeys.options
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard (1...2).contains(options.arguments.count) else {
      throw CommandError.usage("one archive is compared with the store, two with each other")
    }
    let keys = try SealKeys(options)
    let found = try ArchiveComparison.run(
      options.arguments[0], with: options.arguments.dropFirst().first, keys, context.effects)
    let rows = found.differences
    if !options.has(.quiet) {
      let isJSON = options.has(.json)
      let end = options.rowEnd
      if options.has(stat) {
        try writeCounts(rows, same: found.same, isJSON: isJSON, end: end, &context)
      } else {
        for row in rows {
          try context.output.append { output throws in
            row.append(to: &output, isJSON: isJSON)
            output.append(end)
          }
        }
      }
    }
    return rows.isEmpty ? .ok : .no
  }

  private static func writeCounts(
    _ rows: [ArchiveComparison.Difference], same: Int, isJSON: Bool, end: UInt8,
    _ context: inout Context
  ) throws {
    func count(_ side: ArchiveComparison.Side) -> Int { rows.count { $0.side == side } }
    try context.output.append { output throws in
      if isJSON {
        var row = JSONRow()
        row.add("first", count(.first))
        row.add("same", same)
        row.add("second", count(.second))
        row.add("signature", count(.signature))
        row.append(to: &output)
        output.append(end)
      } else {
        for side in ArchiveComparison.Side.allCases {
          output += "\(side.sign) \(count(side))".utf8
          output.append(end)
        }
        output += "= \(same)".utf8
        output.append(end)
      }
    }
  }
}

extension ArchiveComparison.Side {
  /// The sign in front of a node in rows.
  fileprivate var sign: String {
    switch self {
    case .first: "<"
    case .second: ">"
    case .signature: "!"
    }
  }
}

extension ArchiveComparison.Difference {
  /// Appends the row without its terminator.
  fileprivate func append(to output: inout [UInt8], isJSON: Bool) {
    if isJSON {
      var row = JSONRow()
      row.add("id", id.text)
      row.add("side", side.sign)
      row.append(to: &output)
    } else {
      output += "\(side.sign) ".utf8
      id.append(to: &output)
    }
  }
}
