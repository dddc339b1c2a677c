// redo archive: old changes in one small file. Each subcommand is a command of its own.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
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
