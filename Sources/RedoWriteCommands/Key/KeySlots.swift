// redo key exists, put, get, rm: access to slots by name.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo key exists <slot>`.
enum KeyExists: Command {
  static let name = "exists"
  static let summary = "say by the status whether a slot holds something"
  static var usage: [String] { ["redo-key exists <slot>"] }
  static var options: [OptionSpec] { [] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let name = try KeyWords.slot(try KeyWords.only(options, "one slot"))
    let keyring = try context.effects.openRepository().keyring()
    do throws(KeyringError) {
      if name.kind.isPrivateKey { return try keyring.privateKey(name) == nil ? .absent : .ok }
      return try keyring.value(name) == nil ? .absent : .ok
    } catch {
      guard case .malformed = error else { throw CommandError.fatal(error) }
      context.error("\(error.description) [\(error.code ?? "")]")
      return .no
    }
  }

  /// Ends a command that found nothing.
  static func absent(
    _ message: String, _ options: ParsedOptions, hints: [String] = []
  ) throws -> Exit {
    if options.has(.quiet) { return .no }
    throw CommandError(.refused, message, hints: hints)
  }
}

/// `redo key put [-f] [--for=<url>]... <slot> [<file>]`.
enum KeyPut: Command {
  static let name = "put"
  static let summary = "store a secret from a file or standard input"
  static var usage: [String] { ["redo-key put [-f] [--for=<url>]... <slot> [<file>]"] }
  private static let address = OptionSpec(
    "for", .required("url"), help: "a token that only this address may get",
    traits: .notNegatable)
  static var options: [OptionSpec] { [KeyWords.force, address] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard (1...2).contains(options.arguments.count) else {
      throw CommandError.usage("one slot must be named, and at most one file")
    }
    let name = try KeyWords.slot(options.arguments[0])
    guard !name.kind.isOfKeys else { throw KeyUseFault.ofPair(name) }
    let origins = try origins(options)
    let opened = try context.effects.openRepository()
    let path = options.arguments.count > 1 ? options.arguments[1] : nil
    let input = try InputFile.secret(from: path, limit: SlotKind.byteLimit, context.effects)
    let source = path ?? InputFile.standardInputName
    guard let input else { throw KeyUseFault.empty(source: source) }
    try opened.putSecret(
      input, in: name, for: origins, from: source,
      options.has(KeyWords.force) ? .always : .never, context.effects)
    return .ok
  }

  /// The origins of the addresses that may get the secret.
  private static func origins(_ options: ParsedOptions) throws -> [WebOrigin] {
    let texts = options.values(address)
    guard texts.count <= BoundSecret.originLimit else {
      throw CommandError.usage("there are more than \(BoundSecret.originLimit) addresses")
    }
    var origins: [WebOrigin] = []
    for text in texts {
      guard let origin = WebOrigin(text) else {
        throw CommandError.usage(
          "'\(text)' is no address of a server",
          hints: [
            "'https://<host>' is one, with a port where it is not the usual one; that of Firestore "
              + "is 'https://firestore.googleapis.com'"
          ])
      }
      if !origins.contains(origin) { origins.append(origin) }
    }
    return origins
  }
}

/// `redo key get [-q] <slot>`.
enum KeyGet: Command {
  static let name = "get"
  static let summary = "print what a slot holds, a secret too"
  static var usage: [String] { ["redo-key get [-q] <slot>"] }
  static var options: [OptionSpec] { [.quiet] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let name = try KeyWords.slot(try KeyWords.only(options, "one slot"))
    guard !name.kind.isPrivateKey else {
      throw CommandError(
        .refused, "'\(name.text)' is a private key",
        hints: ["'redo key export --private' prints the one in use"])
    }
    let keyring = try context.effects.openRepository().keyring()
    let value = try keyring.boundSecret(name)
    guard let value else {
      return try KeyExists.absent("there is nothing in slot '\(name.text)'", options)
    }
    // Whoever asks by a `tokenCommand` is told whom the token goes to.
    let address = context.environment(BoundSecret.addressVariable)
    guard value.isFor(address) else {
      throw KeyUseFault.notFor(address: address ?? "", name, value.origins)
    }
    try context.output.write(secret: value.secret)
    if name.kind.isLine { try context.output.write(byte: UInt8(ascii: "\n")) }
    return .ok
  }
}

/// `redo key rm [-n] [--yes] (<slot>... | --all)`.
enum KeyRemove: Command {
  static let name = "rm"
  static let summary = "remove slots, or all of them"
  static var usage: [String] { ["redo-key rm [-n] [-q] [--yes] (<slot>... | --all)"] }
  private static let all = OptionSpec("all", help: "every slot: sign out", traits: .notNegatable)
  static var options: [OptionSpec] { [all, .dryRun, KeyWords.yes, .quiet] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let isAll = options.has(all)
    guard isAll != !options.arguments.isEmpty else {
      throw CommandError.usage("either slots are named, or '--all' is given")
    }
    var names: [SlotName] = []
    for text in options.arguments {
      let name = try KeyWords.slot(text)
      if !names.contains(name) { names.append(name) }
    }
    let opened = try context.effects.openRepository()
    let keyring = try opened.keyring()
    let present = try keyring.fileNames()
    if isAll {
      names = present
    } else {
      for name in names where !present.contains(name) {
        return try KeyExists.absent("there is nothing in slot '\(name.text)'", options)
      }
      try Repository.refuseCopies(names, present)
    }
    if options.has(.dryRun) {
      for name in names { try context.output.writeLine(name.text) }
      return .ok
    }
    if !options.has(KeyWords.yes), let key = isAll ? names.first : names.first(where: isSigning) {
      let what = isAll ? "\(names.count) slots" : "the private key in '\(key.text)'"
      throw CommandError(
        .refused, "this would remove \(what) for good",
        hints: ["'-n' lists what would be removed, 'redo key export' keeps a key, '--yes' removes"])
    }
    guard !names.isEmpty else { return .ok }
    context.holdSignals()
    let writer = try opened.keyringWriter()
    try writer.remove(names)
    return .ok
  }

  private static func isSigning(_ name: SlotName) -> Bool {
    name.kind.isPrivateKey || name.kind == .exchangeKey
  }
}
