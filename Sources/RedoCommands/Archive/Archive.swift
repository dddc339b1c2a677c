// redo archive: old changes in one small file. Each subcommand is a command of its own.

internal import RedoObject
internal import RedoStore

/// `redo archive <subcommand>`.
enum Archive: Command {
  static let name = "archive"
  static let summary = "write changes into one small file, and read such files"
  static var usage: [String] { subcommands.flatMap { $0.usage } }
  static var options: [OptionSpec] { [] }
  static var subcommands: [any Command.Type] {
    [
      ArchiveCreate.self, ArchiveVerify.self, ArchiveList.self, ArchiveShow.self,
      ArchiveExtract.self, ArchiveDiff.self, ArchiveBundle.self, ArchiveRegisterFile.self,
      ArchiveForget.self, ArchiveRestore.self, ArchivePrune.self,
    ]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    throw CommandError.usage("a subcommand is needed")
  }
}

/// What the subcommands share.
enum ArchiveWords {
  static let json = OptionSpec("json", help: "an object a line, canonical JSON")
  static let nul = OptionSpec(letter: "z", help: "end each row with NUL")

  /// What ends a row.
  static func end(_ options: ParsedOptions) -> UInt8 {
    options.has(nul) ? 0 : UInt8(ascii: "\n")
  }
}

/// What is known of an archive without a look at its nodes.
struct ArchiveRow {
  let directory: PackDirectory
  let fileBytes: Int
  let path: String
  /// Whether the file is an encrypted one.
  var isSealed = false

  /// Appends `<name> <nodes> <bytes> <first> <last> <file>`; `-` stands for what there is not.
  func append(to output: inout [UInt8]) {
    output += Self.hex(directory).utf8
    output += " \(directory.nodes) \(fileBytes) ".utf8
    output += "\(Self.wall(directory.walls?.lowerBound) ?? "-") ".utf8
    output += "\(Self.wall(directory.walls?.upperBound) ?? "-") ".utf8
    output += Escape.text(path).utf8
  }

  /// Appends the members in RFC 8785 order.
  func appendJSON(to output: inout [UInt8]) {
    var row = JSONRow()
    row.add("bytes", fileBytes)
    row.add("canonicalBytes", directory.canonicalBytes)
    if isSealed { row.add("encrypted", true) }
    row.add("file", path)
    row.addIfAny("first", Self.wall(directory.walls?.lowerBound))
    row.add("frames", directory.frames.count)
    row.addIfAny("last", Self.wall(directory.walls?.upperBound))
    if let lamports = directory.lamports {
      row.add("lamports", [lamports.lowerBound, lamports.upperBound]) { number, output in
        output += "\(number)".utf8
      }
    }
    row.add("name", Self.hex(directory))
    row.add("nodes", directory.nodes)
    row.add("prerequisites", directory.prerequisites) { id, output in
      output.append("\"")
      id.append(to: &output)
      output.append("\"")
    }
    row.append(to: &output)
  }

  /// Writes the row.
  func write(isJSON: Bool, end: UInt8, _ context: inout Context) throws {
    try context.output.append { output throws in
      if isJSON { appendJSON(to: &output) } else { append(to: &output) }
      output.append(end)
    }
  }

  /// The name of an archive: 64 hex digits.
  static func hex(_ directory: PackDirectory) -> String {
    ObjectID(digest: directory.name).hex
  }

  /// A wall time as text; `nil` for none, and for what is none.
  static func wall(_ milliseconds: Int64?) -> String? {
    guard let milliseconds, let moment = Moment(milliseconds: milliseconds) else { return nil }
    return WallTime(milliseconds: moment.milliseconds).text
  }
}
