// A program that is started and talked to over its standard input and output (posix_spawn(3)): its words
// are an array, and no shell reads them.

internal import CLinux
internal import Glibc

/// How a program has ended.
package enum ChildEnd: Hashable, Sendable {
  /// With a status.
  case exited(Int32)
  /// By a signal that was not ours.
  case signaled(Int32)
  /// It did not end by itself in time.
  case stopped

  /// Whether it has said that all is well.
  package var isGood: Bool { self == .exited(0) }
}

extension ChildEnd: CustomStringConvertible {
  /// What has become of it, for people: behind the name of the program.
  package var description: String {
    switch self {
    case .exited(let status): "has ended with status \(status)"
    case .signaled(let number): "has ended by signal \(number)"
    case .stopped: "did not end and was stopped"
    }
  }
}

/// A program that was started.
///
/// A class, because it is waited for once, whoever holds it. Unchecked: it belongs to one thread at a time.
package final class ChildProcess: @unchecked Sendable {
  /// Its first word, as it was asked for.
  package let program: String
  /// What is written comes to its standard input, what is read comes from its standard output.
  package let stream: TwoWayStream
  private let id: pid_t
  private var end: ChildEnd?

  /// Starts a program; its standard error is that of this process.
  ///
  /// - Parameters:
  ///   - path: the file of the program.
  ///   - words: its arguments, the first of which is its name.
  ///   - variables: what is set in its environment, besides that of this process.
  ///   - patience: how long bytes are waited for.
  /// - Throws: what a call answered; ENOENT when there is no such program.
  package init(
    _ path: String, _ words: [String], variables: [String: String] = [:],
    _ patience: TwoWayStream.Patience
  ) throws(SystemError) {
    program = words.first ?? path
    let up = try TwoWayStream.pipe()
    let down: (reading: Int32, writing: Int32)
    do throws(SystemError) { down = try TwoWayStream.pipe() } catch {
      for end in [up.reading, up.writing] { _ = close(end) }
      throw error
    }
    stream = TwoWayStream(
      input: down.reading, output: up.writing, isOwned: true, patience: patience)
    // Our own copies would keep the pipes from ever ending.
    defer { for end in [up.reading, down.writing] { _ = close(end) } }
    id = try Self.start(
      path, words, Self.environment(adding: variables), input: up.reading, output: down.writing)
  }

  deinit { _ = wait(graceMilliseconds: 0) }

  /// The variables of this process with some others.
  private static func environment(adding variables: [String: String]) -> [String] {
    var all: [String] = []
    // SAFETY: the C library's array of strings ends in nil; nothing here changes it.
    if var place = unsafe linux_environment() {
      while let text = unsafe place.pointee {
        all.append(unsafe String(cString: text))
        unsafe place += 1
      }
    }
    all.removeAll { text in variables.keys.contains { text.hasPrefix($0 + "=") } }
    return all + variables.map { "\($0.key)=\($0.value)" }.sorted()
  }

  private static func start(
    _ path: String, _ words: [String], _ variables: [String], input: Int32, output: Int32
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
    // The copies are all that it gets: everything else is closed when it starts.
    unsafe posix_spawn_file_actions_adddup2(&actions, input, File.standardInput.raw)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, File.standardOutput.raw)
    // What this process ignores is none of the program's business.
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe sigaddset(&signals, SIGXFSZ)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
    var environment: [UnsafeMutablePointer<CChar>?] = unsafe variables.map { unsafe strdup($0) }
    unsafe arguments.append(nil)
    unsafe environment.append(nil)
    defer {
      for index in words.indices { unsafe free(arguments[index]) }
      for index in variables.indices { unsafe free(environment[index]) }
    }
    let status = unsafe posix_spawn(
      &child, path, &actions, &attributes, arguments, environment)
    guard status == 0 else { throw SystemError(code: status, operation: "run", path: path) }
    return child
  }

  /// Ends the connection and waits for the end of the program; again gives the same answer.
  ///
  /// - Parameter graceMilliseconds: how long it may take before it is asked to stop, and then before it is
  ///   made to.
  /// - Returns: how it has ended.
  @discardableResult
  package func wait(graceMilliseconds: Int) -> ChildEnd {
    if let end { return end }
    stream.close()
    var found = poll(graceMilliseconds)
    for number in [SIGTERM, SIGKILL] where found == nil {
      _ = kill(id, number)
      // After the second one nothing can keep it.
      found = poll(number == SIGKILL ? .max : graceMilliseconds).map { _ in .stopped }
    }
    end = found ?? .stopped
    return end ?? .stopped
  }

  /// Asks for the end of the program until so much time has passed.
  private func poll(_ milliseconds: Int) -> ChildEnd? {
    let start = SystemClock.monotonicNanoseconds()
    var pause: Int64 = 200
    while true {
      var status: Int32 = 0
      // SAFETY: the call fills in a number.
      let answer = retryingInterrupted { unsafe waitpid(id, &status, WNOHANG) }
      if answer == id {
        let signal = status & 0x7F
        return signal == 0 ? .exited((status >> 8) & 0xFF) : .signaled(signal)
      }
      // Somebody else has waited for it.
      if answer < 0 { return .stopped }
      let passed = (SystemClock.monotonicNanoseconds() - start) / 1_000_000
      guard passed < Int64(milliseconds) else { return nil }
      SystemClock.sleep(microseconds: pause)
      pause = min(pause * 2, 20_000)
    }
  }
}
