// redo key: the keys and other secrets of a store. Each subcommand is a command of its own.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo key <subcommand>`.
enum Key: CommandGroup {
  static let name = "key"
  static let summary = "make, show, keep and use the keys of a store"
  static var subcommands: [any Command.Type] {
    [
      KeyGenerate.self, KeyRotate.self, KeyList.self, KeyShow.self, KeyImport.self,
      KeyExport.self, KeyExists.self, KeyPut.self, KeyGet.self, KeyRemove.self,
      KeyDeviceID.self, KeyDeviceName.self, KeySign.self, KeyVerify.self,
    ]
  }
}

/// Parts shared by the subcommands.
enum KeyWords {
  static let force = OptionSpec(
    "force", letter: "f", help: "replace what is there", traits: .notNegatable)
  static let yes = OptionSpec("yes", help: "yes, do it", traits: .notNegatable)
  static let passphrase = OptionSpec("passphrase", help: "put the key under a passphrase")
  static let isPrivate = OptionSpec("private", help: "the private key", traits: .notNegatable)
  static let isPublic = OptionSpec("public", help: "the public key", traits: .notNegatable)

  /// Reads the name of a slot.
  ///
  /// - Throws: `usage` when it is not a valid name.
  static func slot(_ text: String) throws -> SlotName {
    guard let name = SlotName(text) else {
      throw CommandError.usage(
        "'\(text)' is no name of a slot",
        hints: [
          "a name has 1 to \(SlotName.byteLimit) of a-z, 0-9, '_', '.' and '-', "
            + "and begins with a letter or digit"
        ])
    }
    return name
  }

  /// The only argument.
  ///
  /// - Throws: `usage` when there is none, or more than one.
  static func only(_ options: ParsedOptions, _ what: String) throws -> String {
    guard options.arguments.count == 1 else { throw CommandError.usage("\(what) must be named") }
    return options.arguments[0]
  }
}
