// The order in which the lines of `redo update-ref --stdin` may come: the states of git's update-ref.

internal import RedoRepository
internal import RedoShell

/// The state of a series of commands.
enum TransactionState: Equatable {
  /// No transaction was requested: what is queued is done at the end of the input.
  case open
  /// After `start`: what is queued is dropped unless `commit` comes.
  case started
  /// After `prepare`: the lock is held.
  case prepared
  /// After `commit` or `abort`: only `start` may come.
  case closed

  /// Advances by a command.
  ///
  /// - Throws: `fatal` when the command is not allowed in this state.
  mutating func take(_ command: RefCommand) throws {
    let next: TransactionState
    switch command {
    case .change, .option: next = .open
    case .start: next = .started
    case .prepare: next = .prepared
    case .commit, .abort: next = .closed
    }
    switch (self, next) {
    case (.started, .started): throw CommandError.fatal("cannot restart an ongoing transaction")
    // Queued commands stay part of the transaction.
    case (.started, .open): return
    case (.open, _), (.started, _), (.prepared, .closed), (.closed, .started): self = next
    case (.prepared, _): throw CommandError.fatal("a prepared transaction can only be closed")
    case (.closed, _): throw CommandError.fatal("the transaction is closed")
    }
  }
}
