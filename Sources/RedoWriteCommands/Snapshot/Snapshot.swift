// redo snapshot: saved states, which make the next replay shorter but never change its result. Each subcommand is a
// command of its own.

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
