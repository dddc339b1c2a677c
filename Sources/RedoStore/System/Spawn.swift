// A program that is about to be started (posix_spawn(3)): its words are an array, and no shell reads them.

internal import CLinux
internal import Glibc

/// How a program is started.
struct Spawn {
  /// The file of the program; relative to `directory` if there is one.
  let path: String
  /// Its arguments, the first of which is its name.
  let words: [String]
  /// Its environment: each variable as C has it, its NUL included.
  var variables = Spawn.inherited
  /// What becomes its standard input; `nil` for nothing to read.
  var input: Int32?
  /// What becomes its standard output; its standard error is that of this process.
  let output: Int32
  /// Where it runs; `nil` for where this process does.
  var directory: String?

  /// The variables of this process, byte for byte.
  static var inherited: [[CChar]] {
    var all: [[CChar]] = []
    guard var next = unsafe linux_environment() else { return [] }
    // SAFETY: the variables of a process end in NUL, their array in nil; nothing here changes them.
    while let text = unsafe next.pointee {
      all.append(unsafe Array(UnsafeBufferPointer(start: text, count: strlen(text) + 1)))
      unsafe next += 1
    }
    return all
  }

  /// Takes variables away.
  ///
  /// - Parameter names: their names.
  mutating func unset(_ names: some Sequence<String>) {
    let starts = names.map { "\($0)=".utf8.map { CChar(bitPattern: $0) } }
    variables.removeAll { variable in starts.contains { variable.starts(with: $0) } }
  }

  /// Sets variables.
  ///
  /// - Parameter values: what they are set to, by their names.
  mutating func set(_ values: [String: String]) {
    unset(values.keys)
    for text in values.map({ "\($0.key)=\($0.value)" }).sorted() {
      variables.append(Array(text.utf8CString))
    }
  }

  /// Starts it.
  ///
  /// - Returns: the process, which must be waited for.
  /// - Throws: what posix_spawn(3) answered; ENOENT when there is no such program.
  func start() throws(SystemError) -> pid_t {
    var child: pid_t = 0
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    var signals = sigset_t()
    // SAFETY: plain C structs, set up before and destroyed after their use; the texts end in NUL,
    // their arrays in nil, and all live during the call.
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    // The copies are all that it gets: everything else is closed when it starts.
    if let input {
      unsafe posix_spawn_file_actions_adddup2(&actions, input, File.standardInput.raw)
    } else {
      unsafe posix_spawn_file_actions_addopen(
        &actions, File.standardInput.raw, "/dev/null", O_RDONLY, 0)
    }
    unsafe posix_spawn_file_actions_adddup2(&actions, output, File.standardOutput.raw)
    if let directory { unsafe linux_spawn_in(&actions, directory) }
    // Signals that this process ignores do not concern the program.
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe sigaddset(&signals, SIGXFSZ)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let words = unsafe Texts(words.map { Array($0.utf8CString) })
    let variables = unsafe Texts(variables)
    let status = unsafe posix_spawn(
      &child, path, &actions, &attributes, words.pointers, variables.pointers)
    unsafe extendLifetime(words)
    unsafe extendLifetime(variables)
    guard status == 0 else {
      let place = directory.map { joinPath($0, path) } ?? path
      throw SystemError(code: status, operation: "run", path: place)
    }
    return child
  }

  /// Waits for the end of a program.
  ///
  /// - Parameter child: the process.
  /// - Returns: its exit status, 128 and the number of the signal it died by, or 127 when somebody else has
  ///   waited for it.
  static func wait(for child: pid_t) -> Int32 {
    var status: Int32 = 0
    // SAFETY: the call fills in a number.
    guard retryingInterrupted({ unsafe waitpid(child, &status, 0) }) == child else { return 127 }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// Texts as C has them.
  ///
  /// A class, because they are freed once.
  @unsafe private final class Texts {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ texts: [[CChar]]) { unsafe pointers = unsafe texts.map { unsafe strdup($0) } + [nil] }

    // SAFETY: each was allocated by strdup, and is freed once.
    deinit { unsafe pointers.forEach { unsafe free($0) } }
  }
}
