// Support for the tests of the shell: a command that prints what it was given, runs in memory, and
// descriptors with known bytes.

import Glibc
import RedoCommands
import RedoReadCommands
import RedoWriteCommands
import RedoRepository
import RedoShell
import Testing

/// A command that prints the options and arguments it was given.
enum EchoCommand: Command {
  enum Profile: String, CaseIterable { case v1, sync, genesis }

  static let name = "echo"
  static let summary = "print what was given"
  static let usage = ["redo-echo [<options>] [<word>...]", "redo-echo --batch"]
  static let maxCount = OptionSpec(
    "max-count", letter: "n", .required("n"), help: "stop after <n> words", traits: .digits)
  static let reverse = OptionSpec("reverse", letter: "r", help: "last word first")
  static let quiet = OptionSpec("quiet", letter: "q", help: "say nothing")
  static let batch = OptionSpec("batch", letter: "b", .optional("format"), help: "read words")
  static let profile = OptionSpec("profile", .required("name"), help: "the rules to apply")
  static let json = OptionSpec("json", help: "rows of JSON", traits: .notNegatable)
  static let stray = OptionSpec(
    "stray-with-a-very-long-name", .required("x"), help: "not for you", traits: .hidden)
  static let options = [
    maxCount, reverse, quiet, .heading("batch modes"), batch, profile, json, stray,
  ]

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    if options.arguments.first == "fail" {
      try context.output.writeLine("before")
      throw CommandError.fatal("cannot write 'x'", hints: ["make room"], code: "STORAGE_003")
    }
    if options.arguments.first == "die" { throw CommandError.signal(2) }
    for option in options.given where !(RepositoryOptions.directory ~= option) {
      let name = option.isNegated ? "--no-\(option.spec.name)" : option.spec.spelling
      try context.output.writeLine(option.value.map { "\(name)=\($0)" } ?? name)
    }
    for word in options.arguments { try context.output.writeLine("[\(word)]") }
    return .ok
  }
}

/// A second command, so that there is something to choose from.
enum VerifyCommand: Command {
  static let name = "verify"
  static let summary = "say that all is well"
  static let usage = ["redo-verify"]
  static let options: [OptionSpec] = []

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit { .no }
}

/// The results of a run.
struct Outcome: Equatable {
  var ending: Ending
  var output: String
  var errors: String
}

/// Runs a command line in memory.
func run(_ words: String..., as program: String = "redo") -> Outcome {
  var context = Context(arguments: words)
  let ending = Shell.run(
    &context, as: program, CommandSuite("redo", [EchoCommand.self, VerifyCommand.self]))
  return Outcome(ending: ending, output: context.output.text, errors: context.errors.text)
}

/// Reads options as `redo-echo` would.
func parse(_ words: String...) throws -> ParsedOptions {
  guard case .run(let options) = try OptionParser.parse(words, EchoCommand.options) else {
    throw CommandError.fatal("help was asked for")
  }
  return options
}

/// The message of the error that a body throws.
func refusal(_ body: () throws -> Void) -> CommandError? {
  do {
    try body()
    return nil
  } catch {
    return CommandError(error)
  }
}

/// Calls a body with a descriptor from which given bytes can be read.
func withStream<Result>(
  _ bytes: [UInt8], _ body: (Int32) throws -> Result
) throws -> Result {
  var path = Array("/tmp/redo-shell-XXXXXX".utf8CString)
  // SAFETY: mkstemp replaces the six X of an array that ends in NUL.
  let descriptor = unsafe mkstemp(&path)
  try #require(descriptor >= 0)
  defer { close(descriptor) }
  unsafe unlink(path)
  // SAFETY: the pointer and count are the array's.
  let written = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
  try #require(written == bytes.count)
  lseek(descriptor, 0, SEEK_SET)
  return try body(descriptor)
}
