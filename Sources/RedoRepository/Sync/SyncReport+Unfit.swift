// What a remote has and does not offer, because it is not what it should be (redo-wire(5), frames of type 9).

internal import RedoObject
package import RedoRemote

extension SyncReport {
  /// Adds nodes that a remote has and does not offer.
  ///
  /// - Parameter rows: what it told of them.
  /// - Returns: those that were not told before.
  package mutating func add(unfit rows: [RefusedNode]) -> [RefusedNode] {
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
}
