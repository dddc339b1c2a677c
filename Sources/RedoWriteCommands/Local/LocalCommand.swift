// redo local: what is noted about receipts, and what cannot be derived from them. Each subcommand is a command of its own.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo local <subcommand>`.
enum LocalCommand: CommandGroup {
  static let name = "local"
  static let summary = "list, write, export and import what is noted about receipts"
  static var subcommands: [any Command.Type] {
    [LocalList.self, LocalPut.self, LocalExport.self, LocalImport.self]
  }
}

/// `redo local list [--table=<table>] [--json] [-z]`.
enum LocalList: Command {
  static let name = "list"
  static let summary = "list the rows that hold"
  static var usage: [String] { ["redo-local list [--table=<table>] [--json] [-z]"] }
  private static let table = OptionSpec(
    "table", .required("table"), help: "only rows of this table")
  static var options: [OptionSpec] { [table, .json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else {
      throw CommandError.usage("'\(options.arguments[0])': 'list' takes no names")
    }
    let table = try options.choice(table, as: LocalTable.self)
    let rows = try context.effects.openRepository().localRows().rows(of: table)
    if options.has(.json) {
      for row in rows { try context.output.write(row.line + [options.rowEnd]) }
    } else {
      try RowWriter(columns, separator: "\t", options).write(rows, &context)
    }
    return .ok
  }

  /// `table key time row`.
  private static var columns: [RowColumn<LocalRow>] {
    [
      .word("table") { $0.key.table.rawValue },
      .text("key", .field) { $0.key.text },
      .word("time") { WallTime(milliseconds: $0.time).text },
      .text("row", .field) { row in
        row.members.map { String(decoding: LocalRow.object(of: $0), as: UTF8.self) }
      },
    ]
  }
}

/// `redo local put [-n] < <rows>`.
enum LocalPut: Command {
  static let name = "put"
  static let summary = "write rows from standard input, all or none"
  static var usage: [String] { ["redo-local put [-n]"] }
  static var options: [OptionSpec] { [.dryRun] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else {
      throw CommandError.usage(
        "'\(options.arguments[0])': 'put' reads rows from standard input, and takes no names")
    }
    let opened = try context.effects.openRepository()
    let bytes = try InputFile.read(context.input, limit: LocalLines.byteLimit)
    let rows = LocalLines.read(
      bytes, from: InputFile.standardInputName, now: context.clock(), context.effects)
    guard let rows else { return .no }
    context.holdSignals()
    try opened.putLocal(isDryRun: options.has(.dryRun)) { _ in rows }
    return .ok
  }
}

/// `redo local export [-r <key>]... [-o <file>] [--salvage]`.
enum LocalExport: Command {
  static let name = "export"
  static let summary = "write the rows as lines, or as an age file"
  static var usage: [String] {
    ["redo-local export [-r <key>]... [-o <file> [-f]] [--salvage] [-q]"]
  }
  private static let output = OptionSpec(
    "output", letter: "o", .required("file"), help: "write a file that only its owner can read")
  private static let force = OptionSpec("force", letter: "f", help: "replace what is there")
  private static let salvage = OptionSpec(
    "salvage", help: "of a damaged file the rows that can be read")
  static var options: [OptionSpec] { [SealRecipients.option, output, force, salvage, .quiet] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else {
      throw CommandError.usage("'\(options.arguments[0])': '-o <file>' says where the rows go")
    }
    if let path = options.value(output), path.isEmpty {
      throw CommandError.usage("'-o' needs the name of a file")
    }
    let opened = try context.effects.openRepository()
    let recipients = try SealRecipients.keys(
      options.values(SealRecipients.option), opened, context.effects)
    let found = options.has(salvage) ? opened.store.local.read() : try opened.localRows()
    let rows = found.all
    if !recipients.isEmpty, options.value(output) == nil, context.isTerminal(.output) {
      throw CommandError.fatal(
        "what is encrypted is not text, and would go to a terminal",
        hints: ["'-o <file>' writes it into a file"])
    }
    let bytes = try LocalLines.output(rows, for: recipients)
    if let path = options.value(output), path != "-" {
      context.holdSignals()
      try LocalLines.write(bytes, to: path, isForced: options.has(force), context.effects)
    } else {
      try context.output.write(bytes)
      try context.output.flush()
    }
    var isWhole = true
    if let damage = found.damage {
      context.error("\(CommandError(damage).message): what stands behind that place is lost")
      isWhole = false
    }
    if let fault = found.fault {
      context.error("'\(Layout.local)' has rows that are left out: \(fault.summary)")
      isWhole = false
    }
    if !options.has(.quiet), options.value(output) != nil {
      context.note("\(rows.count) row\(rows.count == 1 ? "" : "s")")
    }
    return isWhole ? .ok : .no
  }
}

/// `redo local import [-i <key>] [-n] [-q] [<file>]`.
enum LocalImport: Command {
  static let name = "import"
  static let summary = "take rows that are newer than those here"
  static var usage: [String] { ["redo-local import [<keys>] [-n] [-q] [<file>]"] }
  static var options: [OptionSpec] { [.dryRun, .quiet] + SealKeys.options }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.count <= 1 else {
      throw CommandError.usage("'\(options.arguments[1])': one file is read at a time")
    }
    let path = options.arguments.first.flatMap { $0 == InputFile.standardInputSign ? nil : $0 }
    let keys = try SealKeys(options, reading: [path ?? InputFile.standardInputSign])
    let opened = try context.effects.openRepository()
    let rows = LocalLines.read(
      try LocalLines.input(path, keys, context.effects),
      from: path ?? InputFile.standardInputName, now: nil, context.effects)
    guard let rows else { return .no }
    context.holdSignals()
    let done = try opened.importLocal(rows, isDryRun: options.has(.dryRun))
    if !options.has(.quiet) {
      context.note(
        "\(done.taken) row\(done.taken == 1 ? "" : "s") taken"
          + (done.older == 0 ? "" : ", \(done.older) not newer than what is here"))
    }
    return .ok
  }
}
