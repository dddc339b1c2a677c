// The option of commands that read the index of the history.

internal import RedoRepository
internal import RedoShell

extension HistoryGraph {
  static let cache = OptionSpec(
    "cache", help: "use and keep the index of the history; the default")
}
