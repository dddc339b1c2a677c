// The result of parsing a command line, and the questions that commands ask about it.

internal import RedoRepository

/// One option as it was given.
package struct GivenOption: Sendable {
  /// Which option.
  package let spec: OptionSpec
  /// Its value, if it has one.
  package let value: String?
  /// Whether it was given as `--no-name`.
  package let isNegated: Bool

  /// For `switch option { case Self.reverse: ... }`.
  package static func ~= (spec: OptionSpec, option: GivenOption) -> Bool {
    spec.isSame(as: option.spec)
  }
}

/// The options and arguments of one command line.
package struct ParsedOptions: Sendable {
  /// The options, in the order given.
  package var given: [GivenOption] = []
  /// The arguments that are not options, in the order given.
  package var arguments: [String] = []

  /// An empty command line.
  package init() {}

  /// The last occurrence of an option, or `nil` if it was not given or was last negated.
  package func last(_ spec: OptionSpec) -> GivenOption? {
    guard let option = given.last(where: { spec ~= $0 }), !option.isNegated else { return nil }
    return option
  }

  /// Whether an option was given, and not negated after that.
  package func has(_ spec: OptionSpec) -> Bool { last(spec) != nil }

  /// Whether an option was last given as `--name` or as `--no-name`; `nil` for neither.
  package func flag(_ spec: OptionSpec) -> Bool? {
    given.last { spec ~= $0 }.map { !$0.isNegated }
  }

  /// The last value of an option.
  package func value(_ spec: OptionSpec) -> String? { last(spec)?.value }

  /// All values of an option since it was last negated.
  package func values(_ spec: OptionSpec) -> [String] {
    var values: [String] = []
    for option in given where spec ~= option {
      if option.isNegated { values = [] } else if let value = option.value { values.append(value) }
    }
    return values
  }

  /// The one option that was given of a group in which they exclude each other.
  ///
  /// - Throws: `usage` when two different ones were given.
  package func only(oneOf specs: [OptionSpec]) throws -> OptionSpec? {
    var found: OptionSpec?
    for option in given where !option.isNegated {
      guard specs.contains(where: { $0 ~= option }) else { continue }
      if let found, !(found ~= option) {
        throw CommandError.usage(
          "options '\(found.spelling)' and '\(option.spec.spelling)' cannot be used together")
      }
      found = option.spec
    }
    return found
  }
}
