// redo push: sends what this store has and a remote lacks.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo push [<options>] [<remote>...]`.
enum Push: Command {
  static let name = "push"
  static let summary = "send what this store has and a remote lacks"
  static var usage: [String] {
    [
      "redo-push [<options>] [--all | --verify] [<remote>...]",
      "redo-push [<options>] --replicas=<n> <remote>...",
    ]
  }

  private static let all = OptionSpec(
    "all", help: "every node of the history, and compare again afterwards")
  private static let verify = OptionSpec(
    "verify", help: "compare again afterwards, and say that the remote has everything")
  private static let replicas = OptionSpec(
    "replicas", .required("n"), help: "it is enough when <n> of the remotes have everything")
  static var options: [OptionSpec] {
    [
      .dryRun, SyncOptions.kind, SyncOptions.task, .includeReceived, all, verify, replicas,
      .heading("what is printed"),
      SyncOptions.porcelain, .json, .nul, .heading("how"),
    ] + SyncOptions.common
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let form = try options.only(oneOf: [SyncOptions.porcelain, .json])
    let checks = options.has(verify) || options.has(all)
    if options.has(all), options.has(SyncOptions.task) {
      throw CommandError.usage("options '--all' and '--task' cannot be used together")
    }
    let opened = try SyncOptions.open(&context, options)
    var settings = try SyncOptions.settings(options, opened, context)
    settings.includesShared = options.has(.includeReceived)
    let kinds = try SyncOptions.kinds(options, opened)
    let remotes = try SyncOptions.remotes(options.arguments, opened, context)
    let wanted = try options.integer(replicas, in: 1...Int.max)
    if let wanted, wanted > remotes.count {
      throw CommandError.usage(
        "'--replicas=\(wanted)' needs as many remotes, and there are \(remotes.count)")
    }
    if !settings.isQuiet { try SyncOptions.sayReceipts(opened, remotes, of: kinds, context) }
    context.holdSignals()
    var said = SaidOfRemotes()
    var haveAll: [String: Bool] = [:]
    var runs = SyncRuns(opened, remotes, of: kinds, isQuiet: settings.isQuiet)
    let exit = try runs.run(&context) {
      remote, kind, context throws in
      settings.objects = kind
      // Unless this ends well, too, the remote lacks something.
      let before = haveAll.updateValue(false, forKey: remote.title) ?? true
      var run = SyncSession(opened, remote, .push, settings)
      try run.run(context.effects)
      var report = run.report
      report.say(settings, after: &said, context)
      if checks, !settings.isDryRun {
        let isWhole = try isWhole(run, &context)
        let areGood = try PushedDocuments.areGood(
          run, report, all: options.has(all), &context)
        report.isVerified = isWhole && areGood
      }
      if let form, form.isSame(as: .json) {
        try context.output.append { output throws in
          report.appendJSON(.push, end: options.rowEnd, to: &output)
        }
      } else if form != nil {
        try PushRows(opened, report, lists: settings.isVerbose, end: options.rowEnd)
          .write(&context)
      }
      haveAll[remote.title] = before && report.exit == .ok
      return SyncRuns.Done(exit: report.exit, report: report)
    }
    let count = haveAll.count { $0.value && !runs.closed.contains($0.key) }
    guard let wanted else { return exit }
    if count >= wanted {
      if !settings.isQuiet {
        context.note("\(count) of \(remotes.count) remotes have everything")
      }
      return .ok
    }
    context.error(
      "\(count) of \(remotes.count) remotes \(count == 1 ? "has" : "have") everything, "
        + "not \(wanted)")
    return max(exit, .no)
  }

