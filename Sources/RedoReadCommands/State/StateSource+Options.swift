// The options that say which nodes are replayed.

internal import RedoHistory
internal import RedoRepository
internal import RedoShell

extension StateSource.Request {
  /// Reads the options.
  init(_ options: ParsedOptions) {
    self.init()
    revisions = options.arguments
    tasks = options.values(.task)
    usesCache = options.flag(HistoryGraph.cache) ?? true
    countsTips = options.has(State.trace)
  }
}
