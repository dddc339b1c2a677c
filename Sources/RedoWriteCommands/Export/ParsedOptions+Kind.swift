// Which kind of objects leaves the store, and which receipts.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

extension OptionSpec {
  /// `--include-precise`.
  static let includePrecise = OptionSpec(
    "include-precise", help: "also receipts that tell a precise place, and what follows them")
  /// `--include-received`.
  static let includeReceived = OptionSpec(
    "include-received", help: "also receipts that somebody else has shared")
}

extension ParsedOptions {
  /// The kind with a history that an option names.
  ///
  /// - Parameter option: the option.
  /// - Returns: the kind; `nil` when the option is not given.
  /// - Throws: `usage` when it names another, or what is about receipts is given for another.
  func kind(_ option: OptionSpec) throws -> ObjectKind? {
    let word = value(option)
    let found = word.flatMap { ObjectKind(name: $0) }
    if let word, !(found?.hasHistory ?? false) {
      throw CommandError.usage("'--kind' is node, receipt or schema, not '\(word)'")
    }
    for other in [OptionSpec.includePrecise, .includeReceived] where has(other) {
      guard found == .receipt else {
        throw CommandError.usage("'\(other.spelling)' is about receipts, '--kind=receipt'")
      }
    }
    return found
  }
}
