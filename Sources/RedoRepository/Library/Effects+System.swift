// The surroundings of a program that uses this library: the machine's clock and random numbers, and no terminal.

internal import RedoStore

extension Effects {
  /// The surroundings of the machine that the program runs on.
  ///
  /// Machine-wide settings are read from `/etc/redo/config`, as the commands do. Nobody is asked for a passphrase,
  /// nothing is printed, and no signal is caught. A program that syncs over ssh or through a helper must ignore
  /// SIGPIPE, so that a broken connection is reported as an error (signal(7)).
  ///
  /// - Parameters:
  ///   - workingDirectory: where relative paths start; the process's own directory when `nil`.
  ///   - home: the home directory, with the user's settings in `.config/redo/config`, and where the user's own stores are
  ///     remembered, in `.local/state/redo`; when `nil`, no user's settings are read, and no store but a new one counts as
  ///     the user's own unless the setting `safe.store` lists it. Environment variables are never read.
  ///   - settings: settings that take precedence over those in files, by their keys (redo-config(1)).
  ///   - isCancelled: called often, from any thread; once it returns `true`, work in progress is rolled back and ends
  ///     with the code `cancelled`.
  ///   - onEvent: receives events, from any thread.
  /// - Returns: surroundings that can be used for any number of stores.
  public static func system(
    workingDirectory: String? = nil, home: String? = nil, settings: [String: String] = [:],
    isCancelled: @escaping @Sendable () -> Bool = { false },
    onEvent: @escaping @Sendable (RepositoryEvent) -> Void = { _ in }
  ) -> Effects {
    var usual = UsualPlaces()
    usual.home = home
    usual.configSources.systemPath = Config.systemPath
    usual.configSources.userPath = home.map { joinPath($0, ".config/redo/config") }
    usual.configSources.stateDirectory = home.map { joinPath($0, ".local/state/redo") }
    var surroundings = Surroundings(workingDirectory: workingDirectory ?? ".") { [usual] in usual }
    surroundings.settings = settings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return Effects(
      clock: { SystemClock.wallMilliseconds() },
      sleep: { milliseconds in
        // In steps, so that a cancellation takes effect soon.
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

  /// The longest time that a cancellation may go unnoticed during a wait.
  private static var stepMilliseconds: Int64 { 100 }
  /// The signal that a cancellation stands for, SIGTERM of signal(7), though no signal is sent.
  private static var cancelled: Int32 { 15 }
}
