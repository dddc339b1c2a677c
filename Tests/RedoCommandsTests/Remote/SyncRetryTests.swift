// A remote that cannot be reached is tried again, with a clock that does not make the test wait.

import Glibc
import RedoStore
import Synchronization
import Testing

@testable import RedoCommands
@testable import RedoReadCommands
@testable import RedoWriteCommands
@testable import RedoRepository
@testable import RedoShell

@Suite struct SyncRetryTests {
  /// Ignores SIGPIPE, as a command that holds signals does in its own process.
  init() { _ = signal(SIGPIPE, SIG_IGN) }

  /// The waiting times of a command whose connection to the remote always breaks.
  private func waits(_ words: String..., breaking way: String) throws -> ([Int64], Ending, String) {
    let store = try TemporaryStore()
    let waits = Recorder()
    var context = Context(
      arguments: ["-C", store.path, "-c", "core.sshCommand=\(way)"] + words + ["ssh://host/x"],
      environment: { $0 == "PATH" ? "/usr/bin:/bin" : nil }, clock: { 1_760_000_000_000 },
      sleep: { waits.add($0) }, random: { Random.uint64() })
    let ending = Shell.run(&context, as: "redo", CommandTable.suite)
    return (waits.all, ending, context.errors.text)
  }

  /// Records waiting times.
  private final class Recorder: Sendable {
    private let waits = Mutex<[Int64]>([])
    var all: [Int64] { waits.withLock { $0 } }
    func add(_ milliseconds: Int64) { waits.withLock { $0.append(milliseconds) } }
  }

  @Test(arguments: ["fetch", "push", "sync", "ls-remote"])
  func fiveAttemptsWithFourWaits(command: String) throws {
    let (waits, ending, errors) = try waits(command, breaking: "sh -c 'exit 255'")
    #expect(waits == [2_000, 4_000, 8_000, 16_000])
    #expect(ending == .exit(.temporary))
    #expect(errors.contains("attempt 5 of 5 in 16 seconds\n"))
    #expect(errors.contains("fatal: 'ssh://host/x' cannot be reached after 5 attempts: "))
  }

  @Test func onceIfThatIsAskedFor() throws {
    let (waits, ending, errors) = try waits(
      "fetch", "--no-retry", breaking: "sh -c 'exit 255'")
    #expect(waits == [])
    #expect(ending == .exit(.temporary))
    #expect(errors.contains("fatal: 'ssh://host/x' cannot be reached: "))
  }

  @Test func whatDoesNotPassIsNotTriedAgain() throws {
    let (waits, ending, _) = try waits("fetch", breaking: "sh -c 'exit 3'")
    #expect(waits == [])
    #expect(ending == .exit(.fatal))
  }
}
