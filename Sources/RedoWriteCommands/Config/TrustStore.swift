// redo config trust-store: accepts the store as the user's own, after a look at what would take effect.

internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo config trust-store [--show | --forget] [--json] [-z]`.
enum TrustStore {
  static let show = OptionSpec("show", help: "show what would take effect, and change nothing")
  static let forget = OptionSpec("forget", help: "count the store as a stranger's again")

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let chosen = try options.only(oneOf: [show, forget])
    if chosen == nil || options.has(forget), options.has(.json) || options.has(.nul) {
      throw CommandError.usage("'--json' and '-z' belong to '--show'")
    }
    _ = try options.only(oneOf: [.json, .nul])
    let opened = try context.effects.findStore()
    if options.has(show) {
      try RowWriter(ActingRow.columns, options).write(
        ActingRow.rows(opened.actingParts()), &context)
      return .ok
    }
    if options.has(forget) {
      let isForgotten = try opened.forget()
      guard try !context.effects.findStore().standing.isOwn else {
        throw CommandError(
          .refused, "'\(opened.path)' is listed in 'safe.store', and stays your own")
      }
      return isForgotten ? .ok : .no
    }
    guard try opened.accept() else {
      throw CommandError.fatal(
        "there is no place to remember the store: neither 'XDG_STATE_HOME' nor 'HOME' is set",
        hints: ["the setting 'safe.store' can name it"])
    }
    return .ok
  }
}

/// A part of a store that acts only if the store is the user's own.
private struct ActingRow {
  let kind: String
  let name: String
  var value: String?
  var line: Int?

  static func rows(_ parts: ActingParts) -> [ActingRow] {
    parts.settings.map {
      ActingRow(
        kind: "setting", name: KnownKey.named($0.key)?.name ?? $0.key, value: $0.value ?? "",
        line: $0.line)
    } + parts.hooks.map { ActingRow(kind: "hook", name: $0) }
      + (parts.hasTrust ? [ActingRow(kind: "trust", name: Layout.trust)] : [])
      + parts.caches.map { ActingRow(kind: "cache", name: $0) }
  }

  /// `setting <line> <key> <value>`, or `hook`, `trust` or `cache`, a `-`, and a name.
  static var columns: [RowColumn<ActingRow>] {
    [
      .word("kind") { $0.kind },
      .number("line") { $0.line },
      .text("name", .word) { $0.name },
      .text("value", .field, absent: .leftOut) { $0.value },
    ]
  }
}
