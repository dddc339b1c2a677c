// Messages about histories and of points in them.

internal import RedoHistory
internal import RedoObject
package import RedoRepository
internal import RedoStore

extension HistoryFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .missing(let id):
      .fatal(
        "object '\(id.text)' is missing",
        hints: [StoreError.repairHint(from: nil)], code: CommandError.unreadableCode)
    case .kind(let id, let kind, let wanted):
      .fatal("object '\(id.text)' is a \(kind.name), not a \(wanted.name)")
    case .invalid(let id, let kind, let finding):
      .fatal(
        "object '\(id.text)' is no valid \(kind.name)"
          + (finding.map { ": \(Diagnosis.text($0))" } ?? ""))
    case .falseIndex:
      .fatal(
        "the index of the history says what no nodes say",
        hints: ["delete 'cache' in the store: it is made again; 'redo verify' tells more"])
    }
  }
}

extension PointFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .malformed(let text):
      .fatal(
        "not a point in time: '\(text)'",
        hints: [Moment.forms, "or 'sha256:<id>', or 'lamport:<n>'"]
      )
    case .lamport(let text): .fatal("not a logical time from 1 to 2^48: '\(text)'")
    case .abbreviated(let text): .fatal("not a whole id: '\(text)'")
    case .outside(let text): .fatal("node '\(text)' is not in the history")
    case .empty(let text, let empty):
      .fatal(
        "no node precedes '\(text)'",
        hints: empty.map { ["'--allow-empty' takes it for an empty \($0.rawValue)"] } ?? [])
    }
  }
}

extension Moment {
  /// The forms, for hints.
  package static let forms =
    "an instant is written '2024-05-01T10:00:00.000Z', '2024-05-01', 'yesterday', '2 weeks ago', "
    + "'now', 'now-7d' or '@<seconds>'"
}

extension UsedPoint {
  /// Which point was used, and by how many nodes the policies differ.
  var words: String {
    let nodes = "\(counted) of \(total) nodes"
    guard let policy else { return "as of \(text): \(nodes)" }
    let others = differences.map {
      "\($0.policy.rawValue) has \($0.more) more and \($0.fewer) fewer"
    }
    let parts = ["policy \(policy.rawValue)"] + others
    return "as of \(text): \(nodes), \(parts.joined(separator: "; "))"
  }
}
