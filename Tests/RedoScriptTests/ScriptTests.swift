// The scripts of Tests/Scripts and Tests/Faults, each as one test: they run the executable as people
// do, and say in their output (TAP) what they show. What needs an absent tool is skipped, aloud.

import Foundation
import Glibc
import TestSupport
import Testing

/// One after another, beside the scripts of the other suite: both together keep two processors busy.
@Suite("Scripts of commands", .serialized)
struct CommandScriptTests {
  @Test("commands do what they say", arguments: try Script.all(in: "Scripts"))
  func command(_ script: Script) throws { try script.check() }
}

/// One after another, beside the scripts of the other suite.
@Suite("Scripts of faults", .serialized)
struct FaultScriptTests {
  @Test("faults lose nothing", arguments: try Script.all(in: "Faults"))
  func faults(_ script: Script) throws { try script.check() }
}

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

  /// The executable that is shown: the one of REDO_BIN_DIR, or the one built with these tests.
  private static let executable: String = {
    if let directory = ProcessInfo.processInfo.environment["REDO_BIN_DIR"] {
      return directory + "/redo"
    }
    return VectorFolder.repository.appending(path: ".build/debug/redo").path
  }()

  /// A script that runs longer than this is ended, and has failed: ten times what the longest takes.
  private static let limitSeconds = 900

  /// Starts a process that signals reach: the threads of a test block nearly all of them, and a
  /// child inherits that.
  private static func withOpenSignals(_ body: () throws -> Void) rethrows {
    var none = sigset_t()
    var old = sigset_t()
    // SAFETY: plain C values that outlive the calls.
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, &old)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &old, nil) }
    try body()
  }

  /// Runs the script, and fails with its output if it does.
  func check() throws {
    try #require(
      FileManager.default.isExecutableFile(atPath: Self.executable),
      "there is no '\(Self.executable)': 'make' builds it, or set REDO_BIN_DIR")
    let process = Process()
    // SIGPIPE is ignored in here as soon as a test has made a network loop, and a child inherits that.
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "--default-signal=PIPE", "timeout", "--kill-after=10", "\(Self.limitSeconds)", "/bin/bash",
      VectorFolder.repository.appending(path: path).path,
    ]
    process.environment = ProcessInfo.processInfo.environment
      .merging(["REDO_BIN": Self.executable]) { $1 }
    process.standardInput = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try Self.withOpenSignals { try process.run() }
    let output = String(
      decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    let hasEnded = process.terminationReason == .exit && process.terminationStatus == 0
    #expect(hasEnded, "\(path) ends with \(process.terminationStatus):\n\(output)")
    for line in output.split(separator: "\n") where line.contains(" # SKIP ") {
      print("SKIPPED: \(path): \(line)")
    }
  }
}
