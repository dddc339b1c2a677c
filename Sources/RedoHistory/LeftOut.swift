// Why nodes do not count at a point in time: by their own clocks, or because an ancestor does not
// count (protocol, section 5: a closed history).

internal import RedoObject

/// A node that does not count at a point in time, and why.
package struct LeftOut: Sendable {
  /// Why a node does not count.
  package enum Reason: String, CaseIterable, Sendable {
    /// Its own clock is after the point.
    case tooLate = "too-late"
    /// The store never accepted it, and counts by the time of that.
    case neverReceived = "never-received"
    /// It is not an ancestor of the node that is the point.
    case notAncestor = "not-ancestor"
    /// An ancestor is too late.
    case parentTooLate = "parent-too-late"
    /// An ancestor was never accepted.
    case parentNeverReceived = "parent-never-received"
  }

  /// The node.
  package let position: Int
  /// Why.
  package let reason: Reason
  /// The nearest ancestor that itself does not count, for a node that otherwise would; if several are equally near,
  /// the first in total order.
  package let ancestor: Int?
}

extension PointInTime {
  /// The nodes of a log that do not count, and why.
  ///
  /// - Parameters:
  ///   - log: the log.
  ///   - members: the result of `members(of:)` for it; the policy is not `wall`, which leaves out nothing
  ///     because of ancestors.
  /// - Returns: the nodes that do not count, in total order.
  /// - Complexity: O(*n*) in nodes and parents.
  package func leftOut<Log: HistoryLog>(of log: Log, members: [Bool]) -> [LeftOut] {
    precondition(members.count == log.count, "BUG: another log")
    var left: [LeftOut] = []
    // For a node that does not count, the nearest node that itself does not: the node or an ancestor.
    var nearest = [Int32](repeating: -1, count: log.count)
    var distances = [Int32](repeating: 0, count: log.count)
    for position in 0..<log.count where !members[position] {
      if let reason = fault(of: position, log) {
        nearest[position] = Int32(position)
        left.append(LeftOut(position: position, reason: reason, ancestor: nil))
        continue
      }
      var found: Int32 = -1
      var distance = Int32.max
      log.forEachParent(at: position) { parent in
        guard parent >= 0, !members[parent] else { return }
        let (other, steps) = (nearest[parent], distances[parent] + 1)
        if steps < distance || steps == distance && other < found {
          (found, distance) = (other, steps)
        }
      }
      guard found >= 0, let reason = fault(of: Int(found), log) else {
        preconditionFailure("BUG: a node is left out for no reason")
      }
      (nearest[position], distances[position]) = (found, distance)
      left.append(
        LeftOut(
          position: position,
          reason: reason == .neverReceived ? .parentNeverReceived : .parentTooLate,
          ancestor: Int(found)))
    }
    return left
  }

  /// Why a node itself does not count; `nil` when that is due to its ancestors.
  private func fault(of position: Int, _ log: some HistoryLog) -> LeftOut.Reason? {
    switch self {
    case .instant(let instant, .closed), .instant(let instant, .wall):
      return log.wall(at: position) > instant ? .tooLate : nil
    case .instant(let instant, .received):
      guard let received = log.received(at: position) else { return .neverReceived }
      return received > instant.milliseconds ? .tooLate : nil
    case .lamport(let limit): return log.lamport(at: position).value > limit ? .tooLate : nil
    case .node: return .notAncestor
    }
  }
}
