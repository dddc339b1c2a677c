// The surroundings of a real process. Nothing here is looked up before a command needs it.

import Glibc
internal import RedoRepository
internal import RedoStore

extension Context {
  /// The surroundings of this process.
  ///
  /// - Parameter arguments: the words after the program's name.
  /// - Returns: surroundings that query the system only on demand.
  package static func process(arguments: [String]) -> Context {
    Context(
      arguments: arguments,
      output: .descriptor(STDOUT_FILENO),
      errors: .descriptor(STDERR_FILENO),
      input: STDIN_FILENO,
      environment: { environmentVariable($0) },
      clock: { milliseconds() },
      sleep: { wait($0) },
      random: {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
      },
      isTerminal: { isatty($0.rawValue) == 1 },
      signals: .process,
      execute: { replaceProcess($0) },
      trace: .process(environmentVariable(Trace.variable)) { milliseconds() })
  }

  private static func environmentVariable(_ name: String) -> String? {
    // SAFETY: this program never changes its environment, and the text is copied at once.
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  private static func milliseconds() -> Int64 {
    var time = timespec()
    // SAFETY: fills in a plain C struct.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Waits in steps, because a signal may arrive just before the kernel begins to wait.
  private static func wait(_ milliseconds: Int64) {
    let end = monotonicMilliseconds() + max(milliseconds, 0)
    while Signals.process.pending == 0 {
      let rest = end - monotonicMilliseconds()
      guard rest > 0 else { return }
      _ = poll(nil, 0, Int32(min(rest, 100)))
    }
  }

  private static func monotonicMilliseconds() -> Int64 {
    var time = timespec()
    // SAFETY: fills in a plain C struct.
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  private static func replaceProcess(_ arguments: [String]) -> Int32 {
    guard let program = arguments.first else { return ENOENT }
    // SAFETY: the copies end in NUL, the array in nil; they are never freed, because the process
    // is replaced or ends soon.
    let words = unsafe arguments.map { unsafe strdup($0) } + [nil]
    unsafe execvp(program, words)
    return errno
  }

  /// Opens something on each standard descriptor that the caller closed, so that no file of a
  /// store is ever opened as standard output.
  ///
  /// It is opened for the opposite direction of the descriptor's usual one, so that using it is still an error.
  package static func guardStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // SAFETY: a constant path; the lowest free descriptor is this one.
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
