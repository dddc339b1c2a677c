// What a remote has and does not offer, because it is not what it should be (redo-wire(5), frames of type 9).

internal import RedoObject
internal import RedoRemote

extension SyncReport {
  /// How many nodes are named before the rest is only counted.
  private static let unfitLimit = 100

  /// Adds nodes that a remote has and does not offer.
  ///
  /// - Parameter rows: what it told of them.
  /// - Returns: those that were not told before.
  mutating func add(unfit rows: [RefusedNode]) -> [RefusedNode] {
    var new: [RefusedNode] = []
    // Of an earlier attempt, or the other half of a synchronisation.
    let known = Set(
      refused.lazy.filter { !$0.isHere && $0.isReceived }.map { "\($0.id.text) \($0.rule)" })
    for row in rows where !known.contains("\(row.id.text) \(row.rule)") {
      var refused = Refused(id: row.id, rule: row.rule, detail: row.detail, isHere: false)
      refused.isReceived = true
      self.refused.append(refused)
      new.append(row)
    }
    return new
  }

  /// Says what is wrong with nodes that a remote does not offer.
  ///
  /// - Parameters:
  ///   - rows: what it told of them.
  ///   - remote: its title.
  ///   - context: where.
  static func say(unfit rows: [RefusedNode], of remote: String, _ context: inout Context) {
    for row in rows.prefix(unfitLimit) {
      if row.rule == Rule.parentMissing.id {
        // The line of requirement K19.
        context.error("ValidationError: \(row.detail) in \(row.id.text)")
      } else {
        let detail = row.detail.isEmpty ? row.rule : row.detail
        context.error("'\(remote)', '\(row.id.text)': \(detail)")
      }
    }
    guard !rows.isEmpty else { return }
    let count = Set(rows.map(\.id)).count
    context.hint(
      "\(count) document\(count == 1 ? "" : "s") of '\(remote)' cannot be taken; "
        + "'redo quarantine list' shows what is kept of \(count == 1 ? "it" : "them")")
  }
}
