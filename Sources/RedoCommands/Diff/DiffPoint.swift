// One of the two points of a diff: an instant, a logical time, revisions, or the present.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// A point, before the history is read.
struct DiffPoint {
  enum Kind {
    case present
    case instant(WallTime)
    case lamport(UInt64)
    /// What revisions stand for, and all ancestors.
    case nodes([ObjectID])
  }

  let kind: Kind
  private let text: String

  /// What the heads reach.
  static let present = DiffPoint(kind: .present, text: "")

  private init(kind: Kind, text: String) {
    self.kind = kind
    self.text = text
  }

  /// Reads a point.
  ///
  /// - Throws: `fatal` when it is none, or stands for nothing.
  init(_ text: String, _ revisions: Revisions) throws {
    self.text = text
    if text.hasPrefix(Self.lamportPrefix) {
      let digits = text.dropFirst(Self.lamportPrefix.utf8.count)
      guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }),
        let number = UInt64(digits), let lamport = Lamport(number)
      else { throw CommandError.fatal("not a logical time from 1 to 2^48: '\(text)'") }
      kind = .lamport(lamport.value)
    } else if text.hasPrefix(Self.snapshotPrefix) {
      kind = .nodes(
        try Self.heads(
          ofSnapshot: String(text.dropFirst(Self.snapshotPrefix.utf8.count)), revisions.opened))
    } else if let moment = Moment(text, .end, now: revisions.now) {
      kind = .instant(WallTime(milliseconds: moment.milliseconds))
    } else {
      kind = .nodes(try revisions.all(text))
    }
  }

  private static let lamportPrefix = "lamport:"
  private static let snapshotPrefix = "snapshot:"

  /// What a snapshot was made of.
  private static func heads(
    ofSnapshot name: String, _ opened: Repository
  ) throws -> [ObjectID] {
    let shelf = try SnapshotShelf(opened)
    let found = try SnapshotWords.named([name], among: try shelf.names())[0]
    guard let snapshot = shelf.snapshot(found), snapshot.check(withLines: false) else {
      throw CommandError.fatal("snapshot '\(found.hex)' is damaged, or of another release")
    }
    return snapshot.heads
  }

  /// Whether a text may be an instant, before the store is looked for.
  static func isInstant(_ text: String, now: Int64) -> Bool {
    Moment(text, .end, now: now) != nil
  }

  /// The nodes that it names.
  var tips: [ObjectID] { if case .nodes(let tips) = kind { tips } else { [] } }

  /// For each position whether the node counts.
  ///
  /// - Parameters:
  ///   - graph: the history; it holds the tips.
  ///   - history: for each position whether the heads reach the node.
  ///   - policy: which nodes count at an instant.
  ///   - allowsEmpty: whether it is no mistake that nothing counts.
  /// - Returns: the marks.
  /// - Throws: `fatal` when nothing counts and that is not allowed.
  func members(
    of graph: Graph, _ history: [Bool], _ policy: PointPolicy, allowsEmpty: Bool
  ) throws -> [Bool] {
    let point: PointInTime
    switch kind {
    case .present: return history
    case .nodes(let tips): return graph.reachable(from: tips.compactMap { graph.position(of: $0) })
    case .instant(let instant): point = .instant(instant, policy)
    case .lamport(let limit): point = .lamport(limit)
    }
    let members = zip(point.members(of: graph), history).map { $0 && $1 }
    guard allowsEmpty || members.contains(true) else {
      throw CommandError.fatal(
        "no node precedes '\(text)'", hints: ["'--allow-empty' takes it for an empty state"])
    }
    return members
  }

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
