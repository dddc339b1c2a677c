// Starts a process and waits for it. Foundation's Process considers a process running until all its descendants
// have ended, too, and passes on to it these tests' signal settings and open descriptors.

import Foundation
import Glibc

/// A process of another program.
enum Child {
  /// Closes inherited descriptors, then becomes the program; glibc's own function for that cannot be called from here.
  private static let closing = [
    "/bin/bash", "-c",
    #"for fd in /proc/self/fd/*; do fd=${fd##*/}; ((fd < 3)) || exec {fd}<&-; done; exec "$@""#,
    "-",
  ]

  /// Runs a program and waits for its end on this thread; returns its exit status, or 128 plus the fatal signal.
  ///
  /// It reads nothing, and its output goes to a file. Signals reach it: the threads of a test block nearly all of
  /// them, and SIGPIPE is ignored as soon as a test has made a network loop.
  static func run(
    _ command: [String], environment: [String: String], output: String
  ) throws -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    var none = sigset_t()
    var pipe = sigset_t()
    var pid: pid_t = 0
    // SAFETY: plain C values that outlive the calls; the arrays end with nil, and their strings live until the end.
    let words = unsafe (closing + command).map { unsafe strdup($0) } + [nil]
    let settings = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
    defer { unsafe (words + settings).forEach { unsafe free($0) } }
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe sigemptyset(&none)
    unsafe sigemptyset(&pipe)
    unsafe sigaddset(&pipe, SIGPIPE)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &pipe)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let error = unsafe posix_spawn(&pid, closing[0], &actions, &attributes, words, settings)
    guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EINVAL) }
    var status: Int32 = 0
    while unsafe waitpid(pid, &status, 0) < 0 {
      guard errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EINVAL) }
    }
    return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
  }
}
