// A temporary store for a test, written by the commands themselves, in process.

import RedoObject
import RedoStore
import TestSupport
import Testing

@testable import RedoCommands
@testable import RedoReadCommands
@testable import RedoWriteCommands
@testable import RedoRepository
@testable import RedoShell

/// A store in a directory that is removed with it.
final class TemporaryStore {
  private let directory = TemporaryDirectory()

  init() throws { try redo("init", "-q") }

  /// The directory that contains `.redo`.
  var path: String { directory.path }

  /// Surroundings in which this store is found; their clock stands still.
  func context(_ words: [String] = [], input: Int32 = -1) -> Context {
    var context = Context(
      arguments: words, input: input, clock: { 1_760_000_000_000 },
      random: { Random.uint64() }, workingDirectory: path)
    context.effects.surroundings.settings = [("safe.store", "*")]
    return context
  }

  /// Runs a command on the store; it must end with 0.
  @discardableResult
  func redo(_ words: String..., input: [UInt8] = []) throws -> String {
    try withStream(input) { descriptor in
      var context = context(words, input: descriptor)
      let ending = Shell.run(&context, as: "redo", CommandTable.suite)
      let (output, errors) = (context.output.text, context.errors.text)
      try #require(ending == .exit(.ok), "\(words): \(errors)")
      return output
    }
  }

  /// Opens the store.
  func open() throws -> Repository {
    let context = self.context()
    return try context.effects.openRepository()
  }

  /// The ids that a log prints, oldest first.
  func log(_ words: String...) throws -> [ObjectID] {
    let text = try withStream([]) { descriptor in
      var context = context(["log", "--reverse", "--format=%(id)"] + words, input: descriptor)
      let ending = Shell.run(&context, as: "redo", CommandTable.suite)
      let (output, errors) = (context.output.text, context.errors.text)
      try #require(ending == .exit(.ok), "\(words): \(errors)")
      return output
    }
    return text.split(separator: "\n").compactMap { ObjectID(text: $0) }
  }
}
