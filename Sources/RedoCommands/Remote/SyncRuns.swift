// The same with several remotes, one after another: what one of them cannot do keeps none of the others from it.

internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Runs with several remotes.
struct SyncRuns {
  private let remotes: [Remote]

  init(_ remotes: [Remote]) { self.remotes = remotes }

  /// Runs with each remote.
  ///
  /// - Parameters:
  ///   - context: where failures are said.
  ///   - body: what is done with one.
  /// - Returns: the highest status.
  /// - Throws: of one remote what the body throws; of several only what ends the command.
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

  /// Runs with one remote; of several a failure is said, and the others have their turn.
  private func runOne(
    _ remote: Remote, _ context: inout Context,
    _ body: (Remote, inout Context) throws -> Exit
  ) throws -> Exit {
    guard remotes.count > 1 else { return try body(remote, &context) }
    do {
      return try body(remote, &context)
    } catch {
      let error = CommandError(error)
      guard case .exit(let exit) = error.ending, exit != .usage else { throw error }
      context.error(error.messageWithCode)
      for hint in error.hints { context.hint(hint) }
      return exit
    }
  }
}
