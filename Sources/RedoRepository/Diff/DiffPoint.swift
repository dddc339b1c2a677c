// One of the two points of a diff: an instant, a logical time, revisions, or the present.

package import RedoHistory
package import RedoObject

/// A point, before the history is read.
package struct DiffPoint {
  /// What a point is.
  package enum Kind {
    /// What the heads reach.
    case present
    /// A moment.
    case instant(WallTime)
    /// A logical time.
    case lamport(UInt64)
    /// What revisions resolve to, with all ancestors.
    case nodes([ObjectID])
  }

  /// What it is.
  package let kind: Kind
  private let text: String

  /// What the heads reach.
  package static let present = DiffPoint(kind: .present, text: "")

  private init(kind: Kind, text: String) {
    self.kind = kind
    self.text = text
  }

  /// Reads a point.
  ///
  /// - Throws: `DiffFault` when it is not a point, or resolves to nothing.
  package init(_ text: String, _ revisions: Revisions) throws {
    self.text = text
    if text.hasPrefix(Self.lamportPrefix) {
      let digits = text.dropFirst(Self.lamportPrefix.utf8.count)
      guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }),
        let number = UInt64(digits), let lamport = Lamport(number)
      else { throw DiffFault.noLogicalTime(text) }
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

  /// The heads that a snapshot was made of.
  private static func heads(
    ofSnapshot name: String, _ opened: Repository
  ) throws -> [ObjectID] {
    let shelf = try SnapshotShelf(opened)
    let found = try SnapshotShelf.named([name], among: try shelf.names())[0]
    guard let snapshot = shelf.snapshot(found), snapshot.check(withLines: false) else {
      throw DiffFault.unusableSnapshot(found)
    }
    return snapshot.heads
  }

  /// Whether a text may be an instant, before the store is looked for.
  package static func isInstant(_ text: String, now: Int64) -> Bool {
    Moment(text, .end, now: now) != nil
  }

  /// The nodes that it names.
  package var tips: [ObjectID] { if case .nodes(let tips) = kind { tips } else { [] } }

  /// For each position whether the node counts.
  ///
  /// - Parameters:
  ///   - graph: the history; it holds the tips.
  ///   - history: for each position whether the heads reach the node.
  ///   - policy: which nodes count at an instant.
  ///   - allowsEmpty: whether it is allowed that nothing counts.
  /// - Returns: the marks.
  /// - Throws: `DiffFault.nothingPrecedes` when nothing counts and that is not allowed.
  package func members(
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
      throw DiffFault.nothingPrecedes(text)
    }
    return members
  }
}
