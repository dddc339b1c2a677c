// The option of commands that read the index of the history.

package import RedoRepository

extension HistoryGraph {
  /// `--cache`, on unless it is switched off.
  package static let cache = OptionSpec(
    "cache", help: "use and keep the index of the history; the default")
}