  /// Compares once more to see whether a remote has everything that may be sent.
  private static func isWhole(
    _ done: SyncSession, _ context: inout Context
  ) throws -> Bool {
    var options = done.options
    options.isVerbose = false
    options.readsAll = true
    options.listsAnew = true
    var again = SyncSession(done.opened, done.remote, .list, options)
    try again.run(context.effects)
    let count = again.report.both
    let lacking = again.report.onlyHere
    guard lacking == 0 else {
      context.error(
        "'\(done.remote.title)' lacks \(again.report.things(lacking)) of those that are here")
      return false
    }
    let all = again.report.things(again.report.heldHere.reduce(count) { $0 + $1.total })
    guard again.report.toldHere.isEmpty else {
      context.error("'\(done.remote.title)' has \(count) of the \(all) of this store")
      return false
    }
    if !options.isQuiet {
      let more =
        again.report.onlyThere > 0 || again.report.hasMore
        ? ", and \(again.report.onlyThere)\(again.report.hasMore ? " or more" : "") besides" : ""
      let (accepted, shared, kept) = again.report.untoldHere
      var rest: [String] = []
      if accepted > 0 { rest.append("\(accepted) held back, which is accepted") }
      if shared > 0 { rest.append("\(shared) held back by both") }
      if kept > 0 { rest.append("\(kept) private") }
      let has = rest.isEmpty ? "all \(all)" : "\(count) of the \(all)"
      let why = rest.isEmpty ? "" : "; " + rest.joined(separator: ", ")
      context.note("'\(done.remote.title)' has \(has) of this store\(more)\(why)")
    }
    return true
  }
}

/// The output of `--porcelain`, in the manner of git-push(1).
struct PushRows {
  private let opened: Repository
  private let report: SyncReport
  private let lists: Bool
  private let end: UInt8

  /// - Parameters:
  ///   - opened: the store.
  ///   - report: what was done.
  ///   - lists: whether heads that the remote already has are listed.
  ///   - end: the byte that ends a row.
  init(_ opened: Repository, _ report: SyncReport, lists: Bool, end: UInt8) {
    self.opened = opened
    self.report = report
    self.lists = lists
    self.end = end
  }

  private func writeRow(_ text: String, _ context: inout Context) throws {
    try context.output.write(Array(text.utf8) + [end])
  }

  /// Writes the rows.
  ///
  /// - Throws: `fatal` when the history cannot be read.
  func write(_ context: inout Context) throws {
    try writeRow("To \(Escape.text(report.url))", &context)
    let graph =
      report.objects == .node
      ? try HistoryGraph.open(opened, usesCache: true, [.ids, .labels]).graph : nil
    func line(
      _ flag: String, _ id: ObjectID, _ summary: String, _ reason: String = ""
    ) throws {
      let ref = try graph.map { name(of: id, $0) } ?? opened.groupName(of: id)?.text ?? "-"
      let why = reason.isEmpty ? "" : " (\(Escape.text(reason)))"
      try writeRow("\(flag)\t\(id.text):\(ref)\t[\(summary)]\(why)", &context)
    }
    if lists {
      let left = Set(report.pushed + report.refused.map(\.id))
      for id in try heads() where !left.contains(id) { try line("=", id, "up to date") }
    }
    for id in report.pushed { try line("*", id, "new \(report.objects.name)") }
    for row in report.refused {
      if let because = row.because {
        try line("!", row.id, "held back", "\(row.rule) in \(because.text)")
      } else {
        let detail = row.detail.isEmpty ? "" : ": \(row.detail)"
        try line("!", row.id, row.isHere ? "rejected" : "remote rejected", row.rule + detail)
      }
    }
    if report.refused.isEmpty { try writeRow("Done", &context) }
  }

  private func name(of id: ObjectID, _ graph: Graph) -> String {
    let number = graph.position(of: id).map { graph.task(at: $0) } ?? -1
    return RefName.heads(of: number < 0 ? nil : graph.taskID(number)).text
  }

  private func heads() throws -> [ObjectID] {
    guard report.objects == .node else { return try opened.heads(of: report.objects).ids }
    var snapshot = try opened.snapshot()
    return try HistoryLoad.heads(&snapshot)
  }
}
