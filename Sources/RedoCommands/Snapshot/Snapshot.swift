// redo snapshot: kept states, which make the next replay shorter and never other. Each subcommand is a command of its
// own.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo snapshot <subcommand>`.
enum Snapshot: CommandGroup {
  static let name = "snapshot"
  static let summary = "keep states of the history, so that only what came since is replayed"
  static var subcommands: [any Command.Type] {
    [SnapshotCreate.self, SnapshotList.self, SnapshotVerify.self, SnapshotDrop.self]
  }
}

/// What the subcommands share.
enum SnapshotWords {
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
