// redo archive: keeps old changes in one small file. Each subcommand is a command of its own.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo archive <subcommand>`.
enum Archive: CommandGroup {
  static let name = "archive"
  static let summary = "write changes into one small file, and read such files"
  static var subcommands: [any Command.Type] {
    [
      ArchiveCreate.self, ArchiveVerify.self, ArchiveList.self, ArchiveShow.self,
      ArchiveExtract.self, ArchiveDiff.self, ArchiveBundle.self, ArchiveRegisterFile.self,
      ArchiveForget.self, ArchiveRestore.self, ArchivePrune.self,
    ]
  }
}
