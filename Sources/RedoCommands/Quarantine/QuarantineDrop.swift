// redo quarantine drop: changes that wait are removed. Another store may have the only other copy, so that
// nothing goes that was not named.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo quarantine drop [-n] [-q] [--json] [-z] [--all | <id>...]`.
enum QuarantineDrop: Command {
  static let name = "drop"
  static let summary = "remove changes that wait; without a name, list them"
  static var usage: [String] { ["redo-quarantine drop [-n] [-q] [--json] [-z] [--all | <id>...]"] }
  private static let all = OptionSpec(
    "all", help: "remove all, and what an interrupted run has received")
  static var options: [OptionSpec] {
    [all, .dryRun, .quiet, .json, .nul]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard !options.has(all) || options.arguments.isEmpty else {
      throw CommandError.usage("'--all' takes no names as arguments")
    }
    let shelf = try QuarantineShelf(try context.effects.openRepository())
    let isNamed = options.has(all) || !options.arguments.isEmpty
    let named =
      try options.arguments.isEmpty
      ? QuarantineShelf.Named(ids: shelf.ids(), documents: shelf.documentIDs())
      : shelf.named(options.arguments)
    if !options.has(.quiet) {
      let rows = try QuarantineRow.rows(shelf, of: named.ids)
      let writer = RowWriter(QuarantineRow.columns, options)
      try writer.write(rows + named.documents.map { QuarantineRow(document: $0) }, &context)
      try context.output.flush()
    }
    guard isNamed else {
      let isEmpty = named.ids.isEmpty && named.documents.isEmpty
      guard !isEmpty || !options.has(.dryRun) else { return .ok }
      throw CommandError(
        .refused, "nothing is dropped that is not named", hints: ["'--all' drops all of it"])
    }
    guard !options.has(.dryRun) else { return .ok }
    context.holdSignals()
    try remove(named, shelf, withPacks: options.has(all))
    return .ok
  }

  private static func remove(
    _ named: QuarantineShelf.Named, _ shelf: QuarantineShelf, withPacks: Bool
  ) throws {
    let timeout = try shelf.opened.refsOptions().lockTimeoutMilliseconds
    let right = try shelf.quarantine.hold(.admitting, timeoutMilliseconds: timeout)
    defer { extendLifetime(right) }
    try shelf.waiting?.remove(named.ids)
    try shelf.documents.remove(named.documents, withLeftovers: withPacks)
    guard withPacks else { return }
    for pack in try shelf.quarantine.leftPacks() { try pack.remove() }
    try shelf.waiting?.removeLeftovers(shardsToo: true)
  }
}
