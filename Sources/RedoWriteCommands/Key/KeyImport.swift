// redo key import, export: the only ways in which a key enters or leaves a keyring unchanged.

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
      "redo-key import --private [--passphrase] [--passphrase-fd=<n>] [--weak-passphrase]\n"
        + "                [-f] [<file>]",
      "redo-key import --public [-f] [<file>]",
    ]
  }
  static var options: [OptionSpec] {
    [
      KeyWords.isPrivate, KeyWords.isPublic, KeyWords.passphrase,
      PassphraseSource.descriptorOption, PassphraseRule.option, KeyWords.force,
    ]
  }

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
    guard let text else { throw KeyUseFault.empty(source: name) }
    let replacing: Replacing = options.has(KeyWords.force) ? .always : .never
    let key =
      which.isSame(as: KeyWords.isPublic)
      ? try opened.importPublicKey(text, name, replacing, context.effects)
      : try opened.importPrivateKey(
        text, name, try KeyWrapping(options), replacing, context.effects)
    return try key.show(&context)
  }
}

/// `redo key export (--private --yes [--plain] | --public) [-o <file>]`.
enum KeyExport: Command {
  static let name = "export"
  static let summary = "print a key, or write it to a file"
  static var usage: [String] {
    [
      "redo-key export --private --yes [--plain] [--passphrase-fd=<n>] [--weak-passphrase]\n"
        + "                [-f] [-o <file>] [<slot>]",
      "redo-key export --public [-f] [-o <file>]",
    ]
  }
  private static let output = OptionSpec(
    "output", letter: "o", .required("file"), help: "write to a new file, of mode 0600")
  private static let plain = OptionSpec(
    "plain", help: "without a passphrase, for whoever reads it", traits: .notNegatable)
  static var options: [OptionSpec] {
    [
      KeyWords.isPrivate, KeyWords.isPublic, KeyWords.yes, plain,
      PassphraseSource.descriptorOption, PassphraseRule.option, output, KeyWords.force,
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
        hints: ["'--yes' exports it under a passphrase, '--yes --plain' without one"])
    }
    guard isPrivate || !options.has(plain) else {
      throw CommandError.usage("'--plain' is about '--private', which is not given")
    }
    let opened = try context.effects.openRepository()
    let text: SecretBytes?
    if isPrivate {
      do {
        text = try opened.privateKeyText(
          slot ?? .privateKey, isPlain: options.has(plain), try PassphraseSource(options),
          context.effects)
      } catch KeyFault.nobodyToAskForNew {
        let words = KeyFault.nobodyToAskForNew.words
        throw CommandError(
          .fatal, words.message, hints: words.hints + ["'--plain' exports it without one"])
      }
    } else {
      text = try opened.publicKeyText()
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
}
