// One script below Tests: where it is, how long it takes, how it is run, and what is made of its end.

import Foundation
import TestSupport
import Testing

/// A script below Tests.
struct Script: Sendable, CustomTestStringConvertible {
  let path: String

  var testDescription: String { path }

  /// The scripts of a folder; `lib.sh` is what they share.
  static func all(in folder: String) throws -> [Script] {
    let directory = VectorFolder.repository.appending(path: "Tests/\(folder)").path
    return try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
      .filter { $0.hasSuffix(".sh") && $0 != "lib.sh" }
      .map { Script(path: "Tests/\(folder)/\($0)") }
  }

  /// About how long it takes: what takes longest is begun first, so that the end is not one long script.
  var seconds: Double { Self.longest[path] ?? 0 }

  /// Those that take longest, in seconds on two processors that have other scripts to run as well.
  ///
  /// It need not be exact; a run prints what it measured.
  private static let longest: [String: Double] = [:]

  /// What only one script at a time can have: a second emulator of Firestore would wait for the first.
  var isAlone: Bool { path.hasSuffix("-emulator.sh") }

  /// The executable that is shown: the one of REDO_BIN_DIR, or the one built with these tests.
  private static let executable: String = {
    if let directory = ProcessInfo.processInfo.environment["REDO_BIN_DIR"] {
      return directory + "/redo"
    }
    return VectorFolder.repository.appending(path: ".build/debug/redo").path
  }()

  /// The long forms are asked for.
  private static let isSoak = ProcessInfo.processInfo.environment["REDO_SOAK"] == "1"

  /// What chooses the steps of the short forms: the same for all scripts of a run, and another one the next time.
  private static let seed: String = {
    let seed =
      ProcessInfo.processInfo.environment["REDO_SEED"] ?? "\(UInt32.random(in: 0..<1 << 30))"
    if !isSoak { print("SCRIPTS: REDO_SEED=\(seed) chooses the same steps of the sweeps again") }
    return seed
  }()

  /// A script that runs longer than this is ended, and has failed: ten times what the longest takes.
  private static let limitSeconds = isSoak ? 3600 : 900

  /// Runs the script, and waits for its end.
  func run() throws -> ScriptQueue.Outcome {
    // A file, not a pipe: a process that a script has left behind would keep that open.
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
        .merging(["REDO_BIN": Self.executable, "REDO_SEED": Self.seed]) { $1 },
      output: output.path)
    return ScriptQueue.Outcome(
      status: status, output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
      seconds: (ContinuousClock.now - start) / .seconds(1))
  }

  /// Fails with the output of the script if that does; `all` are begun with it.
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
