// Messages about the points of a diff.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

extension DiffPoint {
  /// Says which instant was used, and by how many nodes the policies differ.
  func say(
    _ members: [Bool], _ history: [Bool], _ policy: PointPolicy, _ graph: Graph,
    _ context: inout Context
  ) {
    guard case .instant(let instant) = kind else { return }
    var parts = [
      "as of \(instant.text): \(members.count { $0 }) of \(history.count { $0 }) nodes, "
        + "policy \(policy.rawValue)"
    ]
    for other in PolicyDifference(members, policy, at: instant, graph).others {
      parts.append("\(other.policy.rawValue) has \(other.more) more and \(other.fewer) fewer")
    }
    context.note(parts.joined(separator: "; "))
  }
}
