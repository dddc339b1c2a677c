// Messages about points that cannot be compared.

internal import RedoObject
package import RedoRepository

extension DiffFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .noLogicalTime(let text): .fatal("not a logical time from 1 to 2^48: '\(text)'")
    case .unusableSnapshot(let name):
      .fatal("snapshot '\(name.hex)' is damaged, or of another release")
    case .nothingPrecedes(let text):
      .fatal(
        "no node precedes '\(text)'", hints: ["'--allow-empty' takes it for an empty state"])
    case .unusedTask(let task):
      .fatal("no change at either point is about task '\(task.text)'")
    }
  }
}
