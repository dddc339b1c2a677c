// redo sync: brings this store and a remote to the same history.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo sync [<options>] [--all | <remote>...]`.
enum SyncCommand: Command {
  static let name = "sync"
  static let summary = "bring this store and a remote to the same history"
  static var usage: [String] {
    ["redo-sync [<options>] [--merge] [--interval=<time>] [--all | <remote>...]"]
  }

  private static let all = OptionSpec("all", help: "with all remotes")
  private static let merge = OptionSpec(
    "merge", help: "bring the branches of diverged tasks together")
  static var options: [OptionSpec] {
    [
      .dryRun, SyncOptions.kind, SyncOptions.task, .includeReceived, all, SyncOptions.interval,
      .heading("merging"), merge,
      PassphraseSource.descriptorOption, .heading("what is printed"), .json, .nul,
      .heading("how"),
    ] + SyncOptions.common
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let interval = try SyncOptions.milliseconds(options)
    guard options.has(merge) || !options.has(PassphraseSource.descriptorOption) else {
      throw CommandError.usage("'--passphrase-fd' is about '--merge', which is not given")
    }
    if options.has(merge), options.has(.dryRun) {
      throw CommandError.usage("options '--dry-run' and '--merge' cannot be used together")
    }
    let opened = try SyncOptions.open(&context, options)
    var settings = try SyncOptions.settings(options, opened, context)
    settings.includesShared = options.has(.includeReceived)
    let kinds = try SyncOptions.kinds(options, aboutNodes: [merge], opened)
    let remotes = try SyncOptions.remotes(
      options.arguments, all: options.has(all), isQuiet: options.has(.quiet), opened, context)
    if !settings.isQuiet { try SyncOptions.sayReceipts(opened, remotes, of: kinds, context) }
    context.holdSignals()
    var runs = SyncRuns(opened, remotes, of: kinds, isQuiet: settings.isQuiet)
    var said = SaidOfRemotes()
    let one = { (context: inout Context) throws -> Exit in
      try runs.run(&context) { remote, kind, context throws in
        settings.objects = kind
        settings.merges = options.has(merge) && kind == .node
        return try sync(opened, remote, settings, options, after: &said, &context)
      }
    }
    guard let interval else { return try one(&context) }
    let exit = try FetchWatch.untilTerminated {
      while true {
        try FetchWatch.untilNextTime(&context) { context in _ = try one(&context) }
        try context.pause(milliseconds: interval)
      }
    }
    context.output.discard()
    return exit
  }

  private static func sync(
    _ opened: Repository, _ remote: Remote, _ settings: SyncSession.Options,
    _ options: ParsedOptions, after said: inout SaidOfRemotes, _ context: inout Context
  ) throws -> SyncRuns.Done {
    var first = SyncSession(opened, remote, .sync, settings)
    try first.run(context.effects)
    var report = first.report
    report.say(settings, after: &said, context)
    if settings.merges {
      let merged = try merge(opened, options, &context)
      if !merged.isEmpty {
        if !settings.isQuiet {
          context.note("merged \(merged.count) task\(merged.count == 1 ? "" : "s")")
        }
        var second = SyncSession(opened, remote, .sync, settings)
        try second.run(context.effects)
        second.report.say(settings, after: &said, context)
        report.add(second.report)
        report.merged = merged
      }
    }
    if options.has(.json) {
      try context.output.append { output throws in
        report.appendJSON(.sync, end: options.rowEnd, to: &output)
      }
    }
    guard !first.isDenied else {
      throw CommandError(.access, "nothing may be pushed to '\(remote.title)'")
    }
    return SyncRuns.Done(exit: report.exit, report: report)
  }

  /// Merges diverged tasks.
  ///
  /// - Returns: the new nodes.
  private static func merge(
    _ opened: Repository, _ options: ParsedOptions, _ context: inout Context
  ) throws -> [ObjectID] {
    let merge = TaskMerge(
      tasks: options.values(SyncOptions.task), decider: MergeDecider(rule: nil), own: nil)
    let found = try opened.diverged(merge, context.effects)
    guard !found.isEmpty else { return [] }
    var writing = try CommitOptions.writing(options, context)
    writing.message = "sync: merge"
    guard let nodes = try opened.merge(found, writing, context.effects) else {
      throw CommandError.fatal("diverged tasks cannot be merged")
    }
    return nodes.map(\.id)
  }
}
