// The options that fetch, push, sync and ls-remote share, and how they choose remotes.

internal import RedoObject
internal import RedoRemote
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// The options of commands that talk to remotes.
enum SyncOptions {
  static let task = OptionSpec(
    "task", letter: "t", .required("task"),
    help: "only the nodes of this task, and their ancestors")
  static let since = OptionSpec(
    "since", .required("date"),
    help: "only nodes with a wall time from <date> on, and their ancestors")
  static let kind = OptionSpec(
    "kind", .required("kind"),
    help:
      "the objects of this kind alone: node, receipt or schema, whatever 'remote.<name>.kinds' says"
  )
  static let allowUnsigned = OptionSpec(
    "allow-unsigned", help: "nodes that nobody signed, too; the remote must allow it")
  static let porcelain = OptionSpec("porcelain", help: "print what was done, for scripts")
  static let verbose = OptionSpec("verbose", letter: "v", help: "say more")
  static let lockTimeout = OptionSpec(
    "lock-timeout", .required("milliseconds"), help: "how long to wait for another process")
  static let retry = OptionSpec(
    "retry", help: "try again when a remote cannot be reached; the default")
  static let interval = OptionSpec(
    "interval", .required("time"), help: "the time between two runs, such as 30s or 5m")

  /// The options that all of these commands have, listed last.
  static let common = [allowUnsigned, .quiet, verbose, .progress, lockTimeout, retry]

  /// The longest time between two runs, in seconds: a year.
  private static let intervalLimit = 366 * 86_400

