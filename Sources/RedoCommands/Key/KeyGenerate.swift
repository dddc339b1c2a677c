// redo key generate, rotate: a new key pair. It is a new user id (nothing can bring a lost key
// back), so what depends on that is said.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo key generate [--passphrase] [-f]`.
enum KeyGenerate: Command {
  static let name = "generate"
  static let summary = "make a key pair and print its user id"
  static var usage: [String] {
    ["redo-key generate [--passphrase] [--passphrase-fd=<n>] [-f]"]
  }
  static var options: [OptionSpec] {
    [KeyWords.passphrase, PassphraseSource.descriptorOption, KeyWords.force]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else { throw CommandError.usage("there is nothing to name") }
    let opened = try context.effects.openRepository()
    let isForced = options.has(KeyWords.force)
    let old = try NewPair.userID(opened)
    if let old, !isForced { throw NewPair.taken(old) }
    return try NewPair.make(opened, options, isForced ? .always : .never, &context)
  }
}

/// `redo key rotate [--passphrase]`.
enum KeyRotate: Command {
  static let name = "rotate"
  static let summary = "make a new key pair and retire the old one"
  static var usage: [String] { ["redo-key rotate [--[no-]passphrase] [--passphrase-fd=<n>]"] }
  static var options: [OptionSpec] { [KeyWords.passphrase, PassphraseSource.descriptorOption] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else { throw CommandError.usage("there is nothing to name") }
    let opened = try context.effects.openRepository()
    guard try NewPair.userID(opened) != nil else {
      throw CommandError.fatal(
        "there is no key to retire", hints: ["'redo key generate' makes the first"])
    }
    let old = try publicKey(opened)
    let exit = try NewPair.make(opened, options, .always, &context)
    // Who is trusted is another question, and no reason to keep a key.
    if let old, let new = try publicKey(opened), let list = try? context.effects.trustList(opened),
      list.entry(of: old) != nil, list.entry(of: new) == nil
    {
      let (old, new) = (Hex.text(old.bytes.span), Hex.text(new.bytes.span))
      try context.output.flush()
      context.hint("the new key is not trusted: 'redo trust add --prove --same-as=\(old) \(new)'")
    }
    return exit
  }

  private static func publicKey(_ opened: Repository) throws -> PublicKey? {
    let keyring = try opened.keyring()
    return try keyring.publicKey()
  }
}

/// What generate, rotate and import share.
enum NewPair {
  /// The user id of the pair that is there.
  static func userID(_ opened: Repository) throws -> UserID? {
    let keyring = try opened.keyring()
    return try keyring.userID()
  }

  /// The refusal to put another in the place of a pair.
  static func taken(_ user: UserID) -> CommandError {
    CommandError(
      .refused, "there is a key already, of user '\(user.text)'",
      hints: ["'redo key rotate' makes a new one, and '--force' replaces it; both keep the old one"]
    )
  }

  /// Makes a pair and prints its user id.
  static func make(
    _ opened: Repository, _ options: ParsedOptions, _ replacing: Replacing,
    _ context: inout Context
  ) throws -> Exit {
    let source = try PassphraseSource(options)
    let passphrase: SecretBytes?
    // A key that was under a passphrase is not followed by one that is not, unless that is said.
    let wasWrapped = try isWrapped(opened)
    let isWrapping = options.flag(KeyWords.passphrase) ?? (wasWrapped || source.descriptor != nil)
    passphrase = isWrapping ? try source.new(opened, context.effects) : nil
    context.holdSignals()
    let key = SecretKey.generate()
    let text = try source.text(of: key, under: passphrase)
    try install(text, of: key.publicKey, opened, replacing, &context)
    return .ok
  }

  private static func isWrapped(_ opened: Repository) throws -> Bool {
    let keyring = try opened.keyring()
    return try keyring.pair().isWrapped
  }

  /// Puts a pair in its slots, prints its user id, and says what its being new means.
  ///
  /// - Throws: `refused` when there is one that stays, `fatal` when nothing can be written.
  static func install(
    _ text: borrowing SecretBytes, of key: PublicKey, _ opened: Repository,
    _ replacing: Replacing, _ context: inout Context
  ) throws {
    let writer = try opened.keyringWriter()
    let old = try writer.keyring.userID()
    let names = try writer.keyring.fileNames()
    let isDone = try writer.install(text, of: key, replacing)
    guard isDone else { throw taken(old ?? UserID(of: key)) }
    try say(UserID(of: key), after: old, names, opened, &context)
  }

  /// Prints a user id; if it is a new one where others were, says so.
  static func say(
    _ user: UserID, after old: UserID?, _ names: [SlotName], isNew: Bool = true,
    _ opened: Repository, _ context: inout Context
  ) throws {
    try context.output.writeLine(user.text)
    try context.output.flush()
    if let old, old != user {
      context.warning(
        "'\(user.text)' is a new user id: nodes of '\(old.text)' stay what they are, and "
          + "still verify")
    } else if isNew, old == nil,
      try hasNodes(opened) || names.contains(where: { $0.kind.isRetired })
    {
      context.warning(
        "'\(user.text)' is a new user id: nodes of others, and of a lost key, stay what they are, "
          + "and still verify")
    }
    if let origin = KeySource.precedence(opened, context.effects) {
      // Of a command the setting is named: whether it prints a key is not known.
      let place = if case .command(let setting) = origin { "'\(setting)'" } else { origin.words }
      context.warning("\(place) comes before the keyring: this key does not sign")
    }
  }

  private static func hasNodes(_ opened: Repository) throws -> Bool {
    var snapshot = try opened.snapshot()
    return try snapshot.count() > 0
  }
}

extension PassphraseSource {
  /// The text to store of a key.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - passphrase: what is to open it; `nil` for a plain one.
  /// - Returns: the text.
  /// - Throws: `fatal` when there is not enough memory.
  func text(
    of key: borrowing SecretKey, under passphrase: borrowing SecretBytes?
  ) throws -> SecretBytes {
    switch passphrase {
    case .none: return PrivateKeyText.plainText(of: key)
    case .some(let passphrase):
      var text = try wrap(passphrase, key).text
      return SecretBytes(moving: &text)
    }
  }
}
