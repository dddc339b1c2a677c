// The nodes that a remote has but does not offer, because they are not valid (redo-wire(5), frames of type 9).

internal import RedoObject
package import RedoRemote

extension SyncReport {
  /// Adds nodes that a remote has but does not offer.
  ///
  /// - Parameter rows: what it reported about them.
  /// - Returns: those that were not reported before.
  package mutating func add(unfit rows: [RefusedNode]) -> [RefusedNode] {
    var new: [RefusedNode] = []
    // From an earlier attempt, or the other half of a synchronisation.
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
