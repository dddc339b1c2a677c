// redo key import, export: the only ways by which a key enters or leaves a keyring as it is.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo key import (--private | --public) [<file>]`.
enum KeyImport: Command {
  static let name = "import"
  static let summary = "take in a key from a file or standard input"
  static var usage: [String] {
    [
      "redo-key import --private [--passphrase] [--passphrase-fd=<n>] [-f] [<file>]",
      "redo-key import --public [-f] [<file>]",
    ]
  }
  static var options: [OptionSpec] {
    [
      KeyWords.isPrivate, KeyWords.isPublic, KeyWords.passphrase,
      PassphraseSource.descriptorOption, KeyWords.force,
    ]
  }
  /// What else was taken for a key before.
  private static let hints = [
    "a key is 64 lower-case hex digits; upper case, Base58 and Base64 are other forms of it",
    "a private key is its seed: of 128 digits the first 64",
  ]

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard let which = try options.only(oneOf: [KeyWords.isPrivate, KeyWords.isPublic]) else {
      throw CommandError.usage("one of '--private' and '--public' is needed")
    }
    guard options.arguments.count <= 1 else {
      throw CommandError.usage("only one file can be named")
    }
    let opened = try context.effects.openRepository()
    let name = options.arguments.first ?? InputFile.standardInputName
    let text = try InputFile.secret(
      from: options.arguments.first, limit: PrivateKeyText.byteLimit, context.effects)
    guard let text else { throw CommandError.fatal("'\(name)' is empty", code: "KEYCHAIN_003") }
    let replacing: Replacing = options.has(KeyWords.force) ? .always : .never
    if which.isSame(as: KeyWords.isPublic) {
      try importPublic(text, name, opened, replacing, &context)
    } else {
      try importPrivate(text, name, opened, replacing, options, &context)
    }
    return .ok
  }

  private static func importPrivate(
    _ text: borrowing SecretBytes, _ name: String, _ opened: Repository,
    _ replacing: Replacing, _ options: ParsedOptions, _ context: inout Context
  ) throws {
    let source = try PassphraseSource(options)
    let read: PrivateKeyText
    do throws(WrappedKey.Fault) {
      read = try PrivateKeyText.read(text)
    } catch {
      throw CommandError.fatal(
        "'\(name)' is no private key: \(error.reason)", hints: Self.hints, code: "KEYCHAIN_003")
    }
    let publicKey = read.publicKey
    let stored: SecretBytes
    switch consume read {
    case .plain(let key):
      let wraps = options.flag(KeyWords.passphrase) ?? (source.descriptor != nil)
      let passphrase = wraps ? try source.new(opened, context.effects) : nil
      stored = try source.text(of: key, under: passphrase)
    case .wrapped(let wrapped):
      // A key that nobody can open is none: the passphrase is tried before anything is written.
      let key = try source.open(wrapped, opened, context.effects)
      if options.flag(KeyWords.passphrase) == false {
        stored = PrivateKeyText.plainText(of: key)
      } else {
        var bytes = wrapped.text
        stored = SecretBytes(moving: &bytes)
      }
    }
    context.holdSignals()
    if case .never = replacing, try isThere(publicKey, opened) {
      // Again the same: that is no other key.
      try context.output.writeLine(UserID(of: publicKey).text)
      return
    }
    try NewPair.install(stored, of: publicKey, opened, replacing, &context)
  }

  private static func isThere(
    _ key: PublicKey, _ opened: Repository
  ) throws -> Bool {
    let keyring = try opened.keyring()
    guard let known = try keyring.privateKey() else { return false }
    return known.publicKey == key
  }

  private static func importPublic(
    _ text: borrowing SecretBytes, _ name: String, _ opened: Repository,
    _ replacing: Replacing, _ context: inout Context
  ) throws {
    let bytes = text.withSpan { span in
      let hasEnd = span[span.count - 1] == UInt8(ascii: "\n")
      return Hex.decode32(span.extracting(0..<(span.count - (hasEnd ? 1 : 0))))
    }
    guard let bytes else {
      throw CommandError.fatal(
        "'\(name)' is no public key", hints: [Self.hints[0]], code: "KEYCHAIN_003")
    }
    let key = PublicKey(bytes: bytes)
    context.holdSignals()
    let writer = try opened.keyringWriter()
    let old = try writer.keyring.userID()
    let isDone = try writer.install(publicKey: key, replacing)
    guard isDone else { throw NewPair.taken(old ?? UserID(of: key)) }
    try NewPair.say(UserID(of: key), after: old, [], isNew: false, opened, &context)
  }
}

