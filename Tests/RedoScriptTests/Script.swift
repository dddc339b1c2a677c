// One script below Tests: its place, how long it takes, how it is run, and what its result means.

import Foundation
import Glibc
import TestSupport
import Testing

/// A script below Tests.
struct Script: Sendable, CustomTestStringConvertible {
  let path: String

  var testDescription: String { path }

  /// The scripts of a folder, except `lib.sh`, which they share.
  static func all(in folder: String) throws -> [Script] {
    let directory = VectorFolder.repository.appending(path: "Tests/\(folder)").path
    return try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
      .filter { $0.hasSuffix(".sh") && $0 != "lib.sh" }
      .map { Script(path: "Tests/\(folder)/\($0)") }
  }

  /// About how long it takes: slow scripts start first, so that a run does not end with one long script.
  var seconds: Double { Self.longest[path] ?? 0 }

  /// The slowest scripts, in seconds on two processors that also run other scripts.
  ///
  /// The numbers need not be exact; a run prints what it measured.
  private static let longest: [String: Double] = [
    "Tests/Faults/caches.sh": 120,
    "Tests/Scripts/sshd.sh": 66,
    "Tests/Scripts/redo-serve-tls-rotation.sh": 42,
    "Tests/Scripts/sync-scenarios-firestore-emulator.sh": 117,
    "Tests/Scripts/redo-remote-http.sh": 90,
    "Tests/Faults/bounds.sh": 120,
    "Tests/Scripts/firestore-truth-emulator.sh": 75,
    "Tests/Scripts/redo-verify-repair-packs.sh": 68,
    "Tests/Scripts/firestore-truth.sh": 62,
    "Tests/Scripts/refs-behind.sh": 61,
    "Tests/Scripts/redo-ls-remote-firestore-emulator.sh": 53,
    "Tests/Faults/equal.sh": 60,
    "Tests/Faults/import-app.sh": 52,
    "Tests/Faults/damage.sh": 53,
    "Tests/Scripts/redo-verify-store.sh": 52,
    "Tests/Scripts/redo-verify-repair-refs.sh": 51,
    "Tests/Scripts/redo-serve-access.sh": 46,
    "Tests/Scripts/redo-age.sh": 44,
    "Tests/Faults/damage-ends.sh": 40,
    "Tests/Faults/kill.sh": 37,
    "Tests/Scripts/receipts-rows.sh": 40,
    "Tests/Scripts/index-sqlite.sh": 30,
    "Tests/Scripts/receipts-secrets.sh": 30,
    "Tests/Scripts/sync-scenarios-firestore.sh": 37,
    "Tests/Scripts/graph.sh": 36,
    "Tests/Faults/backup.sh": 35,
    "Tests/Faults/errors.sh": 34,
    "Tests/Faults/commit.sh": 34,
    "Tests/Scripts/redo-serve-http.sh": 35,
    "Tests/Scripts/archive-history.sh": 33,
    "Tests/Scripts/redo-show-ref.sh": 33,
    "Tests/Faults/archive-remove.sh": 33,
    "Tests/Scripts/redo-prove.sh": 32,
    "Tests/Scripts/redo-diff.sh": 31,
    "Tests/Scripts/redo-query.sh": 29,
    "Tests/Scripts/redo-ls-remote-firestore.sh": 29,
    "Tests/Scripts/firestore-python.sh": 28,
    "Tests/Scripts/redo-verify-packs.sh": 28,
    "Tests/Faults/together.sh": 26,
    "Tests/Scripts/sync-matrix-firestore-emulator.sh": 25,
    "Tests/Scripts/redo-serve-firestore.sh": 25,
    "Tests/Scripts/redo-serve-false.sh": 20,
    "Tests/Scripts/redo-serve-quota.sh": 20,
    "Tests/Scripts/sync-matrix-firestore.sh": 20,
    "Tests/Scripts/redo-verify-repair.sh": 24,
    "Tests/Scripts/redo-snapshot-damage.sh": 24,
    "Tests/Faults/restore.sh": 25,
    "Tests/Faults/repack-together.sh": 24,
    "Tests/Scripts/firestore-faults.sh": 24,
    "Tests/Faults/receive.sh": 23,
    "Tests/Scripts/redo-import.sh": 22,
    "Tests/Scripts/redo-import-app.sh": 25,
    "Tests/Scripts/redo-recover-instants.sh": 20,
    "Tests/Scripts/remote-transports.sh": 20,
    "Tests/Scripts/redo-verify-audit.sh": 20,
    "Tests/Scripts/packs.sh": 20,
    "Tests/Scripts/archive-sealed.sh": 19,
    "Tests/Scripts/firestore-emulator.sh": 18,
    "Tests/Faults/repack-errors.sh": 18,
    "Tests/Scripts/redo-key-sign.sh": 17,
    "Tests/Scripts/firestore-created-emulator.sh": 17,
    "Tests/Scripts/redo-verify.sh": 16,
    "Tests/Faults/repair.sh": 16,
    "Tests/Scripts/archive-split.sh": 16,
    "Tests/Faults/commit-together.sh": 15,
    "Tests/Scripts/terminal.sh": 14,
    "Tests/Scripts/manners-all.sh": 14,
    "Tests/Scripts/archive-shelf.sh": 14,
    "Tests/Faults/bulk.sh": 14,
    "Tests/Faults/schema-writers.sh": 40,
    "Tests/Faults/hostile-receipts.sh": 27,
    "Tests/Faults/hostile-server.sh": 30,
    "Tests/Faults/hostile-local.sh": 20,
    "Tests/Faults/hostile-journal.sh": 20,
    "Tests/Faults/server-writers.sh": 40,
    "Tests/Faults/server-load.sh": 20,
  ]

