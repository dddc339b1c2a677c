// redo quarantine promote: takes in the changes whose parents have arrived, and what an interrupted run has
// received.

internal import RedoHistory
internal import RedoObject
internal import RedoRemote
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo quarantine promote [-n] [-q] [--allow-unsigned] [--lock-timeout=<ms>] [--json]`.
enum QuarantinePromote: Command {
  static let name = "promote"
  static let summary = "take in what has its parents by now, and what was left half received"
  static var usage: [String] {
    ["redo-quarantine promote [-n] [-q] [--allow-unsigned] [--lock-timeout=<ms>] [--json]"]
  }
  private static let allowUnsigned = OptionSpec(
    "allow-unsigned", help: "take changes without a signature too")
  private static let lockTimeout = OptionSpec(
    "lock-timeout", .required("ms"),
    help: "how many milliseconds to wait for another synchronisation")
  static var options: [OptionSpec] {
    [.dryRun, allowUnsigned, lockTimeout, .quiet, .json]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else {
      throw CommandError.usage("nothing is named: all that can be taken in is taken in")
    }
    var settings = Receiver.Options()
    settings.message = "quarantine promote"
    settings.allowsUnsigned = options.has(allowUnsigned)
    settings.writes = !options.has(.dryRun)
    settings.isQuiet = options.has(.quiet)
    settings.lockTimeoutMilliseconds = try options.integer(lockTimeout, in: 0...86_400_000)
    let opened = try context.effects.openRepository()
    if settings.writes { context.holdSignals() }
    let receiver = try Receiver(opened, settings, context.effects)
    try receiver.promote()
    let report = receiver.report
    let waits = try QuarantineShelf(opened).ids().count
    if options.has(.json) {
      try context.output.append { output throws in
        report.appendJSON(to: &output)
        output.append(UInt8(ascii: "\n"))
      }
    } else {
      try context.output.writeLine("\(report.new.count)")
    }
    if !settings.isQuiet {
      var text = settings.writes ? "took in " : "would take in "
      text += "\(report.new.count) change\(report.new.count == 1 ? "" : "s")"
      if !report.refused.isEmpty { text += ", \(report.refused.count) refused" }
      if waits > 0, settings.writes { text += ", \(waits) wait\(waits == 1 ? "s" : "")" }
      context.note(text)
    }
    if !report.heldStill.isEmpty {
      context.effects.reporter.report(
        .sync(.untrustedInAll(UntrustedCount(report.heldStill))))
    }
    return report.hasRefused || !report.heldStill.isEmpty ? .no : .ok
  }
}

extension ReceiveReport {
  /// Appends `{"heads":…,"known":…,"new":…,"orphans":…,"promoted":…,"refused":…,"upgraded":…}`.
  func appendJSON(to output: inout [UInt8]) {
    var row = JSONRow()
    row.add("heads", heads.flatMap { head in head.moves.map { (head.name.text, $0) } }) {
      var move = JSONRow()
      move.addIfAny("new", $0.1.new?.text)
      move.addIfAny("old", $0.1.old?.text)
      move.add("ref", $0.0)
      move.append(to: &$1)
    }
    if !held.isEmpty || !heldStill.isEmpty {
      row.add("held", held + heldStill) {
        var node = JSONRow()
        node.add("detail", $0.detail)
        node.add("id", $0.id.text)
        node.add("rule", $0.answer.standing.rule?.id ?? "")
        node.append(to: &$1)
      }
    }
    row.add("known", known)
    row.add("new", new.map(\.id.text))
    row.add("orphans", orphans) {
      var orphan = JSONRow()
      orphan.add("id", $0.id.text)
      orphan.add("parent", $0.parent.text)
      orphan.append(to: &$1)
    }
    row.add("promoted", promoted)
    row.add("refused", refused) {
      var node = JSONRow()
      if !$0.detail.isEmpty { node.add("detail", $0.detail) }
      node.add("id", $0.id.text)
      node.add("rule", $0.rule)
      node.append(to: &$1)
    }
    row.add("upgraded", upgraded)
    row.append(to: &output)
  }
}
