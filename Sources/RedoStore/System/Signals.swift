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

  /// From now on SIGINT, SIGTERM and SIGHUP are remembered instead of being deadly, and a closed pipe or a
  /// file that may not grow any more (EFBIG) is an error of write(2): temporary files are removed and the
  /// failure is reported.
  ///
  /// A second signal of the same number kills at once. Signals that the caller ignores stay
  /// ignored, as for `nohup`.
  package func hold() {
    guard case .process = self else { return }
    _ = Self.caught.load(ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] { Self.remember(number) }
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
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
