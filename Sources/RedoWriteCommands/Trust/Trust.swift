// redo trust: who may sign. Each subcommand is a command of its own.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo trust <subcommand>`.
enum Trust: CommandGroup {
  static let name = "trust"
  static let summary = "say who may sign, until when, and what stays good of a lost key"
  static var subcommands: [any Command.Type] {
    [TrustAdd.self, TrustShow.self, TrustRevoke.self, TrustCheck.self]
  }
}

/// Parts shared by the subcommands.
enum TrustWords {
  static let message = OptionSpec(
    "message", letter: "m", .required("comment"), help: "what stands behind the line")

  /// Reads the signer that an argument names.
  ///
  /// - Throws: `fatal` when it is neither a key nor a user id.
  static func signer(_ text: String) throws -> Signer {
    let bytes = Array(text.utf8)
    if let signer = Signer(hex: bytes.span) { return signer }
    let hint = EncodingHint.text(for: bytes.span)
    throw CommandError.fatal(
      "neither a public key nor a user id: '\(text)'",
      hints: [hint ?? "a key has 64 lower-case hex digits, a user id 32"])
  }

  /// The comment, if one was given.
  ///
  /// - Throws: `usage` when it is not a single line.
  static func comment(_ options: ParsedOptions) throws -> [UInt8]? {
    guard let text = options.value(message) else { return nil }
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw CommandError.usage("a comment is one line without control characters")
    }
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    return words.isEmpty ? nil : Array(words.joined(separator: " ").utf8)
  }

  /// Prints the lines of a change: as written in the file, or their meaning as JSON.
  static func write(
    _ change: TrustChange, _ options: ParsedOptions, _ context: inout Context
  ) throws {
    let end = options.rowEnd
    guard options.has(.json) else {
      if options.has(.quiet) { return }
      for line in change.lines {
        try context.output.write(line.bytes)
        try context.output.write(byte: end)
      }
      return
    }
    let rows = TrustRow.rows(change.text.list, now: WallTime(milliseconds: context.clock()))
    let signers = Set(change.lines.map(\.signer))
    let writer = RowWriter(TrustRow.columns, isJSON: true, end: end)
    try writer.write(rows.filter { signers.contains($0.entry.signer) }, &context)
  }
}
