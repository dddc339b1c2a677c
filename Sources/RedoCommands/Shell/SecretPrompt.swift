// Asking for a passphrase on the terminal, unseen (termios(3), tty(4)): the streams of a command may
// be pipes, its terminal is /dev/tty all the same.

import Glibc
internal import RedoCrypto

/// Questions whose answers must not be seen.
enum SecretPrompt {
  /// Asks once.
  ///
  /// The caller holds signals, so that one that comes now finds the terminal as it was before.
  ///
  /// - Parameters:
  ///   - question: what is asked; it comes from nowhere but this program.
  ///   - limit: the most bytes of an answer.
  /// - Returns: the line without its end, or `nil` when the process has no terminal.
  /// - Throws: `fatal` when the answer is empty or too long; `signal`.
  static func ask(_ question: String, limit: Int) throws -> SecretBytes? {
    // SAFETY: a constant path.
    let terminal = unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    var usual = termios()
    // SAFETY: fills in a plain C struct.
    guard unsafe tcgetattr(terminal, &usual) == 0 else { return nil }
    var silent = usual
    silent.c_lflag &= ~tcflag_t(ECHO)
    silent.c_lflag |= tcflag_t(ICANON | ISIG)
    // Keys that would stop or kill the process with the terminal left silent mean nothing here.
    // They are VQUIT and VSUSP; the tuple knows no names, and 0 is _POSIX_VDISABLE.
    silent.c_cc.1 = 0
    silent.c_cc.10 = 0
    // SAFETY: reads a plain C struct.
    guard unsafe tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else {
      throw CommandError.fatal("cannot silence the terminal: \(ErrorNumber.text(errno))")
    }
    defer {
      // SAFETY: reads a plain C struct.
      unsafe tcsetattr(terminal, TCSAFLUSH, &usual)
      say("\n", on: terminal)
    }
    say(question, on: terminal)
    let answer = try SecretInput.line(of: terminal, limit: limit, name: "/dev/tty")
    guard let answer else { throw CommandError.fatal("the passphrase is empty") }
    return answer
  }

  private static func say(_ text: String, on terminal: Int32) {
    let bytes = Array(text.utf8)
    // SAFETY: reads the bytes of the array during the call.
    _ = unsafe bytes.withUnsafeBytes { unsafe write(terminal, $0.baseAddress, $0.count) }
  }
}

/// Secrets that arrive on descriptors.
enum SecretInput {
  /// Reads to the first line feed or to the end, and not a byte further.
  ///
  /// - Parameters:
  ///   - descriptor: an open descriptor.
  ///   - limit: the most bytes of the line.
  ///   - name: what messages call the descriptor.
  /// - Returns: the line without its end; `nil` when it is empty.
  /// - Throws: `fatal` when it cannot be read or is longer; `signal` when a held signal came.
  static func line(
    of descriptor: Int32, limit: Int, name: String
  ) throws -> SecretBytes? {
    let buffer = SecretBytes(count: limit + 1)
    var filled = 0
    while filled <= limit {
      try InterruptibleRead.wait(for: descriptor)
      // SAFETY: one byte is read, for which there is room.
      let (count, failure, isEnd) = unsafe buffer.withMutablePointer { base in
        let count = unsafe read(descriptor, base + filled, 1)
        let failure = count < 0 ? errno : 0
        return (count, failure, unsafe count == 1 && base[filled] == UInt8(ascii: "\n"))
      }
      if failure == EINTR { continue }
      guard failure == 0 else {
        throw CommandError.fatal("cannot read '\(name)': \(ErrorNumber.text(failure))")
      }
      if count == 0 || isEnd { return filled == 0 ? nil : buffer.copy(0..<filled) }
      filled += 1
    }
    throw CommandError.fatal("the line on '\(name)' is longer than \(limit) bytes")
  }

  /// Reads to the end.
  ///
  /// - Parameters:
  ///   - descriptor: an open descriptor.
  ///   - limit: the most bytes.
  ///   - name: what messages call the descriptor.
  /// - Returns: the bytes; `nil` when there are none.
  /// - Throws: `fatal` when it cannot be read or has more; `signal` when a held signal came.
  static func all(
    of descriptor: Int32, limit: Int, name: String
  ) throws -> SecretBytes? {
    let buffer = SecretBytes(count: limit + 1)
    var filled = 0
    while filled <= limit {
      try InterruptibleRead.wait(for: descriptor)
      // SAFETY: at most the bytes that are left of the buffer are read.
      let (count, failure) = unsafe buffer.withMutablePointer { base in
        let count = unsafe read(descriptor, base + filled, limit + 1 - filled)
        return (count, count < 0 ? errno : 0)
      }
      if failure == EINTR { continue }
      guard failure == 0 else {
        throw CommandError.fatal("cannot read '\(name)': \(ErrorNumber.text(failure))")
      }
      if count == 0 { return filled == 0 ? nil : buffer.copy(0..<filled) }
      filled += count
    }
    throw CommandError.fatal("'\(name)' is too large")
  }
}
