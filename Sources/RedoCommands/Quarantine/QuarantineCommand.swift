// redo quarantine: what was received and is not a part of the history. Each subcommand is a command of its own.

internal import RedoRepository
internal import RedoShell

/// `redo quarantine <subcommand>`.
enum QuarantineCommand: Command {
  static let name = "quarantine"
  static let summary = "look at changes that were received before their parents"
  static var usage: [String] { subcommands.flatMap { $0.usage } }
  static var options: [OptionSpec] { [] }
  static var subcommands: [any Command.Type] {
    [QuarantineList.self, QuarantineShow.self, QuarantinePromote.self, QuarantineDrop.self]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    throw CommandError.usage("a subcommand is needed")
  }
}

/// What the subcommands share.
enum QuarantineWords {
  static let quiet = OptionSpec("quiet", letter: "q", help: "print nothing but errors")
  static let json = OptionSpec("json", help: "an object a line, canonical JSON")
  static let nul = OptionSpec(letter: "z", help: "end each row with NUL")

  /// What ends a row.
  static func end(_ options: ParsedOptions) -> UInt8 { options.has(nul) ? 0 : UInt8(ascii: "\n") }
}
