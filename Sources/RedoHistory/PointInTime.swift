// Points in time (protocol, section 5): which nodes of a log count at an instant, at a logical time, or
// as of a node.

package import RedoObject

/// By which clock, and how, nodes count at an instant.
package enum PointPolicy: String, CaseIterable, Sendable {
  /// By wall time; a node counts only if all its parents count.
  case closed
  /// By wall time alone.
  case wall
  /// By the time the store first accepted the node; closed too.
  case received
}

/// A point of a history.
package enum PointInTime: Sendable {
  /// Up to an instant, itself included.
  case instant(WallTime, PointPolicy)
  /// Up to a logical time, itself included; a node counts only if all its parents count.
  case lamport(UInt64)
  /// A node, by its position, and its ancestors.
  case node(Int)

  /// For each position of a log whether the node counts.
  ///
  /// Parents that are not in the log do not count against a node.
  ///
  /// - Complexity: O(*n*) in nodes and parents.
  package func members(of log: some HistoryLog) -> [Bool] {
    switch self {
    case .instant(let instant, .closed):
      Self.closed(log) { log.wall(at: $0) <= instant }
    case .instant(let instant, .wall):
      (0..<log.count).map { log.wall(at: $0) <= instant }
    case .instant(let instant, .received):
      Self.closed(log) { log.received(at: $0).map { $0 <= instant.milliseconds } ?? false }
    case .lamport(let limit):
      Self.closed(log) { log.lamport(at: $0).value <= limit }
    case .node(let position):
      Self.ancestors(of: position, log)
    }
  }

  private static func closed<Log: HistoryLog>(_ log: Log, _ counts: (Int) -> Bool) -> [Bool] {
    var members = [Bool](repeating: false, count: log.count)
    for position in 0..<log.count where counts(position) {
      var isClosed = true
      log.forEachParent(at: position) { if $0 >= 0, !members[$0] { isClosed = false } }
      members[position] = isClosed
    }
    return members
  }

  private static func ancestors(of position: Int, _ log: some HistoryLog) -> [Bool] {
    var members = [Bool](repeating: false, count: log.count)
    members[position] = true
    for place in stride(from: position, through: 0, by: -1) where members[place] {
      log.forEachParent(at: place) { if $0 >= 0 { members[$0] = true } }
    }
    return members
  }
}

/// By how many nodes the policies differ at one instant.
package struct PolicyDifference: Sendable {
  /// A policy that was not asked for.
  package struct Other: Sendable {
    /// The policy.
    package let policy: PointPolicy
    /// The nodes that count under it only.
    package let more: Int
    /// The nodes that count under the policy asked for only.
    package let fewer: Int
  }

  /// The other policies.
  package let others: [Other]

  /// Compares a set with those of the other policies.
  ///
  /// - Parameters:
  ///   - members: the nodes that count under the policy asked for.
  ///   - policy: that policy.
  ///   - instant: the instant.
  ///   - log: the log.
  ///   - history: for each position whether it counts at all; `nil` when all do.
  package init(
    _ members: [Bool], _ policy: PointPolicy, at instant: WallTime, _ log: some HistoryLog,
    within history: [Bool]? = nil
  ) {
    others = PointPolicy.allCases.filter { $0 != policy }.map { policy in
      var more = 0
      var fewer = 0
      let others = PointInTime.instant(instant, policy).members(of: log)
      for position in members.indices where history?[position] ?? true {
        guard members[position] != others[position] else { continue }
        if others[position] { more += 1 } else { fewer += 1 }
      }
      return Other(policy: policy, more: more, fewer: fewer)
    }
  }
}