/// `redo key export (--private --yes | --public) [-o <file>]`.
enum KeyExport: Command {
  static let name = "export"
  static let summary = "print a key, or write it to a file"
  static var usage: [String] {
    [
      "redo-key export --private --yes [--[no-]passphrase] [--passphrase-fd=<n>]\n"
        + "                [-f] [-o <file>] [<slot>]",
      "redo-key export --public [-f] [-o <file>]",
    ]
  }
  private static let output = OptionSpec(
    "output", letter: "o", .required("file"), help: "write to a new file, of mode 0600")
  static var options: [OptionSpec] {
    [
      KeyWords.isPrivate, KeyWords.isPublic, KeyWords.yes, KeyWords.passphrase,
      PassphraseSource.descriptorOption, output, KeyWords.force,
    ]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard let which = try options.only(oneOf: [KeyWords.isPrivate, KeyWords.isPublic]) else {
      throw CommandError.usage("one of '--private' and '--public' is needed")
    }
    let isPrivate = which.isSame(as: KeyWords.isPrivate)
    let slot = try options.arguments.first.map { (text) throws in
      try KeyWords.slot(text)
    }
    guard options.arguments.count <= 1, slot?.kind.isPrivateKey ?? true, isPrivate || slot == nil
    else {
      throw CommandError.usage(
        "only the slot of a private key can be named", hints: ["'-o' names a file to write"])
    }
    guard !isPrivate || options.has(KeyWords.yes) else {
      throw CommandError(
        .refused, "whoever reads the private key can sign in your name",
        hints: ["'--yes' exports it all the same, '--passphrase' under a passphrase"])
    }
    let opened = try context.effects.openRepository()
    let text: SecretBytes?
    if isPrivate {
      text = try privateText(slot ?? .privateKey, opened, options, &context)
    } else {
      text = try publicText(opened)
    }
    guard let text else {
      let place = slot.map { "slot '\($0.text)'" } ?? "the keyring"
      throw CommandError(.refused, "there is no \(which.name) key in \(place)")
    }
    guard let path = options.value(output) else {
      try context.output.write(secret: text)
      return .ok
    }
    context.holdSignals()
    let policy = try opened.keyringOptions().sync
    do throws(SystemError) {
      let isDone = try SecretFile.write(
        text, to: context.resolve(path), options.has(KeyWords.force) ? .always : .never, policy)
      guard !isDone else { return .ok }
    } catch {
      throw CommandError.fatal(error.description, code: "KEYCHAIN_001")
    }
    throw CommandError(
      .refused, "there is a file '\(path)' already", hints: ["'--force' replaces it"])
  }

  private static func publicText(_ opened: Repository) throws -> SecretBytes? {
    let keyring = try opened.keyring()
    let key = try keyring.publicKey()
    guard let key else { return nil }
    var text: [UInt8] = []
    Hex.append(key.bytes.span, to: &text)
    text.append(UInt8(ascii: "\n"))
    return SecretBytes(moving: &text)
  }

  /// As it is stored, unless an option says otherwise.
  private static func privateText(
    _ slot: SlotName, _ opened: Repository, _ options: ParsedOptions, _ context: inout Context
  ) throws -> SecretBytes? {
    let keyring = try opened.keyring()
    let source = try PassphraseSource(options)
    let found = try keyring.privateKey(slot)
    guard let found else { return nil }
    let wraps = options.flag(KeyWords.passphrase)
    switch consume found {
    case .plain(let key):
      guard wraps == true else { return PrivateKeyText.plainText(of: key) }
      return try source.text(of: key, under: try source.new(opened, context.effects))
    case .wrapped(let key):
      guard wraps == false else {
        // Its own passphrase goes on to hold; to change it, export it plain and import it again.
        var text = key.text
        return SecretBytes(moving: &text)
      }
      return PrivateKeyText.plainText(of: try source.open(key, opened, context.effects))
    }
  }
}
