// Signals for commands that write: they first undo what is half done, then die by the signal, so that the caller
// sees 130 (SIGINT) or 141 (SIGPIPE). See sigaction(2).

internal import Glibc
internal import Synchronization

/// Whether and how a command hears of signals.
///
/// Commands that only read never ask: the default action ends them at once.
package enum Signals: Sendable {
  /// The signals of this process.
  case process
  /// None: for tests.
  case none

  /// The first signal that was caught, 0 before.
  private static let caught = Atomic<Int32>(0)
  /// Whether signals are held.
  private static let isHeld = Atomic<Bool>(false)

  /// From now on SIGINT, SIGTERM and SIGHUP are remembered instead of being deadly, and a closed pipe or a
  /// file that may not grow any more (EFBIG) is an error of write(2): temporary files are removed and the
  /// failure is reported.
  ///
  /// A second signal of the same number kills at once. Signals that the caller ignores stay
  /// ignored, as for `nohup`.
  package func hold() {
    guard case .process = self else { return }
    _ = Self.caught.load(ordering: .relaxed)
    Self.isHeld.store(true, ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] { Self.remember(number) }
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
  }

  /// From now on SIGINT, SIGTERM and SIGHUP end the process only after this was done, and a closed pipe is an error of
  /// write(2); unless a command holds the signals, which then hears of the first one and cleans up itself.
  ///
  /// To be called before there are other threads: they take over which signals are blocked.
  ///
  /// - Parameter clean: runs on a thread of its own, at any time.
  package func beforeDeath(_ clean: @escaping @Sendable () -> Void) {
    guard case .process = self else { return }
    var set = sigset_t()
    // SAFETY: plain C values that outlive the calls.
    unsafe sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&set, number) }
    // SAFETY: as above.
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    _ = signal(SIGPIPE, SIG_IGN)
    let waited = set
    let waiter = Threads.start {
      var waited = waited
      while true {
        var number: Int32 = 0
        // SAFETY: as above.
        guard unsafe sigwait(&waited, &number) == 0 else { return }
        if Self.isHeld.load(ordering: .relaxed),
          Self.caught.compareExchange(expected: 0, desired: number, ordering: .relaxed).exchanged
        {
          continue
        }
        clean()
        Self.raiseDefault(number)
      }
    }
    waiter?.detach()
  }

  /// How often each signal has come that only asks for something: SIGHUP, SIGUSR1.
  private static let hangups = Atomic<Int>(0)
  private static let reopenings = Atomic<Int>(0)

  /// From now on SIGHUP and SIGUSR1 are counted, and do nothing else: the one asks a server to read its files anew, the other to
  /// open its log anew.
  package func count() {
    guard case .process = self else { return }
    _ = (Self.hangups.load(ordering: .relaxed), Self.reopenings.load(ordering: .relaxed))
    Self.count(SIGHUP) { _ in Signals.hangups.add(1, ordering: .relaxed) }
    Self.count(SIGUSR1) { _ in Signals.reopenings.add(1, ordering: .relaxed) }
  }

  /// How often SIGHUP has come since it is counted.
  package var hangupCount: Int { Self.hangups.load(ordering: .relaxed) }
  /// How often SIGUSR1 has come since it is counted.
  package var reopeningCount: Int { Self.reopenings.load(ordering: .relaxed) }

  private static func count(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    // SAFETY: a plain C value; the handler touches one lock-free atomic only, which was initialized before.
    unsafe action.__sigaction_handler.sa_handler = handler
    action.sa_flags = SA_RESTART
    unsafe sigaction(number, &action, nil)
  }

  /// The signal that was caught, or 0.
  package var pending: Int32 {
    switch self {
    case .process: Self.caught.load(ordering: .relaxed)
    case .none: 0
    }
  }

  private static func remember(_ number: Int32) {
    var action = sigaction()
    var old = sigaction()
    // SAFETY: both structs are plain C values; the handler touches one lock-free atomic only,
    // which was initialized before.
    unsafe sigaction(number, nil, &old)
    let isIgnored = unsafe unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 1
    guard !isIgnored else { return }
    unsafe action.__sigaction_handler.sa_handler = { number in
      _ = Signals.caught.compareExchange(expected: 0, desired: number, ordering: .relaxed)
    }
    // Without SA_RESTART, so that a read(2) that waits returns.
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
    unsafe sigaction(number, &action, nil)
  }

  /// Gives a signal its default action and sends it to this process.
  ///
  /// - Returns: only when the signal does not kill.
  package static func raiseDefault(_ number: Int32) {
    var set = sigset_t()
    // SAFETY: plain C values that outlive the calls.
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, number)
    _ = signal(number, SIG_DFL)
    unsafe sigprocmask(SIG_UNBLOCK, &set, nil)
    _ = raise(number)
  }
}
