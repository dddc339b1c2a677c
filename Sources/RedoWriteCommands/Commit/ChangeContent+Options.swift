// The content of a new node, as given by options.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

extension ChangeContent {
  /// Sets the members that repeated options give, in the order of the options.
  ///
  /// - Parameters:
  ///   - texts: the option of texts, `<name>=<text>`.
  ///   - values: the option of JSON values, `<name>=<json>`.
  ///   - options: the command line.
  /// - Throws: `usage` for text that is not a member, or for a member that is given twice.
  mutating func fill(texts: OptionSpec, values: OptionSpec, _ options: ParsedOptions) throws {
    for given in options.given where !given.isNegated {
      guard texts ~= given || values ~= given, let text = given.value else { continue }
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw CommandError.usage(
          "option '\(given.spec.spelling)' expects <name>=<value>, not '\(text)'")
      }
      if texts ~= given {
        try set(String(parts[0]), text: String(parts[1]))
      } else {
        try set(String(parts[0]), json: String(parts[1]), from: values)
      }
    }
  }

  /// Sets a member to the JSON value of an option.
  ///
  /// - Throws: `usage` when the value is not JSON, or the member has already been set.
  mutating func set(_ name: String, json: String, from option: OptionSpec) throws {
    do throws(ContentFault) {
      try set(name, json: json)
    } catch {
      guard case .noJSON(let finding, let text) = error else { throw error }
      throw CommandError.usage("option '\(option.spelling)': \(finding.summary) in '\(text)'")
    }
  }
}
