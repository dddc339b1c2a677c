// Runs the same work with several remotes, one after another: a failure of one does not keep the others from theirs.

internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Runs work with several remotes.
struct SyncRuns {
  private let remotes: [Remote]

  init(_ remotes: [Remote]) { self.remotes = remotes }

  /// Runs the work with each remote.
  ///
  /// - Parameters:
  ///   - context: receives the messages about failures.
  ///   - body: the work with one remote.
  /// - Returns: the highest exit status.
  /// - Throws: with one remote, the errors of the body; with several, only those that end the command.
  func run(
    _ context: inout Context,
    _ body: (Remote, inout Context) throws -> Exit
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
    _ body: (Remote, inout Context) throws -> Exit
  ) throws -> Exit {
    guard remotes.count > 1 else { return try body(remote, &context) }
    do {
      return try body(remote, &context)
    } catch {
      let error = context.advised(CommandError(error))
      guard case .exit(let exit) = error.ending, exit != .usage else { throw error }
      context.error(error.messageWithCode)
      for hint in error.hints { context.hint(hint) }
      return exit
    }
  }
}
