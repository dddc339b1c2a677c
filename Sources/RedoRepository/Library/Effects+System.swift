// The surroundings of a program that uses this library: the machine's clock and random numbers, and no terminal.

internal import RedoStore

extension Effects {
  /// The surroundings that the machine gives.
  ///
  /// Settings of the machine are read from `/etc/redo/config`, as the commands do. Nobody is asked for a passphrase, nothing is printed, and no signal is caught. A program that syncs over ssh or by a
  /// helper has to ignore SIGPIPE, so that a connection that breaks is an error (signal(7)).
  ///
  /// - Parameters:
  ///   - workingDirectory: where relative paths start; the process's own when `nil`.
  ///   - home: the home directory, with the user's settings in `.config/redo/config`; no user's settings are read when
  ///     `nil`. Environment variables are never asked.
  ///   - settings: settings that count more than those in files, by their keys (redo-config(1)).
  ///   - isCancelled: asked often, from any thread; once it answers `true`, work that is under way is taken back and ends
  ///     with the code `cancelled`.
  ///   - onEvent: receives what happens on the way, from any thread.
  /// - Returns: surroundings, for any number of stores.
  public static func system(
    workingDirectory: String? = nil, home: String? = nil, settings: [String: String] = [:],
    isCancelled: @escaping @Sendable () -> Bool = { false },
    onEvent: @escaping @Sendable (RepositoryEvent) -> Void = { _ in }
  ) -> Effects {
    var surroundings = Surroundings(workingDirectory: workingDirectory ?? ".")
    surroundings.home = home
    surroundings.configSources.systemPath = Config.systemPath
    surroundings.configSources.userPath = home.map { joinPath($0, ".config/redo/config") }
    surroundings.settings = settings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return Effects(
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
      surroundings: surroundings)
  }

  /// How long a cancellation may be left unnoticed while nothing is done.
  private static var stepMilliseconds: Int64 { 100 }
  /// The signal that a cancellation stands for, SIGTERM of signal(7), though none is sent.
  private static var cancelled: Int32 { 15 }
}
