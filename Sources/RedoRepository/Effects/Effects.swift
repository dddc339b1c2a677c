// Everything besides a store that work on it may touch: clock, waiting, random numbers, cancellation, requests for
// secrets, and the receiver of events. None of it is looked up; all is given.

package import RedoStore

/// The surroundings of work on stores: clock, random numbers, cancellation, and the receiver of events.
public struct Effects: Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  package let clock: @Sendable () -> Int64
  /// Waits this many milliseconds, or until the work is cancelled.
  package let sleep: @Sendable (Int64) -> Void
  /// 64 random bits.
  package let random: @Sendable () -> UInt64
  /// Whether the work is to stop.
  package let cancellation: Cancellation
  /// Receives events.
  package let reporter: any Reporter
  /// Supplies secrets.
  package let secrets: any SecretSource
  /// The trace that records where the time goes.
  package let trace: Trace
  /// Describes an error for people, where it is sent to another machine, or to an exchange that has its own words for
  /// errors.
  package let describe: @Sendable (any Error) -> String
  /// Where stores, settings and programs are looked for.
  package var surroundings: Surroundings

  /// Creates surroundings in which nothing is real except what is given.
  package init(
    clock: @escaping @Sendable () -> Int64 = { 0 },
    sleep: @escaping @Sendable (Int64) -> Void = { _ in },
    random: @escaping @Sendable () -> UInt64 = { 0x0123_4567_89AB_CDEF },
    cancellation: Cancellation = .never,
    reporter: any Reporter = SilentReporter(),
    secrets: any SecretSource = NoSecrets(),
    trace: Trace = .off,
    describe: @escaping @Sendable (any Error) -> String = { "\($0)" },
    surroundings: Surroundings = Surroundings()
  ) {
    self.clock = clock
    self.sleep = sleep
    self.random = random
    self.cancellation = cancellation
    self.reporter = reporter
    self.secrets = secrets
    self.trace = trace
    self.describe = describe
    self.surroundings = surroundings
  }

  /// The same, with another receiver of events.
  package func telling(_ reporter: any Reporter) -> Effects {
    Effects(
      clock: clock, sleep: sleep, random: random, cancellation: cancellation, reporter: reporter,
      secrets: secrets, trace: trace, describe: describe, surroundings: surroundings)
  }

  /// The same for work that nobody can cancel: that of a server, which ends by itself.
  package func uncancelled() -> Effects {
    Effects(
      clock: clock, sleep: sleep, random: random, cancellation: .never, reporter: reporter,
      secrets: secrets, trace: trace, describe: describe, surroundings: surroundings)
  }

  /// The same for another thread, whose time is not measured.
  package func untraced() -> Effects {
    Effects(
      clock: clock, sleep: sleep, random: random, cancellation: cancellation, reporter: reporter,
      describe: describe, surroundings: surroundings)
  }

  /// Reports an event.
  package func report(_ event: RedoEvent) { reporter.report(event) }

  /// Waits.
  ///
  /// - Parameter milliseconds: how long.
  /// - Throws: `Interruption` when the work is cancelled.
  package func pause(milliseconds: Int64) throws {
    try checkInterrupt()
    sleep(milliseconds)
    try checkInterrupt()
  }

  /// To be called now and then by loops: throws when the work is cancelled.
  ///
  /// - Throws: `Interruption`; pass it on, and clean up on the way.
  @inline(__always)
  package func checkInterrupt() throws {
    let number = cancellation.signal
    if number != 0 { throw Interruption(signal: number) }
  }

  /// A path as it has to be passed to the file system.
  package func resolve(_ path: String) -> String { surroundings.resolve(path) }
}

/// Whether work is to stop, and why.
package struct Cancellation: Sendable {
  private let read: @Sendable () -> Int32
  private let prepare: @Sendable () -> Void

  /// Work that always runs to its end.
  package static let never = Cancellation { 0 }

  /// Work that somebody may stop.
  ///
  /// - Parameters:
  ///   - prepare: called before work that must not be interrupted: from then on a signal that would end the process is
  ///     only noted.
  ///   - read: the number of the signal that has arrived; 0 before one has. It is called often.
  package init(
    prepare: @escaping @Sendable () -> Void = {}, _ read: @escaping @Sendable () -> Int32
  ) {
    self.prepare = prepare
    self.read = read
  }

  /// From now on a signal that would end the process is only noted.
  package func hold() { prepare() }

  /// The number of the signal that has arrived; 0 before one has.
  @inline(__always)
  package var signal: Int32 { read() }
}

extension Effects {
  /// Reports what was odd about the files of refs.
  package func report(_ warnings: [RefWarning]) {
    for warning in warnings { report(.refs(warning)) }
  }
}
