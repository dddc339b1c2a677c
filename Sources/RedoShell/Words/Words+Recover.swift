// Messages about recoveries.

internal import RedoObject
package import RedoRepository
internal import RedoStore

extension RecoverFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .brokenNode(let id, let finding):
      .fatal(
        Diagnosis.text(finding, of: id.text),
        hints: ["a point before this node can be recovered; 'redo verify' shows what is wrong"])
    case .invalidNode(let id): .fatal("object '\(id.text)' is no valid node")
    case .badSignature(let id, let finding): .fatal(Diagnosis.text(finding, of: id.text))
    case .heldByTask(let id):
      .fatal(
        "'\(id.text)' is about another task, and follows what would be taken out",
        hints: ["without '--task' all tasks go back together"])
    case .movedMeanwhile:
      CommandError(
        .temporary, "heads have moved meanwhile",
        hints: ["nothing was changed; the same command looks at them anew"])
    case .noChange(let task): .fatal("no change is about task '\(task.text)'")
    case .unplaced(let kind):
      .fatal(
        "\(kind)s have no place at a logical time, and do not come back by new changes",
        hints: ["a time or a \(kind) is a point for them"])
    case .nothingOfKind(let kind, let point):
      .fatal(
        "no \(kind) precedes '\(point)'",
        hints: ["'--allow-empty' takes it for an empty history"])
    case .invalidName(let name):
      .fatal(
        "invalid name of a recovered history: '\(name)'",
        hints: ["it is one component of the names of its refs, without slashes"])
    case .refsExist(let prefix):
      CommandError(
        .refused, "'\(prefix)' exists already", hints: ["'--force' replaces what it stands for"])
    case .insideStore(let path):
      .fatal("'\(path)' is a part of a store, where no other one can be made")
    case .notEmpty(let path):
      .fatal("'\(path)' is not empty", hints: ["a store is recovered into a directory of its own"])
    case .taken(let path): .fatal("'\(path)' is not empty: somebody else made a store in it")
    case .notSynced(let path, let error):
      .fatal(
        "the store in '\(path)' is whole, but may not survive a power cut: \(error.description)")
    case .unusable(let path, let error): .fatal(error, path)
    }
  }
}

extension TakenOut {
  /// What is said of the nodes that are out of the history: which remotes will bring them back.
  package var words: [String] {
    holders.map { holder in
      "'\(holder.remote.text)' has \(holder.count) of them: the next 'fetch' or 'sync' brings them back"
    }
  }
}
