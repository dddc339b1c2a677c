// redo archive show: one node of an archive, as redo cat-node prints it.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo archive show [-p] <file> <id>`.
enum ArchiveShow: Command {
  static let name = "show"
  static let summary = "print one node of an archive"
  static var usage: [String] { ["redo-archive show [-p] [<keys>] <file> <id>"] }
  private static let pretty = OptionSpec(letter: "p", help: "indent the JSON, for people")
  static var options: [OptionSpec] { [pretty] + SealKeys.options }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.count == 2 else {
      throw CommandError.usage("an archive and an id are needed")
    }
    let file = try ArchiveFile(
      options.arguments[0], try SealKeys(options, reading: options.arguments), context.effects)
    let node = try file.one(options.arguments[1], context.effects)
    var text: [UInt8] = []
    if options.has(pretty) {
      var whole: [UInt8] = []
      guard node.kind.appendMembers(of: node, to: &whole) else {
        preconditionFailure("BUG: an object of an archive has no members")
      }
      PrettyJSON.append(whole.span, to: &text)
      text.append(UInt8(ascii: "\n"))
    } else {
      node.appendContents(to: &text)
    }
    try context.output.write(text)
    return .ok
  }
}
