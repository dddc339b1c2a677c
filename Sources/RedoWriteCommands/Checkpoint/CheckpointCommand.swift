// redo checkpoint: signed statements about the history, against which a later history is checked. Each
// subcommand is a command of its own.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo checkpoint <subcommand>`.
enum CheckpointCommand: CommandGroup {
  static let name = "checkpoint"
  static let summary = "sign what the history is, and find out whether a later one continues it"
  static var subcommands: [any Command.Type] {
    [CheckpointCreate.self, CheckpointList.self, CheckpointVerify.self]
  }
}

/// Parts shared by the subcommands and the commands that work with proofs.
enum CheckpointWords {
  static let key = OptionSpec(
    "key", .required("hex"), help: "the public key that must have signed the checkpoint")

  static let ids = OptionSpec(
    "ids", .required("file"), help: "the list of the ids that the checkpoint covers")

  /// The key that an option names.
  ///
  /// - Throws: `usage` when the value is not a key.
  static func pinned(_ options: ParsedOptions) throws -> PublicKey? {
    guard let text = options.value(key) else { return nil }
    let digits = Array(text.utf8)
    guard let bytes = Hex.decode32(digits.span) else {
      throw CommandError.usage(
        "option '--key' expects a public key, 64 lower-case hex digits, not '\(text)'",
        hints: [EncodingHint.text(for: digits.span)].compactMap(\.self))
    }
    return PublicKey(bytes: bytes)
  }
}
