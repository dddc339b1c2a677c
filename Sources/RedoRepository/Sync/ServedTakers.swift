// What takes the packs of a client that may not push, or that sees only a part of the store.

internal import RedoObject
package import RedoRemote
internal import RedoStore

/// Refuses everything that is sent to a read-only side.
///
/// A class, as `PackTaker` requires.
package final class NothingTaken: PackTaker {
  /// Creates a taker that refuses everything.
  package init() {}

  package func take(_ piece: PackPiece) throws(RemoteError) {
    throw .refused(PeerFault(.denied, "nothing may be pushed here"))
  }

  package func finish() throws(RemoteError) -> Admitted { Admitted(taken: 0, refused: []) }
}

/// Takes what an account sends that sees only a part of the store.
///
/// What is said about a node depends on that part alone: one that is here unseen is as good as new, and a parent that
/// is here unseen is missing.
///
/// A class, as `PackTaker` requires.
final class ListedTaker: PackTaker {
  private let receiver: Receiver
  private let source: HistorySource
  /// The nodes that were accepted in this exchange.
  private var accepted: Set<ObjectID> = []

  init(_ receiver: Receiver, _ source: HistorySource) {
    self.receiver = receiver
    self.source = source
  }

  func take(_ piece: PackPiece) throws(RemoteError) { try receiver.take(piece) }

  func finish() throws(RemoteError) -> Admitted {
    let before = receiver.report
    _ = try receiver.finish()
    let report = receiver.report
    let came = report.came.dropFirst(before.came.count).sorted(on: \.lamport.value)
    let good = Set(came.map(\.id))
    var rows: [ObjectID: RefusedNode] = [:]
    var refused: [RefusedNode] = []
    for row in report.refused.dropFirst(before.refused.count) {
      // A node that breaks a rule by itself does so whatever else is here.
      if good.contains(row.id) { rows[row.id] = row } else { refused.append(row) }
    }
    var taken: UInt64 = 0
    for node in came where !isSeen(node.id) {
      if let hook = report.decliner {
        refused.append(RefusedNode(declined: node.id, by: hook))
      } else if let parent = node.parents.first(where: { !isSeen($0) }) {
        refused.append(
          RefusedNode(
            node.id, rule: Rule.parentMissing.id,
            "missing parent \(parent.text) (Invalid parent reference)"))
      } else if let rule = report.untrusted[node.id] {
        refused.append(RefusedNode(node.id, rule: rule.id, "it is kept in quarantine"))
      } else if let row = rows[node.id] {
        refused.append(row)
      } else {
        accepted.insert(node.id)
        taken += 1
      }
    }
    return Admitted(taken: taken, refused: refused)
  }

  private func isSeen(_ id: ObjectID) -> Bool { accepted.contains(id) || source.isSeen(id) }
}
