// redo index: what a store has in tables of SQLite, for queries and for other programs.

internal import RedoRepository
internal import RedoShell

/// `redo index <subcommand>`.
enum IndexCommand: CommandGroup {
  static let name = "index"
  static let summary = "keep what a store has in tables of SQLite, and ask them"
  static var subcommands: [any Command.Type] {
    [
      IndexUpdate.self, IndexRebuild.self, IndexCheck.self, IndexPath.self, IndexSQL.self,
      IndexQuery.self,
    ]
  }

  static let noUpdate = OptionSpec(
    "update", help: "bring the index up to the store before; the default")

  /// The index of the store.
  static func open(_ context: borrowing Context) throws -> SQLIndex {
    try SQLIndex(try context.effects.openRepository(), context.effects)
  }

  /// Whether the index is brought up to the store.
  static func updates(_ options: ParsedOptions) -> Bool { options.flag(noUpdate) ?? true }
}

/// `redo index update`.
enum IndexUpdate: Command {
  static let name = "update"
  static let summary = "bring the index up to the store"
  static var usage: [String] { ["redo-index update [-v]"] }
  static var options: [OptionSpec] { [verbose] }
  static let verbose = OptionSpec("verbose", letter: "v", help: "say what was done")

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    try IndexWords.requireNone(options, name)
    let step = try IndexCommand.open(context).update()
    let words =
      switch step {
      case .none: "the index has the state of the store"
      case .update: "what has come was added to the index"
      case .rebuild: "the index was built anew"
      }
    if options.has(verbose) { context.note(words) }
    return .ok
  }
}

/// `redo index rebuild`.
enum IndexRebuild: Command {
  static let name = "rebuild"
  static let summary = "build the index anew, whatever it has"
  static var usage: [String] { ["redo-index rebuild"] }
  static var options: [OptionSpec] { [] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    try IndexWords.requireNone(options, name)
    _ = try IndexCommand.open(context).update(isFresh: true)
    return .ok
  }
}

/// `redo index check [--no-update] [--json] [-z]`.
enum IndexCheck: Command {
  static let name = "check"
  static let summary = "compare each row with the one that the store gives"
  static var usage: [String] { ["redo-index check [--no-update] [--json] [-z]"] }
  static var options: [OptionSpec] { [IndexCommand.noUpdate, .json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    try IndexWords.requireNone(options, name)
    var found: [SQLIndexDifference] = []
    let count = try IndexCommand.open(context).check(updates: IndexCommand.updates(options)) {
      found.append($0)
    }
    let columns: [RowColumn<SQLIndexDifference>] = [
      .word("why") { $0.why }, .word("table") { $0.table }, .text("key", .field) { $0.key },
    ]
    try RowWriter(columns, separator: "\t", options).write(found, &context)
    guard count > 0 else { return .ok }
    if count > found.count {
      context.note("\(count) rows differ, of which these are the first \(found.count)")
    }
    context.hint("'redo index rebuild' builds the index anew")
    return .no
  }
}

/// `redo index path`.
enum IndexPath: Command {
  static let name = "path"
  static let summary = "print where the index is"
  static var usage: [String] { ["redo-index path [-z]"] }
  static var options: [OptionSpec] { [.nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    try IndexWords.requireNone(options, name)
    let path = try IndexCommand.open(context).path
    try context.output.write(Array(path.utf8))
    try context.output.write(byte: options.rowEnd)
    return .ok
  }
}

/// Parts that the subcommands share.
enum IndexWords {
  /// Refuses arguments.
  static func requireNone(_ options: ParsedOptions, _ name: String) throws {
    if let word = options.arguments.first {
      throw CommandError.usage("'\(word)': '\(name)' takes no names")
    }
  }
}
