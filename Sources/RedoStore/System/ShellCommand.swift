// A command that a setting names, run by the shell for what it prints (posix_spawn(3)): git's way
// with credential helpers.

internal import CLinux
internal import Glibc
package import RedoCrypto

/// Runs commands of settings.
package enum ShellCommand {
  /// Runs a command and waits for its end.
  ///
  /// Its standard input is empty, its standard error is that of this process.
  ///
  /// - Parameters:
  ///   - text: the command, for `sh -c`.
  ///   - limit: the most bytes it may print.
  ///   - status: receives its exit status, or 128 and the number of the signal it died by.
  /// - Returns: what it printed; `nil` when it printed nothing.
  /// - Throws: what a system call answered; EFBIG when it prints too much.
  package static func run(
    _ text: String, limit: Int, status: inout Int32
  ) throws(SystemError) -> SecretBytes? {
    var ends: [Int32] = [-1, -1]
    // SAFETY: the call fills in both numbers of the array.
    guard unsafe pipe(&ends) == 0 else { throw .last("make a pipe", "") }
    let output = File(raw: ends[0], isOwned: true, directory: "", name: text)
    let input = File(raw: ends[1], isOwned: true, directory: "", name: text)
    // The command gets a copy of one end as its standard output, and nothing else of them.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let child = try start(text, output: input.raw)
    // Our own copy would keep the pipe from ever ending.
    _ = consume input
    var answer: SecretBytes?
    var failure: SystemError?
    do throws(SystemError) { answer = try output.readSecret(limit: limit) } catch {
      failure = error
    }
    // Whoever still writes is told that nobody reads.
    _ = consume output
    status = wait(for: child)
    if let failure { throw failure }
    return answer
  }

  private static func start(_ text: String, output: Int32) throws(SystemError) -> pid_t {
    var child: pid_t = 0
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    var signals = sigset_t()
    // SAFETY: plain C structs, set up before and destroyed after their use; the words end in NUL,
    // their array in nil, and all live during the call.
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    unsafe posix_spawn_file_actions_addopen(
      &actions, File.standardInput.raw, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, File.standardOutput.raw)
    // What this process ignores is none of the command's business.
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe sigaddset(&signals, SIGXFSZ)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var words: [UnsafeMutablePointer<CChar>?] = unsafe []
    for word in ["sh", "-c", text] { unsafe words.append(unsafe strdup(word)) }
    unsafe words.append(nil)
    defer { for index in 0..<3 { unsafe free(words[index]) } }
    let status = unsafe posix_spawn(
      &child, "/bin/sh", &actions, &attributes, words, linux_environment())
    guard status == 0 else { throw SystemError(code: status, operation: "run", path: "/bin/sh") }
    return child
  }

  private static func wait(for child: pid_t) -> Int32 {
    var status: Int32 = 0
    // SAFETY: the call fills in a number.
    guard retryingInterrupted({ unsafe waitpid(child, &status, 0) }) == child else { return 127 }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }
}
