// A hook: a program in a store that is asked or told when something happens to it, in git's manner
// (githooks(5)), started with posix_spawn(3).

internal import CLinux
internal import Glibc

/// Runs the hooks of a store.
package enum HookProcess {
  /// What a name in the directory of hooks stands for.
  package enum Found: Equatable, Sendable {
    /// Nothing.
    case none
    /// A program that may be run.
    case program
    /// A file that its owner has not made executable.
    case idle
    /// What must not be run: a link, or somebody else's; why.
    case foreign(String)
  }

  /// The hook that may refuse nodes before they are taken in.
  package static let preReceive = "pre-receive"
  /// The hook that is told of nodes that were taken in.
  package static let postReceive = "post-receive"
  /// The names that mean something in the directory of hooks.
  static let names = [preReceive, postReceive]

  /// Looks for a hook.
  ///
  /// - Parameters:
  ///   - name: its name in the directory of hooks.
  ///   - store: the store's directory.
  /// - Returns: what is there.
  /// - Throws: what the calls answered.
  package static func find(
    _ name: String, in store: borrowing Directory
  ) throws(SystemError) -> Found {
    guard let around = try store.status(Layout.hooks) else { return .none }
    guard around.kind == .directory else { return .foreign("'\(Layout.hooks)' is no directory") }
    guard let status = try store.status(joinPath(Layout.hooks, name)) else { return .none }
    guard status.kind == .regular else { return .foreign("it is no regular file") }
    // Whoever else may write it decides what this process does.
    for (what, status) in [("the directory of hooks", around), ("it", status)] {
      guard status.userID == CurrentProcess.effectiveUserID || status.userID == 0 else {
        return .foreign("\(what) belongs to another user")
      }
      guard status.mode & 0o022 == 0 else { return .foreign("others may write \(what)") }
    }
    return status.mode & 0o100 == 0 ? .idle : .program
  }

  /// Runs a hook and waits for its end.
  ///
  /// It runs in the store's directory, which `REDO_DIR` names to it; what it prints is for people, and goes
  /// to standard error.
  ///
  /// - Parameters:
  ///   - name: its name in the directory of hooks.
  ///   - store: the store's directory.
  ///   - input: what it reads.
  /// - Returns: its exit status, or 128 and the number of the signal it died by.
  /// - Throws: what a call answered before it ran.
  package static func run(
    _ name: String, in store: borrowing Directory, input: [UInt8]
  ) throws(SystemError) -> Int32 {
    let path = try CurrentProcess.realPath(store.path)
    // A file and no pipe: a hook need not read what it is told.
    let lines = try File.unnamed(in: joinPath(path, Layout.quarantine))
    try lines.writeAll(input)
    guard lseek(lines.raw, 0, SEEK_SET) == 0 else { throw .last("seek", name) }
    let child = try start("./" + joinPath(Layout.hooks, name), in: path, input: lines.raw)
    extendLifetime(lines)
    var status: Int32 = 0
    // SAFETY: the call fills in a number.
    guard retryingInterrupted({ unsafe waitpid(child, &status, 0) }) == child else { return 127 }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// The variables that lead to another store than the hook's own.
  private static let misleading = [
    "REDO_DIR=", "REDO_OBJECT_DIRECTORY=", "REDO_ALTERNATE_OBJECT_DIRECTORIES=",
  ]

  private static func start(
    _ program: String, in directory: String, input: Int32
  ) throws(SystemError) -> pid_t {
    var child: pid_t = 0
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    var signals = sigset_t()
    // SAFETY: plain C structs, set up before and destroyed after their use; the words end in NUL,
    // their arrays in nil, and all live during the call.
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    unsafe posix_spawn_file_actions_adddup2(&actions, input, File.standardInput.raw)
    unsafe posix_spawn_file_actions_adddup2(
      &actions, File.standardError.raw, File.standardOutput.raw)
    unsafe linux_spawn_in(&actions, directory)
    // What this process ignores is none of the hook's business.
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe sigaddset(&signals, SIGXFSZ)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let words = unsafe Words([program])
    let variables = unsafe Words(["REDO_DIR=" + directory] + inherited())
    let status = unsafe posix_spawn(
      &child, program, &actions, &attributes, words.pointers, variables.pointers)
    unsafe extendLifetime(words)
    unsafe extendLifetime(variables)
    guard status == 0 else {
      throw SystemError(code: status, operation: "run", path: joinPath(directory, program))
    }
    return child
  }

  /// The variables of this process that a hook gets too.
  private static func inherited() -> [String] {
    var all: [String] = []
    guard var next = unsafe linux_environment() else { return [] }
    // SAFETY: the variables of a process end in NUL, their array in nil; nothing here changes them.
    while let text = unsafe next.pointee {
      let variable = unsafe String(cString: text)
      if !misleading.contains(where: { variable.hasPrefix($0) }) { all.append(variable) }
      unsafe next += 1
    }
    return all
  }

  /// Texts as C has them.
  ///
  /// A class, because they are freed once.
  @unsafe private final class Words {
    var pointers: [UnsafeMutablePointer<CChar>?]

    init(_ words: [String]) { unsafe pointers = unsafe words.map { unsafe strdup($0) } + [nil] }

    // SAFETY: each was allocated by strdup, and is freed once.
    deinit { unsafe pointers.forEach { unsafe free($0) } }
  }
}
