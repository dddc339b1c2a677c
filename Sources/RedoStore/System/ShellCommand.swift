// A command that a setting names, run by the shell for what it prints: git's way with credential helpers.

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
  ///   - variables: what is in its environment besides that of this process.
  ///   - limit: the most bytes it may print.
  ///   - status: receives its exit status, or 128 and the number of the signal it died by.
  /// - Returns: what it printed; `nil` when it printed nothing.
  /// - Throws: what a system call answered; EFBIG when it prints too much.
  package static func run(
    _ text: String, variables: [String: String] = [:], limit: Int, status: inout Int32
  ) throws(SystemError) -> SecretBytes? {
    let ends = try TwoWayStream.pipe()
    let output = File(raw: ends.reading, isOwned: true, directory: "", name: text)
    let input = File(raw: ends.writing, isOwned: true, directory: "", name: text)
    var spawn = Spawn(path: "/bin/sh", words: ["sh", "-c", text], output: input.raw)
    spawn.set(variables)
    let child = try spawn.start()
    // Our own copy would keep the pipe from ever ending.
    _ = consume input
    var answer: SecretBytes?
    var failure: SystemError?
    do throws(SystemError) { answer = try output.readSecret(limit: limit) } catch {
      failure = error
    }
    // A process that is still writing learns that nobody reads.
    _ = consume output
    status = Spawn.wait(for: child)
    if let failure { throw failure }
    return answer
  }
}
