// redo receipt create, edit, delete: new receipts of this device.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// The options of the commands that make receipts.
enum ReceiptMaking {
  static let type = OptionSpec("type", .required("type"), help: "what the receipt tells")
  static let at = OptionSpec(
    "at", .required("time"), help: "when it happened; now unless given")
  static let includePrecise = OptionSpec(
    "include-precise", help: "sign a payload that says exactly where somebody was, too")

  /// The options of all three.
  static let options: [OptionSpec] = [
    at, CommitOptions.message, PassphraseSource.descriptorOption, .dryRun, .quiet,
  ]

  /// The largest payload that is read, in bytes; what fits into a receipt is much less.
  private static let byteLimit = 1 << 20

  /// How receipts are to be made.
  static func writing(
    _ options: ParsedOptions, _ context: borrowing Context
  ) throws -> ReceiptWriter.Options {
    var writing = ReceiptWriter.Options()
    writing.time = try CommitOptions.wall(at, options, context)?.milliseconds
    writing.includesPrecise = options.has(includePrecise)
    writing.isDryRun = options.has(.dryRun)
    writing.isQuiet = options.has(.quiet)
    writing.message = options.value(CommitOptions.message)
    writing.passphrase = try PassphraseSource(options)
    return writing
  }

  /// The payload on standard input.
  fileprivate static func payload(_ effects: Effects) throws -> [UInt8] {
    try InputFile.read(effects.surroundings.standardInput, limit: byteLimit)
  }

  /// The one receipt that is named.
  static func name(_ options: ParsedOptions) throws -> String {
    guard options.arguments.count == 1 else {
      throw CommandError.usage(
        options.arguments.isEmpty ? "no receipt is named" : "only one receipt can be named")
    }
    return options.arguments[0]
  }

  /// Makes a receipt and prints its CID; there is none where it was refused.
  ///
  /// - Parameters:
  ///   - options: the options of the command.
  ///   - context: the surroundings.
  ///   - name: finds what it follows in the store, before anything asks for a passphrase.
  ///   - make: makes it.
  /// - Returns: 1 where it was refused.
  /// - Throws: what the closures, the store and the key throw.
  static func run<Named>(
    _ options: ParsedOptions, _ context: inout Context, name: (ObjectStore) throws -> Named,
    _ make: (inout ReceiptWriter, Named, Effects) throws -> Receipt?
  ) throws -> Exit {
    let writing = try writing(options, context)
    let opened = try context.effects.openRepository()
    let named = try name(opened.objects)
    var writer = try ReceiptWriter(opened, writing, context.effects)
    return try show(try make(&writer, named, context.effects), &context)
  }

  /// Prints the CID of a new receipt; there is none where it was refused.
  static func show(_ receipt: Receipt?, _ context: inout Context) throws -> Exit {
    guard let receipt else { return .no }
    try context.output.writeLine(receipt.id.cidText(as: .receipt))
    return .ok
  }
}

/// `redo receipt create [--type=<type>] [--at=<time>] [--include-precise] < <payload>`.
enum ReceiptCreate: Command {
  static let name = "create"
  static let summary = "sign a receipt that begins a chain"
  static var usage: [String] {
    [
      "redo-receipt create [--type=<type>] [--at=<time>] [--include-precise] [-m <reason>] [-n]\n"
        + "             [-q] [--passphrase-fd=<n>]"
    ]
  }
  static var options: [OptionSpec] {
    [ReceiptMaking.type, ReceiptMaking.includePrecise] + ReceiptMaking.options
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else {
      throw CommandError.usage(
        "'\(options.arguments[0])': 'create' reads a payload from standard input, and takes no names"
      )
    }
    return try ReceiptMaking.run(options, &context, name: { _ in }) { writer, _, effects in
      try writer.create(
        try ReceiptMaking.payload(effects), from: InputFile.standardInputName,
        type: options.value(ReceiptMaking.type) ?? ReceiptWriter.created, effects)
    }
  }
}

/// `redo receipt edit [--type=<type>] [--at=<time>] [--include-precise] <cid> < <payload>`.
enum ReceiptEdit: Command {
  static let name = "edit"
  static let summary = "sign a receipt that is shown in the place of another one"
  static var usage: [String] {
    [
      "redo-receipt edit [--type=<type>] [--at=<time>] [--include-precise] [-m <reason>] [-n] [-q]\n"
        + "             [--passphrase-fd=<n>] <cid>"
    ]
  }
  static var options: [OptionSpec] {
    [ReceiptMaking.type, ReceiptMaking.includePrecise] + ReceiptMaking.options
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let name = try ReceiptMaking.name(options)
    return try ReceiptMaking.run(options, &context, name: { try ObjectName.one(name, in: $0) }) {
      writer, id, effects in
      try writer.edit(
        id, try ReceiptMaking.payload(effects), from: InputFile.standardInputName,
        type: options.value(ReceiptMaking.type), effects)
    }
  }
}

/// `redo receipt delete [--at=<time>] [--reason=<text>] <cid>`.
enum ReceiptDelete: Command {
  static let name = "delete"
  static let summary = "sign a receipt that deletes the chain of another one"
  static var usage: [String] {
    [
      "redo-receipt delete [--at=<time>] [--reason=<text>] [-m <reason>] [-n] [-q]\n"
        + "             [--passphrase-fd=<n>] <cid>"
    ]
  }
  private static let reason = OptionSpec(
    "reason", .required("text"), help: "why, as part of the receipt")
  static var options: [OptionSpec] { [reason] + ReceiptMaking.options }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let name = try ReceiptMaking.name(options)
    return try ReceiptMaking.run(options, &context, name: { try ObjectName.one(name, in: $0) }) {
      writer, id, effects in
      try writer.delete(id, reason: options.value(reason), effects)
    }
  }
}
