// redo backup: everything of a store in a directory of files, a file for each time, and back.

internal import RedoRepository
internal import RedoShell

/// `redo backup <directory>`, `redo backup <subcommand>`.
enum Backup: CommandGroup {
  static let name = "backup"
  static let summary = "back a store up into a directory, and restore it"
  static var subcommands: [any Command.Type] {
    [
      BackupCreate.self, BackupList.self, BackupVerify.self, BackupRestore.self, BackupPrune.self,
    ]
  }
  static var standard: (any Command.Type)? { BackupCreate.self }
  static var takesArguments: Bool { true }
  static var options: [OptionSpec] { BackupCreate.options }
  static var usage: [String] {
    ["redo-backup [<options of create>] <directory>"] + subcommands.flatMap { $0.usage }
  }

  /// The one directory that is named.
  ///
  /// - Throws: `usage` when there is none, or more.
  static func directory(_ options: ParsedOptions) throws -> String {
    guard let path = options.arguments.first, !path.isEmpty else {
      throw CommandError.usage("no directory is named")
    }
    guard options.arguments.count == 1 else {
      throw CommandError.usage("'\(options.arguments[1])': one directory is enough")
    }
    return path
  }
}
