// The options by which commands ask for a point in time.

internal import RedoHistory
internal import RedoRepository
internal import RedoShell

extension HistoryPoint {
  /// The options by which a command asks for a point.
  struct Options {
    /// The point itself.
    let point: OptionSpec
    /// By which clock nodes count.
    let policy: OptionSpec
    /// Whether a point that no node precedes is taken; `nil` where it never is.
    let allowEmpty: OptionSpec?
    /// What such a point gives.
    let empty: HistoryPoint.Empty?

    /// The options, for a table.
    var specs: [OptionSpec] { [point, policy] + (allowEmpty.map { [$0] } ?? []) }
  }

  /// What was given of a command's options.
  ///
  /// - Throws: `fatal` for what is no point; `usage` for options that make no sense together.
  init(_ options: ParsedOptions, _ names: Options, now: Int64) throws {
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
