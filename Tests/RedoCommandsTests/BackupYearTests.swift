// A year of daily backups with a plan, in process and with a clock of its own: on every day every point that is kept comes
// to the state of its day, for a program of others' making (Tests/Oracle/read_backup.py) and for `redo backup restore`.

import Foundation
import RedoCommands
import RedoCrypto
import RedoRepository
import RedoShell
import RedoStore
import Synchronization
import TestSupport
import Testing

@Suite("A year of backups", .enabled(if: Oracle.isPresent, "SKIPPED: no python3 with rfc8785"))
struct BackupYearTests {
  private static let isSoak = ProcessInfo.processInfo.environment["REDO_SOAK"] == "1"
  /// An encrypted run of every day is as long only where there is time.
  private static func days(_ isSealed: Bool) -> Int { isSoak ? 365 : isSealed ? 12 : 40 }
  private static let dayMilliseconds: Int64 = 86_400_000

  /// A clock that the test sets.
  private final class Clock: Sendable {
    let now = Atomic<Int64>(1_735_700_400_000)
  }

  private let directory = TemporaryDirectory()
  private let clock = Clock()

  /// Runs a command in a directory; it must end with 0.
  @discardableResult
  private func redo(
    _ words: [String], in folder: String, input: [UInt8] = []
  ) throws -> String {
    try withStream(input) { descriptor in
      let clock = clock
      var context = Context(
        arguments: words, input: descriptor,
        clock: { clock.now.load(ordering: .relaxed) }, random: { Random.uint64() },
        workingDirectory: "\(directory.path)/\(folder)")
      context.effects.surroundings.settings = [("safe.store", "*"), ("core.fsync", "none")]
      let ending = Shell.run(&context, as: "redo", CommandTable.suite)
      let (output, errors) = (context.output.text, context.errors.text)
      try #require(ending == .exit(.ok), "\(words): \(errors)")
      return output
    }
  }

  private func demo() throws -> [[UInt8]] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "gzip", "-dc", VectorFolder.repository.appending(path: "Demo/log.ndjson.gz").path,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    return bytes.split(separator: 10).map { Array($0) }
  }

  /// Restores the point of a time, and compares its state.
  private func restore(_ time: String, _ expected: String, _ keys: [String]) throws {
    try redo(
      ["backup", "restore", "-q"] + keys + ["--to=\(time)", "-o", "back", "points"], in: "")
    let state = try redo(["state", "--json"], in: "back")
    #expect(Self.digest(state) == expected, "the point of \(time)")
    try FileManager.default.removeItem(atPath: "\(directory.path)/back")
  }

  private static func digest(_ text: String) -> String {
    let digest = SHA256.digest(of: Array(text.utf8).span)
    return Hex.text(digest.bytes.span)
  }

  @Test(
    "every day every kept point comes to the state of its day", arguments: [false, true])
  func year(isSealed: Bool) throws {
    var random = SeededRandom(
      seed: SeededRandom.seeds("backup year", fixed: 1..<1).first ?? 1)
    let lines = try demo()
    try FileManager.default.createDirectory(
      atPath: "\(directory.path)/tasks", withIntermediateDirectories: true)
    try redo(["init", "-q"], in: "tasks")
    // A key of age's, made by the other program: the keyring has none.
    var (recipient, keys, identity): ([String], [String], [String]) = ([], [], [])
    if isSealed {
      let answer = try Oracle.ask("age_file.py", ["keygen"])
      let secret = String(decoding: try #require(answer.lines.first), as: UTF8.self)
      try Data("\(secret)\n".utf8).write(to: URL(filePath: "\(directory.path)/age.key"))
      let named = try Oracle.ask("age_file.py", ["--identity", secret, "public"])
      recipient = ["-r", String(decoding: try #require(named.lines.first), as: UTF8.self)]
      keys = ["-i", "\(directory.path)/age.key"]
      identity = ["--identity", secret]
    }
    // The state of the day on which a point was made, by its time.
    var states: [String: String] = [:]
    var taken = 0
    var mostKept = 0
    for day in 0..<Self.days(isSealed) {
      clock.now.wrappingAdd(Self.dayMilliseconds, ordering: .relaxed)
      // On one day in ten nothing changes.
      let more =
        Int.random(in: 0..<10, using: &random) == 0 ? 0 : Int.random(in: 1...3, using: &random)
      if more > 0 {
        let text = Array(lines[taken..<taken + more].joined(separator: [10])) + [10]
        try redo(["import", "-q"], in: "tasks", input: text)
        taken += more
      }
      let made = try redo(
        [
          "backup", "--full-after=20", "--keep-daily=7", "--keep-weekly=5", "--keep-monthly=12",
        ] + recipient + keys + ["../points"], in: "tasks")
      #expect(made.isEmpty == (more == 0 && day > 0))
      let state = Self.digest(try redo(["state", "--json"], in: "tasks"))
      if let time = made.split(separator: " ").first { states[String(time)] = state }
      // Everything that is kept, by another program, which reads every byte again.
      let answer = try Oracle.ask(
        "read_backup.py",
        identity + ["--states", "--known", "\(directory.path)/known", "\(directory.path)/points"])
      try #require(answer.status == 0, "day \(day)")
      let rows = try redo(["backup", "list"] + keys + ["points"], in: "").split(separator: "\n")
        .map { $0.split(separator: " ").map(String.init) }
      try #require(answer.lines.count == rows.count)
      mostKept = max(mostKept, rows.count)
      for (line, row) in zip(answer.lines, rows) {
        let expected = try #require(states[row[0]])
        #expect(String(decoding: line, as: UTF8.self) == "\(row[6]) \(expected)", "day \(day)")
      }
      // By ourselves the newest, another one, and now and then all.
      var chosen = [rows.count - 1, Int.random(in: 0..<rows.count, using: &random)]
      if day % 30 == 29 { chosen = Array(rows.indices) }
      for index in Set(chosen) { try restore(rows[index][0], states[rows[index][0]] ?? "", keys) }
      try redo(["backup", "check", "-q"] + keys + ["points"], in: "")
    }
    // The plan keeps few, and what they need.
    #expect(mostKept < 24 + 9 * 21)
    #expect(
      try redo(["backup", "list"] + keys + ["points"], in: "").split(separator: "\n").count >= 7)
    print(
      "a year of backups: \(Self.days(isSealed)) days\(isSealed ? ", encrypted" : ""), \(taken) changes, at most \(mostKept) points"
    )
  }
}
