// An archive of a remote: its nodes are fetched, which removes nothing from it, and everything that its heads reach
// is archived; for a remote at Firestore, what its documents say is written as well.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// The remote of which an archive is made.
struct ArchiveRemote {
  static let option = OptionSpec(
    "remote", .optional("remote"), help: "what a remote has, which is fetched before")

  private let remote: Remote
  private let isQuiet: Bool

  /// The remote that the options name.
  ///
  /// - Parameters:
  ///   - options: the command line.
  ///   - opened: the store.
  ///   - isQuiet: whether only errors are printed.
  ///   - context: resolves relative paths.
  /// - Returns: `nil` when the options name none.
  /// - Throws: `usage` for options that cannot be combined with it, `fatal` when there is no such remote.
  static func named(
    _ options: ParsedOptions, _ opened: Repository, isQuiet: Bool, _ context: borrowing Context
  ) throws -> ArchiveRemote? {
    guard options.has(option) else { return nil }
    guard options.arguments.isEmpty else {
      throw CommandError.usage("'--remote' takes no revisions")
    }
    let names = ["before", "older-than", "since", "clock", "split", "remove", "dry-run"]
    for given in options.given where names.contains(given.spec.name) && !given.isNegated {
      throw CommandError.usage(
        "options '--remote' and '\(given.spec.spelling)' cannot be used together")
    }
    let word = [options.value(option)].compactMap(\.self)
    guard let remote = try SyncOptions.remotes(word, opened, context).first else {
      preconditionFailure("BUG: no remote")
    }
    return ArchiveRemote(remote: remote, isQuiet: isQuiet)
  }

  /// Fetches the nodes of the remote.
  ///
  /// - Returns: its heads, as revisions, and whether everything that it has was taken.
  /// - Throws: the errors of a fetch; `fatal` when the remote has no nodes.
  func fetch(
    _ opened: Repository, _ context: inout Context
  ) throws -> (heads: [String], isWhole: Bool) {
    var settings = SyncSession.Options()
    settings.isQuiet = isQuiet
    var fetching = SyncSession(opened, remote, .fetch, settings)
    try fetching.run(context.effects)
    let report = fetching.report
    var said = SaidOfRemotes()
    report.say(settings, after: &said, context)
    let left =
      report.refused.count { $0.isReceived } + report.orphans.count + report.notCome
      + report.toldThere.reduce(0) { $0 + $1.total }
    if left > 0 {
      context.warning(
        "\(SyncReport.changes(left)) of '\(remote.title)' \(left == 1 ? "is" : "are") not in the "
          + "archive, because \(left == 1 ? "it was" : "they were") not taken")
    }
    // The remembered refs may lag behind the remote, so both are compared once more.
    settings.isQuiet = true
    var comparison = SyncSession(opened, remote, .list, settings)
    try comparison.run(context.effects)
    let heads = comparison.listing.map(\.id.text)
    guard !heads.isEmpty else {
      throw CommandError.fatal("'\(remote.title)' has no node to archive")
    }
    return (heads, report.isWhole)
  }

  /// Writes what the documents of the remote say to a file beside the archive; only for remotes at Firestore.
  ///
  /// - Parameters:
  ///   - path: the archive, which is complete.
  ///   - made: what is in it.
  ///   - opened: the store.
  ///   - isForced: whether an existing file is replaced.
  ///   - context: for messages.
  /// - Throws: the errors of `RemoteQuery.ask`; `fatal` when the file cannot be written.
  func describe(
    _ path: String, _ made: ArchiveMaking.Made, _ opened: Repository, isForced: Bool,
    _ context: inout Context
  ) throws {
    guard RemoteQuery.isAnswered(by: remote) else { return }
    let known = Set(made.ids)
    let documents = try ArchiveDocuments(
      of: remote, isQuiet: isQuiet, { known.contains($0) }, context.effects)
    if !documents.others.isEmpty {
      context.warning(
        "\(documents.others.count) document\(documents.others.count == 1 ? "" : "s") of "
          + "'\(remote.title)' that \(documents.others.count == 1 ? "is" : "are") no node of the "
          + "archive: '\(Escape.text(documents.others[0]))'")
    }
    let name = try documents.write(
      beside: path, made.directory, isForced: isForced,
      syncs: try opened.refsOptions().sync != .none, context.effects)
    if !isQuiet {
      context.note("'\(name)' has the readers and times of \(SyncReport.changes(documents.count))")
    }
  }

  /// Makes sure that the file beside an archive can be written.
  func check(
    _ path: String, isForced: Bool, _ context: borrowing Context
  ) throws {
    guard RemoteQuery.isAnswered(by: remote) else { return }
    try ArchiveTarget.check(
      path + ArchiveDocuments.suffix, isForced: isForced, context.effects)
  }
}