  /// Whether only one such script may run at a time: a second Firestore emulator would wait for the first.
  var isAlone: Bool { path.hasSuffix("-emulator.sh") }

  /// The executable under test: the one of REDO_BIN_DIR, or the one built with these tests.
  private static let executable: String = {
    if let directory = ProcessInfo.processInfo.environment["REDO_BIN_DIR"] {
      return directory + "/redo"
    }
    return VectorFolder.repository.appending(path: ".build/debug/redo").path
  }()

  /// Whether the long forms are to run.
  private static let isSoak = ProcessInfo.processInfo.environment["REDO_SOAK"] == "1"

  /// The seed for the steps of the short forms: the same for all scripts of a run; `make test` gives that of the commit.
  private static let seed: String = {
    let seed =
      ProcessInfo.processInfo.environment["REDO_SEED"] ?? "\(UInt32.random(in: 0..<1 << 30))"
    if !isSoak { print("SCRIPTS: REDO_SEED=\(seed) chooses the same steps of the sweeps again") }
    return seed
  }()

  /// Where the scripts work: in memory if there is room, since they copy and remove thousands of small files.
  ///
  /// The long forms, and runs with TMPDIR set, work on a disk.
  private static let directory: String = {
    if let directory = ProcessInfo.processInfo.environment["TMPDIR"] { return directory }
    let memory = "/dev/shm"
    let noExecution: UInt = 8  // ST_NOEXEC, see statvfs(3)
    var found = statvfs()
    // SAFETY: a plain C value that outlives the call.
    guard !isSoak, unsafe statvfs(memory, &found) == 0,
      unsafe access(memory, W_OK) == 0,
      found.f_flag & noExecution == 0, found.f_bavail * found.f_bsize > 2 << 30
    else { return "/tmp" }
    return memory
  }()

  /// A script that runs longer than this is ended and fails: ten times as long as the slowest script takes.
  private static let limitSeconds = isSoak ? 3600 : 900

  /// Runs the script and waits for its end.
  func run() throws -> ScriptQueue.Outcome {
    // A file, not a pipe: a process that the script leaves behind would keep a pipe open.
    let output = FileManager.default.temporaryDirectory
      .appending(path: "redo-script-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: output) }
    let start = ContinuousClock.now
    let status = try Child.run(
      [
        "timeout", "--kill-after=10", "\(Self.limitSeconds)", "/bin/bash",
        VectorFolder.repository.appending(path: path).path,
      ],
      environment: ProcessInfo.processInfo.environment
        .merging([
          "REDO_BIN": Self.executable, "REDO_SEED": Self.seed, "TMPDIR": Self.directory,
        ]) { $1 },
      output: output.path)
    return ScriptQueue.Outcome(
      status: status, output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
      seconds: (ContinuousClock.now - start) / .seconds(1))
  }

  /// Fails with the output of the script if the script fails; the scripts in `all` are started with it.
  func check(among all: [Script]) async throws {
    try #require(
      FileManager.default.isExecutableFile(atPath: Self.executable),
      "there is no '\(Self.executable)': 'make' builds it, or set REDO_BIN_DIR")
    let outcome = try await ScriptQueue.shared.outcome(of: self, among: all)
    #expect(
      outcome.status == 0, "\(path) ends with \(outcome.status):\n\(outcome.output)")
    for line in outcome.output.split(separator: "\n") where line.contains(" # SKIP ") {
      print("SKIPPED: \(path): \(line)")
    }
    if outcome.seconds > 20 { print("SCRIPTS: \(path) took \(Int(outcome.seconds)) seconds") }
  }
}
