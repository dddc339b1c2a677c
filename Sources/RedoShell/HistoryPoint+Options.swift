// The options with which commands ask for a point in time.

internal import RedoHistory
package import RedoRepository

extension HistoryPoint {
  /// The options with which a command asks for a point.
  package struct Options {
    /// The point itself.
    package let point: OptionSpec
    /// Which nodes count, by which clock.
    package let policy: OptionSpec
    /// Whether a point before all nodes is accepted; `nil` for commands that never accept one.
    package let allowEmpty: OptionSpec?
    /// The result for such a point.
    package let empty: HistoryPoint.Empty?

    /// Options for a point.
    package init(
      point: OptionSpec, policy: OptionSpec, allowEmpty: OptionSpec? = nil,
      empty: HistoryPoint.Empty? = nil
    ) {
      self.point = point
      self.policy = policy
      self.allowEmpty = allowEmpty
      self.empty = empty
    }

    /// The options, for an option table.
    package var specs: [OptionSpec] { [point, policy] + (allowEmpty.map { [$0] } ?? []) }
  }

  /// Reads the options of a command.
  ///
  /// - Throws: `fatal` for an invalid point; `usage` for options that make no sense together.
  package init(_ options: ParsedOptions, _ names: Options, now: Int64) throws {
    let policy = try options.choice(names.policy, as: PointPolicy.self)
    guard options.has(names.point) else {
      guard policy == nil else {
        throw CommandError.usage(
          "'\(names.policy.spelling)' is about '\(names.point.spelling)', which is not given")
      }
      self = .now
      return
    }
    let text = options.value(names.point) ?? ""
    try self.init(
      text, policy: policy, allowsEmpty: names.allowEmpty.map { options.has($0) } ?? false,
      empty: names.empty, now: now)
    guard policy == nil || policy == .closed || isInstant else {
      throw CommandError.usage("'\(names.policy.spelling)' is about a time: '\(text)' is none")
    }
  }
}
