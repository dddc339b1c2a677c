// A program that is started and talked to over its standard input and output.

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
  /// What has become of it, for people: follows the name of the program.
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
  /// Bytes that are written go to its standard input, bytes that are read come from its standard output.
  package let stream: TwoWayStream
  private let id: pid_t
  private var end: ChildEnd?

  /// Starts a program; its standard error is that of this process.
  ///
  /// - Parameters:
  ///   - path: the file of the program.
  ///   - words: its arguments, the first of which is its name.
  ///   - variables: what is set in its environment, in addition to that of this process.
  ///   - patience: how long to wait for bytes.
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
    var spawn = Spawn(path: path, words: words, input: up.reading, output: down.writing)
    spawn.set(variables)
    id = try spawn.start()
  }

  deinit { _ = wait(graceMilliseconds: 0) }

  /// Ends the connection and waits for the end of the program; again gives the same answer.
  ///
  /// - Parameter graceMilliseconds: how long it may take before it is asked to stop, and then before it is
  ///   killed.
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
