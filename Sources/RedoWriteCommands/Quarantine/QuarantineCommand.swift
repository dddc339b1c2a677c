// redo quarantine: changes that were received but are not part of the history. Each subcommand is a command of its own.

internal import RedoRepository
internal import RedoShell

/// `redo quarantine <subcommand>`.
enum QuarantineCommand: CommandGroup {
  static let name = "quarantine"
  static let summary = "look at changes that were received before their parents"
  static var subcommands: [any Command.Type] {
    [
      QuarantineList.self, QuarantineShow.self, QuarantinePromote.self, QuarantineDrop.self,
      QuarantineIgnore.self,
    ]
  }
}
