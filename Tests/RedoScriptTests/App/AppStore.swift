// A store for tests that run the executable and read what it prints with Foundation.

import Foundation
import TestSupport
import Testing

/// A store in a directory of its own, with a key.
struct AppStore {
  /// What a command has done.
  struct Answer {
    let status: Int32
    let output: Data
    let errors: String
  }

  private let directory = TemporaryDirectory()

  /// The executable under test: the one of REDO_BIN_DIR, or the one built with these tests.
  private static let executable: String = {
    if let directory = ProcessInfo.processInfo.environment["REDO_BIN_DIR"] {
      return directory + "/redo"
    }
    return VectorFolder.repository.appending(path: ".build/debug/redo").path
  }()

  /// Makes an empty store.
  init() async throws {
    try #require(
      FileManager.default.isExecutableFile(atPath: Self.executable),
      "there is no '\(Self.executable)': 'make' builds it, or set REDO_BIN_DIR")
    try await succeed("init", "-q", directory.path("store"))
    try await succeed("key", "generate")
  }

  /// Writes a file as Foundation writes the value; returns its path.
  func file(_ value: some Encodable, _ dates: App.Dates = .seconds) throws -> String {
    let path = directory.path("\(UUID()).json")
    try App.data(value, dates).write(to: URL(filePath: path))
    return path
  }

  /// Runs redo in the store.
  ///
  /// A thread of its own waits for it, as one does for each script.
  func run(_ arguments: [String]) async throws -> Answer {
    let output = directory.path("\(UUID()).out")
    let errors = directory.path("\(UUID()).err")
    let inside = arguments.first == "init" ? [] : ["-C", directory.path("store")]
    let command =
      [
        "timeout", "--kill-after=10", "300", "/bin/bash", "-c", #"exec "$@" 2>"$ERRORS""#, "-",
        Self.executable,
      ] + inside + arguments
    let environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "LC_ALL": "C",
      "HOME": directory.path, "ERRORS": errors, "REDO_CONFIG_NOSYSTEM": "1",
      "REDO_AUTHOR_DATE": "2026-03-01T10:00:00Z",
    ]
    let status = try await withCheckedThrowingContinuation { listener in
      Thread {
        listener.resume(
          with: Result { try Child.run(command, environment: environment, output: output) })
      }.start()
    }
    return Answer(
      status: status, output: try Data(contentsOf: URL(filePath: output)),
      errors: try String(contentsOfFile: errors, encoding: .utf8))
  }

  /// Runs `redo`, which must end with 0, and returns its output.
  @discardableResult
  func succeed(_ arguments: String...) async throws -> Data {
    let answer = try await run(arguments)
    try #require(
      answer.status == 0, "redo \(arguments) ends with \(answer.status): \(answer.errors)")
    return answer.output
  }

  /// What a command prints for the app, as this reads it: a value a line.
  func read<Form: Decodable>(
    _ form: Form.Type, _ command: String, _ subcommand: String, _ names: String...
  ) async throws -> [Form] {
    let answer = try await run([command, subcommand, "--for=app"] + names)
    try #require(answer.status == 0, "\(answer.errors)")
    return try App.read(form, lines: answer.output)
  }

  /// The records by the names of their fields, each value as JSON.
  func records() async throws -> [[String: String]] {
    try await succeed("state", "--records").split(separator: UInt8(ascii: "\n")).map { line in
      let record = try #require(JSONSerialization.jsonObject(with: line) as? [String: Any])
      let fields = try #require(record["fields"] as? [[String: Any]])
      #expect(fields.allSatisfy { ($0["problems"] as? [Any])?.isEmpty == true }, "\(fields)")
      #expect((record["unknown"] as? [String: Any])?.isEmpty == true, "\(record)")
      return try Dictionary(
        fields.map { field in
          let name = try #require(field["name"] as? String)
          let value = try JSONSerialization.data(
            withJSONObject: try #require(field["value"]),
            options: [.fragmentsAllowed, .withoutEscapingSlashes])
          return (name, String(decoding: value, as: UTF8.self))
        }, uniquingKeysWith: { "\($0) and \($1)" })
    }
  }

  /// Every object of the store, by the ids that its logs have, and where its refs stand.
  func objects(of schemas: [String]) async throws -> [String] {
    var outputs = [try await succeed("log", "--oneline"), try await run(["show-ref"]).output]
    for schema in schemas { outputs.append(try await succeed("schema", "log", schema)) }
    return outputs.flatMap {
      String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }
}
