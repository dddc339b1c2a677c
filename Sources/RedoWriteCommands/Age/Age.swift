// redo age: encrypts and decrypts any file or stream in the form of age, and makes keys for it.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo age [-e | -d | -y | --generate] [-a] [-o <file>] [<keys>] [<file>]`.
enum Age: Command {
  static let name = "age"
  static let summary = "encrypt and decrypt files in the form of age"
  static var usage: [String] {
    [
      "redo-age [-e] [-a] [-o <file>] (-r <recipient> | -R <file> | -i <key>)... [<file>]",
      "redo-age [-e] [-a] [-o <file>] (-p | --passphrase-file=<file>) [--weak-passphrase] [<file>]",
      "redo-age -d [-o <file>] [-i <key>]... [-p | --passphrase-file=<file>] [<file>]",
      "redo-age -y [-o <file>] [<key>]",
      "redo-age --generate [-o <file>]",
    ]
  }

  private static let encrypt = OptionSpec(
    "encrypt", letter: "e", help: "encrypt; the default", traits: .notNegatable)
  private static let decrypt = OptionSpec(
    "decrypt", letter: "d", help: "decrypt", traits: .notNegatable)
  private static let publicKey = OptionSpec(
    "public-key", letter: "y", help: "print the public keys of a slot or file of private keys",
    traits: .notNegatable)
  private static let generate = OptionSpec(
    "generate", help: "make a new private key", traits: .notNegatable)
  private static let output = OptionSpec(
    "output", letter: "o", .required("file"), help: "write <file>, or standard output for '-'")
  private static let armor = OptionSpec("armor", letter: "a", help: "write text")
  private static let recipient = OptionSpec(
    "recipient", letter: "r", .required("recipient"),
    help: "encrypt for age1..., 'ssh-ed25519 ...', a signer's public key or a user id")
  private static let recipients = OptionSpec(
    "recipients-file", letter: "R", .required("file"),
    help: "encrypt for the recipients in <file>, a line each")
  private static let identity = OptionSpec(
    "identity", letter: "i", .required("key"),
    help: "decrypt with the private keys in a slot or file, or encrypt for their owners")
  private static let passphrase = OptionSpec(
    "passphrase", letter: "p", help: "ask for a passphrase on the terminal")
  static var options: [OptionSpec] {
    [
      encrypt, decrypt, publicKey, generate, output, armor, recipient, recipients, identity,
      passphrase, SealPassphrase.file, PassphraseRule.option, PassphraseSource.descriptorOption,
    ]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let action = try options.only(oneOf: [encrypt, decrypt, publicKey, generate])
    guard options.arguments.count <= 1 else {
      throw CommandError.usage("'\(options.arguments[1])': one file is read at a time")
    }
    if let path = options.value(output), path.isEmpty {
      throw CommandError.usage("'-o' needs the name of a file")
    }
    if action?.isSame(as: publicKey) == true { return try printPublic(&context, options) }
    if action?.isSame(as: generate) == true { return try makeKey(&context, options) }
    try SealKeys.requireOneInput(
      [options.arguments.first ?? InputFile.standardInputSign] + options.values(identity)
        + options.values(recipients) + options.values(SealPassphrase.file))
    let decrypts = action?.isSame(as: decrypt) == true
    let work: AgeWork.Action
    if decrypts {
      try refuse([armor, recipient, recipients, PassphraseRule.option], "-d", options)
      work = .decrypt(
        SealKeys(
          identities: options.values(identity), passphrase: try passphrase(options),
          keyPassphrase: try PassphraseSource(options)))
    } else {
      work = .encrypt(try recipients(options), isArmored: options.has(armor))
      if !options.has(armor), options.value(output) == nil, context.isTerminal(.output) {
        throw CommandError.fatal(
          "what is encrypted is not text, and would go to a terminal",
          hints: ["'-a' makes text of it, '-o <file>' writes it into a file, '-o -' insists"])
      }
    }
    return try run(work, isCut: decrypts, &context, options)
  }

  private static func run(
    _ action: AgeWork.Action, isCut: Bool, _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let input = options.arguments.first.flatMap { $0 == "-" ? nil : $0 }
    let path = options.value(output).flatMap { $0 == "-" ? nil : $0 }
    context.holdSignals()
    var count = 0
    do {
      try AgeWork(action, from: input, to: path).run(context.effects) { bytes throws in
        count += bytes.count
        try context.output.write(bytes)
      }
    } catch let fault as SealFault where isCut && count > 0 {
      try context.output.flush()
      context.warning(
        "only the first \(count) bytes were written to standard output; the rest is not as it was")
      throw fault
    }
    return .ok
  }

  private static func passphrase(_ options: ParsedOptions) throws -> SealPassphrase {
    _ = try options.only(oneOf: [SealPassphrase.file, passphrase])
    let path = options.value(SealPassphrase.file)
    if let path, path.isEmpty {
      throw CommandError.usage("'--passphrase-file' needs the name of a file")
    }
    return SealPassphrase(
      path: path, isAsked: options.has(passphrase), rule: PassphraseRule(options), made: .file)
  }

  private static func recipients(_ options: ParsedOptions) throws -> AgeWork.Recipients {
    try refuse([PassphraseSource.descriptorOption], "-e", options)
    var found = AgeWork.Recipients()
    found.texts = options.values(recipient)
    found.files = options.values(recipients)
    found.identities = options.values(identity)
    found.passphrase = try passphrase(options)
    return found
  }

  /// Refuses options that mean nothing with another one.
  private static func refuse(
    _ specs: [OptionSpec], _ with: String, _ options: ParsedOptions
  ) throws {
    for spec in specs where options.has(spec) || options.value(spec) != nil {
      throw CommandError.usage("'\(spec.spelling)' cannot be used with '\(with)'")
    }
  }

  // MARK: Keys

  private static let cipherOptions = [
    armor, recipient, recipients, identity, passphrase, SealPassphrase.file, PassphraseRule.option,
    PassphraseSource.descriptorOption,
  ]

  private static func printPublic(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    try refuse(cipherOptions, "-y", options)
    let texts = try AgeKeyWork.recipients(of: options.arguments.first, context.effects)
    let bytes = Array(texts.map { "\($0)\n" }.joined().utf8)
    if let path = options.value(output), path != "-" {
      context.holdSignals()
      try AgeKeyWork.write(public: bytes, to: path, context.effects)
    } else {
      try context.output.write(bytes)
    }
    return .ok
  }

  private static func makeKey(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    try refuse(cipherOptions, "--generate", options)
    guard options.arguments.isEmpty else {
      throw CommandError.usage("'\(options.arguments[0])': '-o <file>' says where the key goes")
    }
    let time = WallTime(milliseconds: context.clock()).text
    let key = AgeKeyWork.generate(at: time)
    if let path = options.value(output), path != "-" {
      context.holdSignals()
      try AgeKeyWork.write(key.file, to: path, context.effects)
    } else {
      try key.file.withSpan { text throws in try context.output.write(text) }
    }
    context.note("public key: \(key.recipient)")
    return .ok
  }
}
