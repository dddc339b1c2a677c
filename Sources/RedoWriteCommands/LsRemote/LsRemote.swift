// redo ls-remote: shows what a comparison says about a remote; nothing is changed.

internal import RedoHistory
internal import RedoObject
internal import RedoRemote
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo ls-remote [<options>] [<remote>]`.
enum LsRemote: Command {
  static let name = "ls-remote"
  static let summary = "tell what a remote has, without taking it"
  static var usage: [String] {
    [
      "redo-ls-remote [--only=(here|there)] [--kind=<kind>] [--task=<task>] [--exit-code] [--json] [-z]\n"
        + "               [<options>] [<remote>]",
      "redo-ls-remote [--access[=<account>] | --owned | --user] [--action=<action>]\n"
        + "               [--author=<user>] [--task=<task>] [--created-since=<time>]\n"
        + "               [--sort=<key>] [--limit=<n>] [--json] [-z] [<remote>]",
      "redo-ls-remote --verify=<id>... [--json] [-z] [<remote>]",
    ]
  }

  static let exitCode = OptionSpec(
    "exit-code", help: "exit with 2 when the remote has nothing of it")
  private static let only = OptionSpec(
    "only", .required("side"),
    help: "the ids of the nodes that only this side has: here or there")
  static var options: [OptionSpec] {
    [
      only, SyncOptions.kind, SyncOptions.task, exitCode, .json, .nul, SyncOptions.allowUnsigned,
      .quiet,
      .progress, SyncOptions.retry,
    ] + LsRemoteQuery.options
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.count < 2 else {
      throw CommandError.usage("one remote is listed at a time, not '\(options.arguments[1])' too")
    }
    let opened = try context.effects.openRepository()
    var settings = try SyncOptions.settings(options, opened, context)
    let side = try options.choice(only, as: Side.self)
    let asksDatabase = LsRemoteQuery.asking(options)
    settings.objects = try options.kind(SyncOptions.kind) ?? .node
    _ = try SyncOptions.kinds(options, aboutNodes: asksDatabase.map { [$0] } ?? [], opened)
    guard let remote = try SyncOptions.remotes(options.arguments, opened, context).first else {
      preconditionFailure("BUG: no remote")
    }
    if let option = asksDatabase {
      guard side == nil else {
        throw CommandError.usage(
          "options '--only' and '\(option.spelling)' cannot be used together")
      }
      try RemoteQuery.require(remote, for: option.spelling)
    }
    if side == nil, RemoteQuery.isAnswered(by: remote),
      options.has(SyncOptions.task) || asksDatabase != nil
    {
      let form = LsRemoteQuery.Form(
        isJSON: options.has(.json), end: options.rowEnd)
      return try LsRemoteQuery.run(remote, options, form, opened, settings, &context)
    }
    context.holdSignals()
    settings.namesSides = side != nil
    var exchange = SyncSession(opened, remote, .list, settings)
    try exchange.run(context.effects)
    let listing = exchange.listing
    let report = exchange.report
    report.sayHeld(isQuiet: settings.isQuiet, context)
    if let side {
      let found = side == .here ? exchange.sides.here : exchange.sides.there
      let rows = RowWriter(sideColumns, options)
      for row in found { try rows.write(row, &context) }
      try context.output.flush()
      if report.heldThere == nil, !settings.isQuiet {
        context.note(
          report.showsPart
            ? "'\(remote.title)' shows a part of what it has, and says nothing of the rest"
            : "'\(remote.title)' does not say what it withholds")
      }
      if options.has(exitCode), found.isEmpty { return .absent }
      return report.exit
    }
    let rows = RowWriter(columns, separator: "\t", options)
    if options.has(.json) {
      try context.output.append { output throws in
        append(listing, rows, report, exchange.server, to: &output)
        output.append(options.rowEnd)
      }
    } else {
      try context.output.append { output throws in
        for head in listing {
          rows.append(head, to: &output)
          output.append(rows.end)
        }
      }
      try context.output.flush()
      if !settings.isQuiet {
        context.note(
          "both have \(report.things(report.both)); only here: \(report.onlyHere); only there: "
            + "\(report.onlyThere)\(report.hasMore ? " or more" : "")")
      }
    }
    let isEmpty = report.both == 0 && report.onlyThere == 0 && !report.hasMore
    if options.has(exitCode), isEmpty { return .absent }
    return report.exit
  }

  /// The side whose nodes are listed.
  private enum Side: String, CaseIterable {
    case here, there
  }

  /// `<id>`, and in JSON the rule because of which it is held back.
  private static var sideColumns: [RowColumn<SyncSides.Row>] {
    [.word("id") { $0.id.text }, .text("rule", in: .json) { $0.rule }]
  }

  /// `<id> TAB <name>`.
  private static var columns: [RowColumn<Ref>] {
    [.word("id") { $0.id.text }, .word("name") { $0.name.text }]
  }

  private static func append(
    _ heads: [Ref], _ rows: RowWriter<Ref>, _ report: SyncReport, _ server: ServerHello?,
    to output: inout [UInt8]
  ) {
    var row = JSONRow()
    row.add("attempts", report.attempts)
    row.add("both", report.both)
    row.add("bytesReceived", report.bytesReceived)
    row.add("bytesSent", report.bytesSent)
    row.add("capabilities", server?.capabilities.words ?? [])
    if let checkpoint = server?.checkpoint {
      row.addIfAny("checkpoint", String(decoding: checkpoint, as: UTF8.self))
    }
    if let isEqual = report.isEqual { row.add("equal", isEqual) }
    row.add("hasMore", report.hasMore)
    row.add("heads", heads) { rows.appendJSON($0, to: &$1) }
    row.add("heldBackHere", report.heldHere, SyncReport.append)
    if let held = report.heldThere { row.add("heldBackThere", held, SyncReport.append) }
    if report.objects != .node { row.add("keptThere", report.keptThere) }
    row.add("kind", "\(report.objects.name)")
    row.addIfAny("knownSince", report.knownSinceText)
    row.add("nodesHere", report.countHere)
    row.add("onlyHere", report.onlyHere)
    row.add("onlyThere", report.onlyThere)
    row.add("remote", report.remote)
    row.add("roundTrips", report.roundTrips)
    if let store = server?.store.flatMap({ StoreID(raw: $0) }) { row.add("store", store.text) }
    row.append(to: &output)
  }
}
