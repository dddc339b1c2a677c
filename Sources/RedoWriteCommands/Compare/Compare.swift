// redo compare: which nodes one copy of a history has and another one lacks.

internal import RedoRepository
internal import RedoShell

/// `redo compare [--stat] [--json] [-z] [-q] [<keys>] <copy> <copy>`.
enum Compare: Command {
  static let name = "compare"
  static let summary = "say what one copy of a history has and another one lacks"
  static var usage: [String] {
    ["redo-compare [--stat] [--json] [-z] [-q] [<keys>] (<store> | <file>) (<store> | <file>)"]
  }
  static var options: [OptionSpec] { ComparisonOutput.options + SealKeys.options }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.count == 2 else {
      throw CommandError.usage("two copies are compared: stores, or files as 'redo import' reads")
    }
    guard Set(options.arguments) != [InputFile.standardInputSign] else {
      throw CommandError.usage("standard input can be one of the two only")
    }
    let keys = try SealKeys(options, reading: options.arguments)
    let effects = context.effects
    let first = try CopySource(options.arguments[0], effects)
    let second = try CopySource(options.arguments[1], effects)
    return try ComparisonOutput.write(
      CopyComparison(first, second, keys, effects), options, &context)
  }
}
