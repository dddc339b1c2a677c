// Asks for a passphrase on the terminal, without echo (termios(3), tty(4)): the streams of a command may
// be pipes, but its terminal is always /dev/tty.

import Glibc
package import RedoCrypto
package import RedoRepository
package import RedoStore

/// A person at the terminal who is asked for passphrases.
package struct TerminalSecrets: SecretSource {
  /// The signals that are held while somebody is asked.
  package let signals: Signals

  package func ask(_ question: SecretQuestion, limit: Int) throws -> SecretBytes? {
    signals.hold()
    return try SecretPrompt.ask(Self.words(question), limit: limit)
  }

  private static func words(_ question: SecretQuestion) -> String {
    switch question {
    case .key(let user): "passphrase for the key of user \(user): "
    case .new(.key): "new passphrase: "
    case .new(.archive): "new passphrase of the archive: "
    case .new(.file): "new passphrase of the file: "
    case .again: "the same again: "
    case .archive(let path): "passphrase of '\(Escape.text(path))': "
    }
  }
}

/// Prompts whose answers must not be visible.
package enum SecretPrompt {
  /// Asks once.
  ///
  /// The caller holds signals, so that a signal during the prompt leaves the terminal as it was before.
  ///
  /// - Parameters:
  ///   - question: the prompt; it must be a text of this program.
  ///   - limit: the most bytes of an answer.
  /// - Returns: the line without its end, or `nil` when the process has no terminal.
  /// - Throws: `fatal` when the answer is empty or too long; `signal`.
  package static func ask(_ question: String, limit: Int) throws -> SecretBytes? {
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
    // Keys that would stop or kill the process and leave the terminal without echo are disabled.
    // They are VQUIT and VSUSP; the members of a tuple have no names, and 0 is _POSIX_VDISABLE.
    silent.c_cc.1 = 0
    silent.c_cc.10 = 0
    // SAFETY: reads a plain C struct.
    guard unsafe tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else {
      throw CommandError.fatal("cannot silence the terminal: \(SystemError.reason(of: errno))")
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
