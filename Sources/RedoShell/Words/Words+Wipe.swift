// What is said of a wipe.

internal import RedoObject
package import RedoRepository

extension WipeFault: WordedFault {
  /// The end of the command.
  package var words: CommandError {
    switch self {
    case .brokenHistory(let id, let hole):
      .fatal(
        "the history is not whole: object '\(id.text)' is \(Self.words(hole))",
        hints: ["'redo import' of another copy of the log heals it; '--all' does not need it"])
    case .unreadableNotes(let ref): .fatal("'\(ref)' names no notes that this release reads")
    case .unfinished(let reason):
      .fatal(
        "the changes have left the history, but not everything is removed: \(reason)",
        hints: ["the same command again goes on"])
    }
  }

  private static func words(_ hole: Hole) -> String {
    switch hole {
    case .missing: "missing"
    case .blob: "a blob"
    case .damaged: "damaged"
    }
  }
}
