// The forms in which a log shows its changes.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// A form of a log.
enum LogStyle {
  static let prettyOption = OptionSpec(
    "pretty", .required("form"), help: "for people: oneline, short, full (default) or changes")
  static let onelineOption = OptionSpec("oneline", help: "the same as '--pretty=oneline'")
  static let graphOption = OptionSpec(
    "graph", help: "draw how the changes follow each other beside them")
  static let asciiOption = OptionSpec("ascii", help: "draw with ASCII characters only")
  static let dotOption = OptionSpec("dot", help: "show the changes as a graph for Graphviz")
  static let svgOption = OptionSpec(
    "svg", help: "show the changes as a drawing: a lane for each device, and a calendar")

  static let specs = [
    .format, .json, prettyOption, onelineOption, graphOption, asciiOption, dotOption,
    svgOption,
  ]

  /// The forms for people.
  enum Pretty: String, CaseIterable {
    /// One line.
    case oneline
    /// The author, and what was changed.
    case short
    /// Everything that a node says.
    case full
    /// The values before and after the change.
    case changes
  }

  /// A format, applied to each change.
  case format(Format<ObjectAtom>)
  /// The node as JSON, one per line.
  case json
  /// Lines for people.
  case pretty(Pretty, Palette)
  /// A Graphviz graph.
  case dot
  /// An SVG drawing.
  case svg

  /// Reads the options.
  ///
  /// - Parameters:
  ///   - options: the options that were given.
  ///   - palette: the colours for people.
  ///   - now: the present, in milliseconds since 1970.
  /// - Throws: `usage` for options that make no sense together, `fatal` for an invalid format.
  init(_ options: ParsedOptions, _ palette: Palette, now: Int64) throws {
    let mode = try options.only(
      oneOf: [
        .format, .json, Self.prettyOption, Self.onelineOption, Self.dotOption,
        Self.svgOption,
      ])
    if options.has(Self.graphOption), let mode,
      [.json, Self.dotOption, Self.svgOption].contains(where: { $0.isSame(as: mode) })
    {
      throw CommandError.usage("options '--graph' and '\(mode.spelling)' cannot be used together")
    }
    guard let mode else {
      self = .pretty(.full, palette)
      return
    }
    switch mode.name {
    case OptionSpec.format.name:
      self = .format(
        try Format(options.value(.format) ?? "", atoms: ObjectAtom.ofLog(now: now)))
    case OptionSpec.json.name: self = .json
    case Self.onelineOption.name: self = .pretty(.oneline, palette)
    case Self.dotOption.name: self = .dot
    case Self.svgOption.name: self = .svg
    default:
      self = .pretty(try options.choice(Self.prettyOption, as: Pretty.self) ?? .full, palette)
    }
  }

  /// Whether the form needs decoded nodes.
  var needsNode: Bool {
    switch self {
    case .format(let format): format.contains { $0.needsNode }
    case .json: false
    case .pretty, .dot, .svg: true
    }
  }

  /// Whether the form says what is thought of signatures.
  var needsVerdict: Bool {
    guard case .format(let format) = self else { return false }
    return format.contains { if case .verdict = $0 { true } else { false } }
  }

  /// Whether the form says on which side of a range a change is, whatever is asked for.
  var needsMark: Bool {
    guard case .format(let format) = self else { return false }
    return format.contains { if case .mark = $0 { true } else { false } }
  }

  /// Whether entries of several lines are separated by an empty line.
  var hasGaps: Bool {
    if case .pretty(let pretty, _) = self { pretty != .oneline } else { false }
  }
}
