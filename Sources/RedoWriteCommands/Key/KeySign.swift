// redo key sign, verify: signatures of raw bytes, for comparison with other implementations.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// The option `--form` of both commands.
private enum Form {
  static let option = OptionSpec(
    "form", .required("body|digest"), help: "over the bytes, or over their SHA-256",
    traits: .notNegatable)
  /// The most bytes that are signed: more than any node has.
  static let byteLimit = 1 << 30

  /// The requested form.
  static func asked(_ options: ParsedOptions) throws -> SignatureForm? {
    guard let text = options.value(option) else { return nil }
    guard let form = SignatureForm(rawValue: text) else {
      throw CommandError.usage("option '--form' expects body or digest, not '\(text)'")
    }
    return form
  }

  /// The bytes of the only argument, or of standard input.
  static func input(
    _ options: ParsedOptions, _ context: borrowing Context
  ) throws -> [UInt8] {
    guard options.arguments.count <= 1 else {
      throw CommandError.usage("only one file can be named")
    }
    guard let path = options.arguments.first, path != "-" else {
      return try InputFile.read(context.input, limit: byteLimit)
    }
    return try InputFile.read(path, limit: byteLimit, context.effects)
  }
}

/// `redo key sign [--form=body|digest] [<file>]`.
enum KeySign: Command {
  static let name = "sign"
  static let summary = "sign bytes, for comparison with other programs"
  static var usage: [String] {
    ["redo-key sign [--form=body|digest] [--passphrase-fd=<n>] [<file>]"]
  }
  static var options: [OptionSpec] { [Form.option, PassphraseSource.descriptorOption] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let form = try Form.asked(options) ?? .body
    let source = try PassphraseSource(options)
    let opened = try context.effects.openRepository()
    let key = try opened.signingKey(source, context.effects)
    let signature = try key.signature(of: try Form.input(options, context), as: form)
    try context.output.writeLine(Hex.text(signature.bytes.span))
    return .ok
  }
}

/// `redo key verify --key=<hex | slot> --signature=<hex> [<file>]`.
enum KeyVerify: Command {
  static let name = "verify"
  static let summary = "verify a signature of bytes"
  static var usage: [String] {
    ["redo-key verify --key=<key> --signature=<hex> [--form=body|digest] [-q] [<file>]"]
  }
  private static let key = OptionSpec(
    "key", .required("key"), help: "64 hex digits, or the slot of a key", traits: .notNegatable)
  private static let signature = OptionSpec(
    "signature", .required("hex"), help: "128 hex digits", traits: .notNegatable)
  static var options: [OptionSpec] { [key, signature, Form.option, .quiet] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard let keyText = options.value(key), let signed = options.value(signature) else {
      throw CommandError.usage("both '--key' and '--signature' are needed")
    }
    let form = try Form.asked(options)
    guard let bytes = Hex.decode64(Array(signed.utf8).span) else {
      throw CommandError.usage("a signature is 128 lower-case hex digits")
    }
    let point = try publicKey(keyText, &context)
    let message = try Form.input(options, context)
    guard
      let holding = SignatureForm.holding(
        Signature(bytes: bytes), of: message, by: point, as: form)
    else { return .no }
    if !options.has(.quiet) { try context.output.writeLine(holding.rawValue) }
    return .ok
  }

  private static func publicKey(
    _ text: String, _ context: inout Context
  ) throws -> PublicKey {
    if let bytes = Hex.decode32(Array(text.utf8).span) { return PublicKey(bytes: bytes) }
    let name = try KeyWords.slot(text)
    let found = try context.effects.openRepository().publicKey(in: name)
    guard let found else { throw CommandError.fatal("there is no key in slot '\(name.text)'") }
    return found
  }
}
