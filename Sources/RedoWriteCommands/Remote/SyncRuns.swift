// Runs the same work with several remotes, one after another, and with each for the kinds of objects that it is for: a failure
// of one remote does not keep the others from theirs.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Runs work with several remotes.
struct SyncRuns {
  /// What came of the work with one remote, for one kind of objects.
  struct Done {
    /// The exit status.
    let exit: Exit
    /// What was exchanged.
    let report: SyncReport
  }

  private let opened: Repository
  private let remotes: [Remote]
  private let kinds: (Remote) throws -> [ObjectKind]
  private let isQuiet: Bool
  /// The remotes that take no schemas, although there are some here for them.
  private(set) var closed: Set<String> = []

  /// - Parameters:
  ///   - opened: the store.
  ///   - remotes: the remotes.
  ///   - kinds: the kinds of objects that are exchanged with a remote, each in an exchange of its own.
  ///   - isQuiet: whether notes are suppressed.
  init(
    _ opened: Repository, _ remotes: [Remote],
    of kinds: @escaping (Remote) throws -> [ObjectKind], isQuiet: Bool
  ) {
    self.isQuiet = isQuiet
    self.opened = opened
    self.remotes = remotes
    self.kinds = kinds
  }

  /// Runs the work with each remote.
  ///
  /// - Parameters:
  ///   - context: receives the messages about failures.
  ///   - body: the work with one remote, for one kind of objects.
  /// - Returns: the highest exit status.
  /// - Throws: with one remote, the errors of the body; with several, only those that end the command.
  mutating func run(
    _ context: inout Context,
    _ body: (Remote, ObjectKind, inout Context) throws -> Done
  ) throws -> Exit {
    var exit = Exit.ok
    for remote in remotes {
      exit = max(exit, try runOne(remote, &context, body))
      try context.output.flush()
    }
    return exit
  }

  /// Runs with one remote; if there are several, a failure is reported and the next one has its turn.
  private mutating func runOne(
    _ remote: Remote, _ context: inout Context,
    _ body: (Remote, ObjectKind, inout Context) throws -> Done
  ) throws -> Exit {
    guard remotes.count > 1 else { return try runKinds(remote, &context, body) }
    do {
      return try runKinds(remote, &context, body)
    } catch {
      let error = context.advised(CommandError(error))
      guard case .exit(let exit) = error.ending, exit != .usage else { throw error }
      context.error(error.messageWithCode)
      for hint in error.hints { context.hint(hint) }
      return exit
    }
  }

  private mutating func runKinds(
    _ remote: Remote, _ context: inout Context,
    _ body: (Remote, ObjectKind, inout Context) throws -> Done
  ) throws -> Exit {
    var exit = Exit.ok
    let staying = try Self.forEach(kinds(remote), with: remote, opened, &context) {
      kind, context in
      let done = try body(remote, kind, &context)
      exit = max(exit, done.exit)
      return done.report
    }
    if staying > 0 {
      closed.insert(remote.title)
      if !isQuiet {
        context.note(
          "\(ObjectKind.schema.groupWords(staying)) stay here: '\(remote.title)' takes none")
      }
    }
    return exit
  }

  /// Runs work for several kinds of objects; for schemas only where, after what was said about nodes, they are on a side.
  ///
  /// - Parameters:
  ///   - kinds: the kinds.
  ///   - remote: the other side.
  ///   - opened: the store.
  ///   - context: what the body is given.
  ///   - body: the work.
  /// - Returns: how many schemas stay here, because the other side takes none.
  /// - Throws: what the body throws; `RefsError` when the refs cannot be read.
  static func forEach(
    _ kinds: [ObjectKind], with remote: Remote, _ opened: Repository, _ context: inout Context,
    _ body: (ObjectKind, inout Context) throws -> SyncReport
  ) throws -> Int {
    var nodes: SyncReport?
    var staying = 0
    for kind in kinds {
      if kind == .schema, let nodes {
        switch nodes.schemaStep(here: try opened.heads(of: .schema).groups) {
        case .exchange: break
        case .nothing: continue
        case .stay(let count):
          staying = count
          continue
        }
      }
      let report = try body(kind, &context)
      if kind == .node { nodes = report }
    }
    return staying
  }
}
