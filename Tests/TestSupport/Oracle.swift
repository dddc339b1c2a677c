// The oracles of Tests/Oracle: Python programs that answer the same questions with other people's
// code.

internal import Foundation

/// Runs oracles.
package enum Oracle {
  /// The message when there is no Python with the packages that the oracles need.
  package static let isAbsent =
    "SKIPPED: no python3 with the packages of Tests/Oracle (REDO_PYTHON, .build/oracle, PATH)"

  /// The Python that has the packages; `nil` (with a message) when there is none.
  private static let python: [String]? = {
    let own = VectorFolder.repository.appending(path: ".build/oracle/bin/python").path
    let named = ProcessInfo.processInfo.environment["REDO_PYTHON"].map { [[$0]] } ?? []
    for candidate in named + [[own], ["/usr/bin/env", "python3"]] {
      let check = candidate + ["-c", "import rfc8785, nacl, dag_cbor, multiformats"]
      if (try? run(check, input: []))?.status == 0 { return candidate }
    }
    print(isAbsent)
    return nil
  }()

  /// Whether oracles can be run.
  package static var isPresent: Bool { python != nil }

  /// What a program answered.
  package struct Answer: Sendable {
    /// Its standard output.
    package let output: [UInt8]
    /// Its exit status.
    package let status: Int32

    /// The lines of the output.
    package var lines: [[UInt8]] {
      var lines = output.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
      if lines.last?.isEmpty == true { lines.removeLast() }
      return lines
    }
  }

  /// Runs a program of Tests/Oracle.
  package static func ask(
    _ program: String, _ arguments: [String] = [], input: [UInt8] = []
  ) throws -> Answer {
    let path = VectorFolder.repository.appending(path: "Tests/Oracle/\(program)").path
    guard let python else { preconditionFailure(isAbsent) }
    return try run(python + [path] + arguments, input: input)
  }

  private static func run(_ command: [String], input: [UInt8]) throws -> Answer {
    let inputFile = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(input).write(to: inputFile)
    defer { try? FileManager.default.removeItem(at: inputFile) }
    let process = Process()
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    process.standardInput = try FileHandle(forReadingFrom: inputFile)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    return Answer(output: bytes, status: process.terminationStatus)
  }
}
