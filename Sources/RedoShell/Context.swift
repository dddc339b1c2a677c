// Everything a command may touch: its streams and terminal, and what the library may touch on its behalf. The
// real ones are made in Context+Process; tests make their own.

package import RedoRepository
package import RedoStore

/// A standard stream, for questions about terminals.
package enum StandardStream: Int32, Sendable {
  /// Descriptor 0.
  case input = 0
  /// Descriptor 1.
  case output = 1
  /// Descriptor 2.
  case errors = 2
}

/// The surroundings of one run of a command.
///
/// Not copyable, because its output is not.
package struct Context: ~Copyable {
  /// The words after the command's name.
  package var arguments: [String]
  /// Data, and nothing but data.
  package var output: Output
  /// The stream for everything else that is said; every message is flushed.
  package let errors: MessageStream
  /// The descriptor that data is read from.
  package let input: Int32
  /// The value of an environment variable.
  package let environment: @Sendable (String) -> String?
  /// Whether a stream is a terminal.
  package let isTerminal: @Sendable (StandardStream) -> Bool
  /// Signals, for commands that write.
  package let signals: Signals
  /// Replaces the process by a program with these arguments; returns an error number if that
  /// fails.
  package let execute: @Sendable ([String]) -> Int32
  /// What the library may touch on behalf of the command.
  package var effects: Effects
  /// The archives that are read in place of a store.
  var archives: [String] = []
  /// The store that they make for the time of the command.
  private var archiveHistory: ArchiveHistory?

  /// Surroundings with nothing real in them, except for what is given.
  package init(
    arguments: [String] = [],
    output: consuming Output = .memory(),
    errors: consuming Output = .memory(),
    input: Int32 = -1,
    environment: @escaping @Sendable (String) -> String? = { _ in nil },
    clock: @escaping @Sendable () -> Int64 = { 0 },
    sleep: @escaping @Sendable (Int64) -> Void = { _ in },
    random: @escaping @Sendable () -> UInt64 = { 0x0123_4567_89AB_CDEF },
    isTerminal: @escaping @Sendable (StandardStream) -> Bool = { _ in false },
    signals: Signals = .none,
    execute: @escaping @Sendable ([String]) -> Int32 = { _ in 2 },
    trace: Trace = .off,
    workingDirectory: String = "."
  ) {
    self.arguments = arguments
    self.output = output
    let messages = MessageStream(errors, clock: clock) { isTerminal(.errors) }
    self.errors = messages
    self.input = input
    self.environment = environment
    self.isTerminal = isTerminal
    self.signals = signals
    self.execute = execute
    effects = Effects(
      clock: clock, sleep: sleep, random: random,
      cancellation: Cancellation(prepare: { signals.hold() }, { signals.pending }),
      reporter: messages,
      secrets: TerminalSecrets(signals: signals), trace: trace,
      describe: { CommandError($0).message },
      surroundings: Surroundings(workingDirectory: workingDirectory) { UsualPlaces(environment) })
    effects.surroundings.standardInput = input
  }

  /// Milliseconds since 1970-01-01T00:00:00Z.
  package var clock: @Sendable () -> Int64 { effects.clock }

  /// The trace of where time is spent, for `REDO_TRACE`.
  package var trace: Trace { effects.trace }

  /// The directory that relative paths start from, with every `-C` applied.
  package var workingDirectory: String { effects.surroundings.workingDirectory }

  /// A path from the command line, in the form that is passed to the file system.
  ///
  /// - Parameter path: absolute, or relative to the working directory.
  /// - Returns: the path, still relative if no directory was given.
  package func resolve(_ path: String) -> String { effects.resolve(path) }

  /// Waits.
  ///
  /// - Parameter milliseconds: how long.
  /// - Throws: `Interruption` after a SIGINT, SIGTERM or SIGHUP that is held.
  package func pause(milliseconds: Int64) throws { try effects.pause(milliseconds: milliseconds) }

  /// Checks for signals; to be called regularly by loops of commands that called `holdSignals()`.
  ///
  /// - Throws: `Interruption` after a SIGINT, SIGTERM or SIGHUP; rethrow it, and clean up on the way.
  @inline(__always)
  package func checkInterrupt() throws { try effects.checkInterrupt() }

  /// Holds signals from now on until unfinished work has been undone.
  package func holdSignals() { signals.hold() }
}

extension Context {
  /// Makes the archives that were named the store that the command works on.
  ///
  /// - Throws: `usage` when the command does not read archives, or a store is named, too; the error when they make no
  ///   history.
  mutating func openArchives(for command: any Command.Type) throws {
    guard !archives.isEmpty else { return }
    guard command.readsArchives else {
      throw CommandError.usage("'redo \(command.name)' does not work on archives")
    }
    guard effects.surroundings.redoDirectory == nil else {
      throw CommandError.usage("options '--archive' and '--redo-dir' cannot be used together")
    }
    let history = try ArchiveHistory(effects)
    archiveHistory = history
    signals.beforeDeath { history.remove() }
    try history.open(archives, &effects)
  }

  /// Removes what was made for archives.
  mutating func closeArchives() {
    archiveHistory?.remove()
    archiveHistory = nil
  }
}
