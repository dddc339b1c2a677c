// redo snapshot: kept states, which make the next replay shorter and never other. Each subcommand is a command of its
// own.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo snapshot <subcommand>`.
enum Snapshot: Command {
  static let name = "snapshot"
  static let summary = "keep states of the history, so that only what came since is replayed"
  static var usage: [String] { subcommands.flatMap { $0.usage } }
  static var options: [OptionSpec] { [] }
  static var subcommands: [any Command.Type] {
    [SnapshotCreate.self, SnapshotList.self, SnapshotVerify.self, SnapshotDrop.self]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    throw CommandError.usage("a subcommand is needed")
  }
}

/// What the subcommands share.
enum SnapshotWords {
  static let quiet = OptionSpec("quiet", letter: "q", help: "say nothing but errors")
  static let json = OptionSpec("json", help: "an object a line, canonical JSON")
  static let nul = OptionSpec(letter: "z", help: "end each row with NUL")
}
