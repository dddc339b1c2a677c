// redo revert: takes changes back by recording new ones.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo revert [--force] [-n] <revision>` and `redo revert [<filter>]... [<revision> | <from>..<to>]...`.
enum Revert: Command {
  static let name = "revert"
  static let summary = "take changes back by new ones"
  static var usage: [String] {
    [
      "redo-revert [<options>] [--force] <revision>",
      "redo-revert [<options>] (<revision> | <from>..<to>)...",
      "redo-revert [<options>] [--author=<author>] [--device=<device>] [--key=<key>]\n"
        + "            [--since=<date>] [--until=<date>] [(<revision> | <from>..<to>)...]",
    ]
  }

  private static let force = OptionSpec(
    "force", letter: "f", help: "also restore what later changes have written again")
  private static let author = OptionSpec(
    "author", .required("author"), help: "only changes by an author of this user id or name")
  private static let device = OptionSpec(
    "device", .required("device"), help: "only changes made on a device of this id or name")
  private static let key = OptionSpec(
    "key", .required("key"), help: "only changes that carry this key")
  private static let since = OptionSpec(
    "since", .required("date"), help: "only changes with a wall time at or after <date>")
  private static let until = OptionSpec(
    "until", .required("date"), help: "only changes with a wall time at or before <date>")
  static var options: [OptionSpec] {
    [force, author, device, key, since, until, .heading("how it is recorded")]
      + CommitOptions.recording + CommitOptions.printing
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let choice = try choice(options, now: context.clock())
    let style = try NewNodeStyle(options)
    let recording = try CommitOptions.writing(options, context)
    let opened = try context.effects.openRepository()
    let revisions = Revisions(opened, now: context.clock())
    let changes: Reversal.Choice
    if let id = try choice.one(revisions) {
      changes = .one(id)
    } else {
      let ids = try choice.changes(revisions)
      guard !ids.isEmpty else {
        context.error("no change of the history is meant, so there is nothing to take back")
        return .no
      }
      changes = .several(ids)
      if !recording.isQuiet {
        context.note("\(ids.count) change\(ids.count == 1 ? "" : "s") to take back")
      }
    }
    let reversal = Reversal(changes, isForced: options.has(force), recording: recording)
    return try RevertText.show(
      try opened.revert(reversal, context.effects), isPlan: false, style, options, &context)
  }

  private static func choice(_ options: ParsedOptions, now: Int64) throws -> ChangeChoice {
    var choice = ChangeChoice()
    choice.revisions = options.arguments
    choice.authors = AuthorFilter(
      authors: options.values(author), devices: options.values(device), keys: options.values(key))
    for text in options.values(key) where !AuthorFilter.isKey(text) {
      throw CommandError.fatal("not a public key or its beginning, 4 to 64 hex digits: '\(text)'")
    }
    if let moment = try moment(since, .start, options, now) { choice.earliest = moment }
    if let moment = try moment(until, .end, options, now) { choice.latest = moment }
    for spec in [author, device] where options.values(spec).contains(where: \.isEmpty) {
      throw CommandError.usage("'\(spec.spelling)' needs a name")
    }
    guard !choice.revisions.isEmpty || choice.hasFilter else {
      throw CommandError.usage("no change is named")
    }
    return choice
  }

  private static func moment(
    _ spec: OptionSpec, _ side: Moment.Side, _ options: ParsedOptions, _ now: Int64
  ) throws -> Int64? {
    guard let text = options.value(spec) else { return nil }
    guard let moment = Moment(text, side, now: now) else {
      throw CommandError.fatal(
        "not a valid date '\(text)' in '\(spec.spelling)'", hints: [Moment.forms])
    }
    return moment.milliseconds
  }
}
