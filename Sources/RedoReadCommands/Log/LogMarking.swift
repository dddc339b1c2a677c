// Which changes of a log are marked with their side of a range.

internal import RedoRepository
internal import RedoShell

/// The marks of a log, as git has them.
struct LogMarking {
  private let marksSides: Bool
  private let marksBoundary: Bool

  /// Reads the options.
  init(_ options: ParsedOptions) {
    marksSides = options.has(LogChoice.leftRight)
    marksBoundary = options.has(LogChoice.boundary)
  }

  /// Whether any change may be marked.
  var isOn: Bool { marksSides || marksBoundary }

  /// The mark of a change on a side; `nil` for none.
  func mark(of side: LogSide) -> Unicode.Scalar? {
    if case .boundary = side { return marksBoundary ? side.mark : nil }
    return marksSides ? side.mark : nil
  }
}
