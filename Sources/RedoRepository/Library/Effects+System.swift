// The surroundings of a program that uses this library: the machine's clock and random numbers, and no terminal.

internal import RedoStore

extension Effects {
  /// The surroundings that the machine gives.
  ///
  /// Nobody is asked for a passphrase, nothing is printed, and no signal is caught. A program that syncs over ssh or by a
  /// helper has to ignore SIGPIPE, so that a connection that breaks is an error (signal(7)).
  ///
  /// - Parameters:
  ///   - workingDirectory: where relative paths start; the process's own when `nil`.
  ///   - environment: the variables that settings, `HOME` and programs are looked for with (redo-cli(7)); those of the
  ///     process when `nil`.
  ///   - isCancelled: asked often, from any thread; once it answers `true`, work that is under way is taken back and ends
  ///     with the code `cancelled`.
  ///   - onEvent: receives what happens on the way, from any thread.
  /// - Returns: surroundings, for any number of stores.
  public static func system(
    workingDirectory: String? = nil, environment: [String: String]? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false },
    onEvent: @escaping @Sendable (RepositoryEvent) -> Void = { _ in }
  ) -> Effects {
    Effects(
      clock: { SystemClock.wallMilliseconds() },
      sleep: { milliseconds in
        // In steps, so that a cancellation is not waited for.
        var rest = milliseconds
        while rest > 0, !isCancelled() {
          SystemClock.sleep(microseconds: min(rest, Self.stepMilliseconds) * 1_000)
          rest -= Self.stepMilliseconds
        }
      },
      random: { Random.uint64() },
      cancellation: Cancellation { isCancelled() ? Self.cancelled : 0 },
      reporter: EventReporter(tell: onEvent),
      surroundings: Surroundings(
        workingDirectory: workingDirectory ?? ".",
        environment: environment.map { Environment($0) } ?? .process))
  }

  /// How long a cancellation may be left unnoticed while nothing is done.
  private static var stepMilliseconds: Int64 { 100 }
  /// The signal that a cancellation stands for, SIGTERM of signal(7), though none is sent.
  private static var cancelled: Int32 { 15 }
}
