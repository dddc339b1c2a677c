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
  /// The shortest beginning of a name, as of ids.
  private static let shortest = 4

  /// The snapshots of which the names begin so.
  ///
  /// - Throws: `fatal` when one begins no name, or several.
  static func named(
    _ texts: [String], among names: [ObjectID]
  ) throws -> [ObjectID] {
    var found: [ObjectID] = []
    for text in texts {
      guard text.utf8.count >= shortest else {
        throw CommandError.fatal(
          "the beginning of a snapshot's name has at least \(shortest) digits: '\(text)'")
      }
      let fitting = names.filter { $0.hex.hasPrefix(text) }
      guard let name = fitting.first else {
        throw CommandError.fatal("no snapshot has the name '\(text)'")
      }
      guard fitting.count == 1 else {
        throw CommandError.fatal("'\(text)' is the beginning of several snapshots' names")
      }
      if !found.contains(name) { found.append(name) }
    }
    return found
  }
}
