// redo share: receipts for other people, so that their devices alone can read them.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo share <subcommand>`.
enum ShareCommand: CommandGroup {
  static let name = "share"
  static let summary = "share receipts with devices of other people, and open what they share"
  static var subcommands: [any Command.Type] {
    [ShareCreate.self, ShareOpen.self, ShareList.self, ShareUndo.self]
  }
}

/// `redo share create [--permissions=<what>] [--include-precise] (--to=<did>... | --circle) <cid>`.
enum ShareCreate: Command {
  static let name = "create"
  static let summary = "print messages that only the devices of some people can open"
  static var usage: [String] {
    [
      "redo-share create [--permissions=(view | view_location | full)] [--include-precise]\n"
        + "             [--message=<text>] [-n] [-q] [--passphrase-fd=<n>]\n"
        + "             (--to=<did>... | --circle) <cid>"
    ]
  }
  private static let permissions = OptionSpec(
    "permissions", .required("what"), help: "what they may see: view (default), view_location, full"
  )
  private static let to = OptionSpec("to", .required("did"), help: "share with this person")
  private static let circle = OptionSpec("circle", help: "share with all active people")
  private static let message = OptionSpec(
    "message", .required("text"), help: "what is noted with it")
  static var options: [OptionSpec] {
    [
      permissions, ReceiptMaking.includePrecise, to, circle, message,
      PassphraseSource.descriptorOption, .dryRun, .quiet,
    ]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let name = try ReceiptMaking.name(options)
    guard options.has(circle) != !options.values(to).isEmpty else {
      throw CommandError.usage("either '--to' names people, or '--circle' means all of them")
    }
    var request = ShareRequest()
    request.permissions = try options.choice(permissions) ?? .view
    request.people = options.has(circle) ? nil : options.values(to)
    request.message = options.value(message)
    var writing = ReceiptWriter.Options()
    writing.includesPrecise = options.has(ReceiptMaking.includePrecise)
    writing.isDryRun = options.has(.dryRun)
    writing.isQuiet = options.has(.quiet)
    writing.passphrase = try PassphraseSource(options)
    let opened = try context.effects.openRepository()
    let id = try ObjectName.one(name, in: opened.objects)
    var writer = try ReceiptWriter(opened, writing, context.effects)
    guard let messages = try writer.share(id, request, context.effects) else { return .no }
    for message in messages { try context.output.write(message.line + [UInt8(ascii: "\n")]) }
    return .ok
  }
}

/// `redo share open < <messages>`.
enum ShareOpen: Command {
  static let name = "open"
  static let summary = "open messages from standard input, and take their receipts in"
  static var usage: [String] { ["redo-share open [-q] [--passphrase-fd=<n>]"] }
  static var options: [OptionSpec] { [PassphraseSource.descriptorOption, .quiet] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else {
      throw CommandError.usage(
        "'\(options.arguments[0])': 'open' reads messages from standard input, and takes no names")
    }
    let opened = try context.effects.openRepository()
    let bytes = try InputFile.read(context.input, limit: 1 << 30)
    var opener = try ShareOpener(opened, try PassphraseSource(options), context.effects)
    context.holdSignals()
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      switch try opener.open(Array(line), context.effects) {
      case .taken(let id): try context.output.writeLine(id.cidText(as: .receipt))
      case .known(let id):
        if !options.has(.quiet) {
          context.note("'\(id.cidText(as: .receipt))' was opened before")
        }
      }
    }
    return .ok
  }
}

/// `redo share list [--json] [-z]`.
enum ShareList: Command {
  static let name = "list"
  static let summary = "list what was shared, by whom and with whom"
  static var usage: [String] { ["redo-share list [--json] [-z]"] }
  static var options: [OptionSpec] { [.json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else {
      throw CommandError.usage("'\(options.arguments[0])': 'list' takes no names")
    }
    let found = try context.effects.openRepository().localRows()
    let rows = found.rows(of: .sharedMemories) + found.rows(of: .receivedMemories)
    try RowWriter(columns, separator: "\t", options).write(rows, &context)
    return .ok
  }

  /// `direction id cid permissions with time undone`.
  private static var columns: [RowColumn<LocalRow>] {
    func time(_ name: String, _ row: LocalRow) -> String? {
      row.number(name).map { WallTime(milliseconds: Int64(($0 * 1000).rounded())).text }
    }
    func direction(_ row: LocalRow) -> String {
      row.key.table == .sharedMemories ? "out" : "in"
    }
    return [
      .word("direction", in: .text) { direction($0) },
      .text("id", .field, in: .text) { $0.text("relay_message_id") ?? $0.key.text },
      .word("cid") { $0.text("memory_cid") },
      .word("direction", in: .json) { direction($0) },
      .text("id", in: .json) { $0.text("relay_message_id") ?? $0.key.text },
      .word("permissions") { $0.text("permissions") },
      .word("time") { time("shared_at", $0) },
      .word("undone") { time("unshared_at", $0) },
      .text("with", .field) { $0.text("sender_did") ?? $0.text("shared_with") },
    ]
  }
}

/// `redo share undo <message>`.
enum ShareUndo: Command {
  static let name = "undo"
  static let summary = "say that something is shared no longer; what others have they keep"
  static var usage: [String] { ["redo-share undo [-n] [-q] [--passphrase-fd=<n>] <message>"] }
  static var options: [OptionSpec] { [PassphraseSource.descriptorOption, .dryRun, .quiet] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.count == 1 else {
      throw CommandError.usage("the id of one message is needed")
    }
    var writing = ReceiptWriter.Options()
    writing.isDryRun = options.has(.dryRun)
    writing.isQuiet = options.has(.quiet)
    writing.passphrase = try PassphraseSource(options)
    let opened = try context.effects.openRepository()
    var writer = try ReceiptWriter(opened, writing, context.effects)
    return try ReceiptMaking.show(
      try writer.unshare(options.arguments[0], context.effects), &context)
  }
}
