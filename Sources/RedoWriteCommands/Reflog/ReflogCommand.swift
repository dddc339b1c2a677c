// redo reflog: shows what happened to the refs, and undoes it.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo reflog [show] [<ref>]`, `redo reflog exists <ref>`, `redo reflog undo [<entry>]` and
/// `redo reflog restore (<entry> | <date>)`.
enum ReflogCommand: Command {
  static let name = "reflog"
  static let summary = "show what has become of the refs, or undo a change of them"
  static var usage: [String] {
    [
      "redo-reflog [show] [-n <n>] [--date=<form>] [--format=<format> | --json] [-z] [<ref>]",
      "redo-reflog exists <ref>",
      "redo-reflog undo [--dry-run] [-m <reason>] [<entry>]",
      "redo-reflog restore [--dry-run] [-m <reason>] (<entry> | <date>)",
    ]
  }

  private static let date = OptionSpec(
    "date", .required("form"), help: "show when: iso, unix, relative or raw")
  private static let reason = OptionSpec(
    letter: "m", .required("reason"), help: "why, for the entry that 'undo' makes")
  static var options: [OptionSpec] { [.maxCount, date, .format, .json, .nul, .longDryRun, reason] }

  private enum Action: String, CaseIterable {
    case show, exists, undo, restore
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    var words = options.arguments
    let action = words.first.flatMap(Action.init)
    if action != nil { words.removeFirst() }
    guard words.count <= 1 else { throw CommandError.usage("too many arguments: '\(words[1])'") }
    switch action ?? .show {
    case .show:
      try refuse([.longDryRun, reason], of: .show, options)
      return try show(&context, options, words.first)
    case .exists:
      try refuse(
        [.maxCount, date, .format, .json, .nul, .longDryRun, reason], of: .exists, options)
      guard let word = words.first else { throw CommandError.usage("no ref is named") }
      let revisions = Revisions(try context.effects.openRepository(), now: context.clock())
      guard let name = try? revisions.refName(word) else { return .no }
      return try revisions.past(of: name).changes.isEmpty ? .no : .ok
    case .undo, .restore:
      let action = action ?? .undo
      try refuse([.maxCount, date, .format, .nul, .json], of: action, options)
      guard options.value(reason)?.isEmpty != true else {
        throw CommandError.usage("an undo with an empty reason is refused")
      }
      let goal = try goal(action, words.first, now: context.clock())
      let opened = try context.effects.openRepository()
      let undo = ReflogUndo(
        opened, isDryRun: options.has(.longDryRun), reason: options.value(reason))
      switch try undo.run(goal, context.effects) {
      case .refused(let refusal):
        say(refusal, &context)
        return .no
      case .done(let moves):
        // `<old> SP <new> SP <ref>`, the form in which git reports changes to its hooks.
        for move in moves {
          try context.output.writeLine(
            "\(RefValue.text(move.gone)) \(RefValue.text(move.back)) \(move.name.text)")
        }
        try context.output.flush()
        for text in try opened.takenOut(by: moves).words { context.note(text) }
        return .ok
      }
    }
  }

  /// What the refs are to become.
  private static func goal(
    _ action: Action, _ word: String?, now: Int64
  ) throws -> ReflogUndo.Goal {
    guard let word else {
      guard action == .undo else {
        throw CommandError.usage("an entry or a date is needed")
      }
      return .before(nil)
    }
    if let entry = ParsedOptions.decimal(word) {
      guard entry > 0 else { throw CommandError.usage("'\(word)' is not the number of an entry") }
      return action == .undo ? .before(entry) : .after(entry)
    }
    guard action == .restore else {
      throw CommandError.usage("'\(word)' is not the number of an entry")
    }
    guard let moment = Moment(word, .end, now: now) else {
      throw CommandError.fatal(
        "neither the number of an entry nor a valid date: '\(word)'", hints: [Moment.forms])
    }
    return .at(moment.milliseconds)
  }

  /// Says why an entry is not undone.
  private static func say(_ refusal: ReflogUndo.Refusal, _ context: inout Context) {
    switch refusal {
    case .changedNothing(let entry): context.error("entry \(entry) changed no ref")
    case .nothingSince(let entry): context.error("the refs are what they were after entry \(entry)")
    case .moved(let entry, let refs):
      context.errors(refs, summary: "refs have moved") { name, number in
        let later = number.map { "entry \($0)" } ?? "a later entry"
        context.error("'\(name.text)' has moved since entry \(entry), by \(later)")
      }
    case .targets(let refs):
      context.errors(refs, summary: "refs cannot be moved back") { name, refusal in
        context.error("cannot undo the change of '\(name.text)': \(refusal.words)")
      }
    }
  }

  private static func refuse(
    _ specs: [OptionSpec], of action: Action, _ options: ParsedOptions
  ) throws {
    for spec in specs where options.has(spec) {
      throw CommandError.usage(
        "'\(spec.spelling)' cannot be used with '\(action.rawValue)'",
        hints: (action == .undo || action == .restore) && spec.isSame(as: .maxCount)
          ? ["'--dry-run' shows what would be changed"] : [])
    }
  }

  private static func show(
    _ context: inout Context, _ options: ParsedOptions, _ text: String?
  ) throws -> Exit {
    let form = try options.only(oneOf: [.format, .json])
    let limit = try options.integer(.maxCount) ?? .max
    let style = try options.choice(date, as: DateStyle.self)
    let opened = try context.effects.openRepository()
    let revisions = Revisions(opened, now: context.clock())
    let name = try text.map { text throws in try revisions.refName(text) }
    let rows: ReflogRows.Style
    if let form, form.isSame(as: .json) {
      rows = .json
    } else if let text = options.value(.format) {
      rows =
        text == "raw" ? .raw : .format(try Format(text, atoms: ReflogAtom.all), style ?? .iso)
    } else {
      rows = name == nil ? .entries(style ?? .iso) : .changes(style)
    }
    var listing = ReflogRows(
      style: rows, name: name, now: context.clock(),
      end: options.rowEnd, limit: limit)
    _ = try opened.store.refs.forEachEntry { (entry) throws(RefsError) in
      listing.take(entry)
      return true
    }
    if let name, listing.changeCount == 0 {
      throw CommandError.fatal("no ref has ever had the name '\(name.text)'")
    }
    try listing.write(&context)
    return .ok
  }
}
