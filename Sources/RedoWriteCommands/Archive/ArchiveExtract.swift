// redo archive extract: the nodes of an archive as lines, which redo import takes.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo archive extract [--format=ndjson] <file> [<id>...]`.
enum ArchiveExtract: Command {
  static let name = "extract"
  static let summary = "print nodes of an archive, a line of canonical JSON each"
  static var usage: [String] {
    ["redo-archive extract [--format=ndjson] [<keys>] <file> [<id>...]"]
  }
  private static let format = OptionSpec(
    "format", .required("format"), help: "ndjson, the only one and the default")
  static var options: [OptionSpec] { [format] + SealKeys.options }

  private enum Form: String, CaseIterable { case ndjson }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    _ = try options.choice(format, as: Form.self)
    guard let path = options.arguments.first else {
      throw CommandError.usage("no archive is named")
    }
    let wanted = Array(options.arguments.dropFirst())
    var names = try ArchiveNames(wanted)
    let file = try ArchiveFile(
      path, try SealKeys(options, reading: options.arguments), context.effects)
    // Nothing of a damaged archive is printed, because part of it could be mistaken for the whole.
    try file.check()
    try file.forEachFrame(context.effects) { nodes, _ in
      for node in nodes where wanted.isEmpty || names.take(node.id) {
        try context.output.append { output throws in
          guard node.kind == .node else {
            output += ReceiptLine.line(node, received: nil)
            return
          }
          node.appendContents(to: &output)
          output.append(UInt8(ascii: "\n"))
        }
      }
    }
    try context.output.flush()
    try names.check(path)
    return .ok
  }
}
