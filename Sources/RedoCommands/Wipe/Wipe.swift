// redo wipe
internal import RedoObject
internal import RedoStore

/// stub
enum Wipe: Command {
  static let name = "wipe"
  static let summary = "remove changes for good, by author or all"
  static var usage: [String] { ["redo-wipe"] }
  static var options: [OptionSpec] { [] }
  static func run(_ context: inout Context, _ options: ParsedOptions) throws(CommandError) -> Exit { .ok }
}
