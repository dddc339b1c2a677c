// The options that say which of many archives, or points of a backup, are kept.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

extension RetentionPlan {
  private static let rules = Rule.allCases.map { rule in
    (
      rule,
      OptionSpec(
        "keep-\(rule.rawValue)", .required("number"),
        help: rule == .last ? "keep the newest" : "keep the last \(help(rule))")
    )
  }
  private static let keepWithin = OptionSpec(
    "keep-within", .required("age"), help: "keep what is no older than the newest by so much")

  /// The options.
  static var options: [OptionSpec] { rules.map(\.1) + [keepWithin] }

  private static func help(_ rule: Rule) -> String {
    switch rule {
    case .last, .hourly: "of each of so many hours"
    case .daily: "of each of so many days"
    case .weekly: "of each of so many weeks"
    case .monthly: "of each of so many months"
    case .yearly: "of each of so many years"
    }
  }

  /// The largest number that a `--keep-<rule>` option accepts.
  private static let numberLimit = 1_000_000

  /// Reads the options; the plan is empty when none is given.
  ///
  /// - Throws: `usage` for a number that is none, `fatal` for an age that is none.
  init(_ options: ParsedOptions) throws {
    self.init()
    for (rule, spec) in Self.rules {
      guard let text = options.value(spec) else { continue }
      guard let number = ParsedOptions.decimal(text), (1...Self.numberLimit).contains(number) else {
        throw CommandError.usage(
          "option '\(spec.spelling)' expects a number from 1 on, not '\(text)'")
      }
      counts[rule] = number
    }
    within = try options.age(Self.keepWithin) ?? within
  }
}
