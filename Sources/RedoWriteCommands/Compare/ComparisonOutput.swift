// What one copy of a history has and another one lacks, as rows: `<`, `>` or `!` and an id.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// The output of redo compare and redo archive diff.
enum ComparisonOutput {
  static let stat = OptionSpec("stat", help: "print numbers instead of ids")
  static var options: [OptionSpec] { [stat, .quiet, .json, .nul] }

  /// Writes what differs, and says what could not be read.
  ///
  /// - Returns: `ok` when nothing differs and everything could be read.
  static func write(
    _ found: CopyComparison, _ options: ParsedOptions, _ context: inout Context
  ) throws -> Exit {
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
    try context.output.flush()
    for unread in found.unread { for line in unread.lines { context.error(line) } }
    return rows.isEmpty && found.unread.isEmpty ? .ok : .no
  }

  private static func writeCounts(
    _ rows: [CopyComparison.Difference], same: Int, isJSON: Bool, end: UInt8,
    _ context: inout Context
  ) throws {
    func count(_ side: CopyComparison.Side) -> Int { rows.count { $0.side == side } }
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
        for side in CopyComparison.Side.allCases {
          output += "\(side.sign) \(count(side))".utf8
          output.append(end)
        }
        output += "= \(same)".utf8
        output.append(end)
      }
    }
  }
}

extension CopyComparison.Side {
  /// The sign in front of a node in rows.
  fileprivate var sign: String {
    switch self {
    case .first: "<"
    case .second: ">"
    case .signature: "!"
    }
  }
}

extension CopyComparison.Difference {
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

extension CopyComparison.Unread {
  /// The messages about it.
  var lines: [String] {
    var lines: [String] = []
    let word = kind == .node ? "change" : kind.name.description
    if unreadable > 0 {
      let many = unreadable != 1
      lines.append(
        "'\(name)': \(unreadable) \(word)\(many ? "s" : "") cannot be read, and what "
          + "\(many ? "they name" : "it names") is not known; 'redo verify' says more")
    }
    if uncompared > 0 {
      let many = uncompared != 1
      lines.append(
        "'\(name)': \(uncompared) \(word)\(many ? "s" : "") cannot be read here, so that neither whether "
          + "\(many ? "they are" : "it is") there is known, nor what \(many ? "they name" : "it names"); "
          + "'redo verify --repair-from=\(name)' may bring \(many ? "them" : "it") back")
    }
    if unfit > 0 {
      let many = unfit != 1
      lines.append(
        "'\(name)': \(unfit) value\(many ? "s are" : " is") not \(many ? "\(word)s" : "a \(word)"), or not what "
          + "\(many ? "they say" : "it says"); 'redo verify' on the file names \(many ? "them" : "it")"
      )
    }
    return lines
  }
}
