// Runs the same work with several remotes, one after another, and with each for the kinds of objects that it is for: a failure
// of one remote does not keep the others from theirs.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Runs work with several remotes.
struct SyncRuns {
  private let remotes: [Remote]
  private let kinds: (Remote) throws -> [ObjectKind]

  /// - Parameters:
  ///   - remotes: the remotes.
  ///   - kinds: the kinds of objects that are exchanged with a remote, each in an exchange of its own.
  init(_ remotes: [Remote], of kinds: @escaping (Remote) throws -> [ObjectKind]) {
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
  func run(
    _ context: inout Context,
    _ body: (Remote, ObjectKind, inout Context) throws -> Exit
  ) throws -> Exit {
    var exit = Exit.ok
    for remote in remotes {
      exit = max(exit, try runOne(remote, &context, body))
      try context.output.flush()
    }
    return exit
  }

  /// Runs with one remote; if there are several, a failure is reported and the next one has its turn.
  private func runOne(
    _ remote: Remote, _ context: inout Context,
    _ body: (Remote, ObjectKind, inout Context) throws -> Exit
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

  private func runKinds(
    _ remote: Remote, _ context: inout Context,
    _ body: (Remote, ObjectKind, inout Context) throws -> Exit
  ) throws -> Exit {
    var exit = Exit.ok
    for kind in try kinds(remote) { exit = max(exit, try body(remote, kind, &context)) }
    return exit
  }
}