  /// Opens the store; waits for other processes as long as the command line allows.
  ///
  /// - Throws: `usage` for an invalid time, `fatal` when there is no store.
  static func open(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Repository {
    if let milliseconds = try options.integer(lockTimeout, in: 0...86_400_000) {
      context.effects.surroundings.settings.append(
        (key: "core.lockTimeout", value: "\(milliseconds)"))
    }
    return try context.effects.openRepository()
  }

  /// The options of an exchange.
  ///
  /// - Parameters:
  ///   - options: the command line.
  ///   - opened: the store.
  ///   - context: provides the present time.
  /// - Returns: the options.
  /// - Throws: `usage` or `fatal` for an invalid value.
  static func settings(
    _ options: ParsedOptions, _ opened: Repository, _ context: borrowing Context
  ) throws -> SyncSession.Options {
    var settings = SyncSession.Options()
    if let text = options.value(task) {
      settings.filter.task = try TaskName.known(text, opened)
    }
    if let text = options.value(since) {
      guard let moment = Moment(text, .start, now: context.clock()) else {
        throw CommandError.fatal("option '--since' expects a date, not '\(text)'")
      }
      settings.filter.since = WallTime(milliseconds: moment.milliseconds)
    }
    settings.allowsUnsigned = options.has(allowUnsigned)
    settings.isDryRun = options.has(.dryRun)
    settings.isQuiet = options.has(.quiet)
    settings.isVerbose = options.has(verbose)
    settings.repeats = options.flag(retry) ?? true
    return settings
  }

  /// The kinds of objects that are exchanged with a remote: the one that the command line names, otherwise those of the
  /// settings, of which only nodes can be chosen by task, time or id.
  ///
  /// - Parameters:
  ///   - options: the command line.
  ///   - aboutNodes: the options of the command that are about nodes alone.
  ///   - opened: the store.
  /// - Returns: finds the kinds of a remote; throws `fatal` where a setting is malformed.
  /// - Throws: `usage` for a kind that is none, or with an option that is about nodes alone.
  static func kinds(
    _ options: ParsedOptions, aboutNodes: [OptionSpec] = [], _ opened: Repository
  ) throws -> (Remote) throws -> [ObjectKind] {
    let named = try options.kind(kind)
    let choice = ([task, since, allowUnsigned] + aboutNodes).first { options.has($0) }
    if let named, named != .node, let choice {
      throw CommandError.usage("'\(choice.spelling)' is about nodes, not '--kind=\(named)'")
    }
    return { remote in
      if let named { return [named] }
      guard choice == nil else { return [.node] }
      guard let name = remote.name else { return Repository.usualKinds }
      return try opened.kinds(Remote.key(name, "kinds"))
    }
  }

  /// The time between two runs, in milliseconds.
  ///
  /// - Throws: `usage` when it is not a valid time.
  static func milliseconds(_ options: ParsedOptions) throws -> Int64? {
    guard let text = options.value(interval) else { return nil }
    var digits = text
    var factor = 1
    switch text.utf8.last {
    case UInt8(ascii: "s"): digits = String(text.dropLast())
    case UInt8(ascii: "m"): (digits, factor) = (String(text.dropLast()), 60)
    case UInt8(ascii: "h"): (digits, factor) = (String(text.dropLast()), 3600)
    default: break
    }
    guard let number = ParsedOptions.decimal(digits), (1...intervalLimit / factor).contains(number)
    else {
      throw CommandError.usage(
        "option '--interval' expects a time such as 30s, 5m or 1h, not '\(text)'")
    }
    return Int64(number * factor) * 1_000
  }

  // MARK: Remotes

  /// The remotes that a command line names.
  ///
  /// - Parameters:
  ///   - names: names and URLs.
  ///   - all: whether all remotes of the settings are meant, but for those that say that they are not.
  ///   - isQuiet: whether nothing is said of those.
  ///   - opened: the store.
  ///   - context: resolves relative paths.
  /// - Returns: at least one.
  /// - Throws: `usage` when both names and `all` are given, `fatal` when there is no remote.
  static func remotes(
    _ names: [String], all: Bool = false, isQuiet: Bool = false, _ opened: Repository,
    _ context: borrowing Context
  ) throws -> [Remote] {
    guard names.isEmpty || !all else {
      throw CommandError.usage("'--all' means all remotes, and '\(names[0])' is one")
    }
    var words: [String] = []
    for name in names where !words.contains(name) { words.append(name) }
    if names.isEmpty {
      let known = Remote.names(opened.store.config).map(\.text)
      guard let first = known.first else {
        throw CommandError.fatal(
          "there is no remote", hints: ["'redo remote add <name> <url>' makes one"])
      }
      if all {
        words = known
      } else if known.count == 1 {
        words = [first]
      } else {
        guard known.contains(Remote.usualName) else {
          throw CommandError.fatal(
            "none of the \(known.count) remotes is called '\(Remote.usualName)'",
            hints: ["name one of them: \(known.joined(separator: ", "))"])
        }
        words = [Remote.usualName]
      }
    }
    var remotes: [Remote] = []
    for word in words {
      let remote = try Remote.named(word, opened.store, context.effects)
      guard try !all || remote.isEnabled() else {
        if !isQuiet {
          context.note("'\(remote.title)' is left out: 'remote.\(remote.title).enabled' is false")
        }
        continue
      }
      warnOfUnknown(remote, context)
      remotes.append(remote)
    }
    guard !remotes.isEmpty else {
      throw CommandError.fatal(
        "no remote is enabled", hints: ["one that is named is used all the same"])
    }
    return remotes
  }

  /// Warns of settings of a remote that nothing reads.
  static func warnOfUnknown(_ remote: Remote, _ context: borrowing Context) {
    for entry in remote.unknownSettings() {
      context.warning("no command reads '\(entry.key)' (\(entry.place))")
      let last = entry.key.split(separator: ".").last.map(String.init) ?? entry.key
      let near = Suggestion.nearest(to: last, among: KnownKey.remoteKeys.map { $0.lowercased() })
      let meant = KnownKey.remoteKeys.filter { near.contains($0.lowercased()) }
      guard !meant.isEmpty else { continue }
      context.hint("did you mean \(meant.map { "'\($0)'" }.joined(separator: " or "))?")
    }
  }
}

extension SyncOptions {
  /// Says how many chains of receipts a store has, where none of them is sent: they are private.
  ///
  /// - Throws: `fatal` when its refs cannot be read, or a setting is malformed.
  static func sayReceipts(
    _ opened: Repository, _ remotes: [Remote], of kinds: (Remote) throws -> [ObjectKind],
    _ context: borrowing Context
  ) throws {
    guard try !remotes.contains(where: { try kinds($0).contains(.receipt) }) else { return }
    let chains = try opened.heads(of: .receipt).groups
    guard chains > 0 else { return }
    context.note(
      "\(chains) chain\(chains == 1 ? "" : "s") of receipts stay\(chains == 1 ? "s" : "") here")
  }
}
