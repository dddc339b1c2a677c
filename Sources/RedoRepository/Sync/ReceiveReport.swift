// What became of nodes that came.

package import RedoObject
package import RedoRemote
internal import RedoStore

/// A node that was taken into the history.
package struct ReceivedNode: Sendable {
  package let id: ObjectID
  package let task: TaskID?
  package let lamport: Lamport
  package let wall: WallTime

  package init(_ node: Node) {
    id = node.id
    task = node.taskID
    lamport = node.lamport
    wall = node.wall
  }
}

/// A node that waits in the quarantine, because a parent is not here.
package struct OrphanNode: Sendable {
  package let id: ObjectID
  /// The first of its parents that is not here, or waits itself.
  package let parent: ObjectID
}

/// What a receiver has done so far.
package struct ReceiveReport: Sendable {
  /// The nodes that are new in the history, in the order in which they came.
  package var new: [ReceivedNode] = []
  /// How many of them had waited in the quarantine.
  package var promoted = 0
  /// Nodes that were in the history before.
  package var known = 0
  /// Nodes whose signature was replaced by a better one.
  package var upgraded = 0
  /// Nodes whose bytes in the store were corrupt.
  package var healed = 0
  /// The heads that moved, each task once a receipt.
  package var heads: [MovedHeads] = []
  /// Nodes that wait from now on.
  package var orphans: [OrphanNode] = []
  /// Nodes that were not taken.
  package var refused: [RefusedNode] = []
  /// Whether the hook `pre-receive` has refused everything.
  var isDeclined = false
  /// Frames of packs that had been damaged on the way.
  var damagedFrames = 0

  /// Whether something that came is not in the history.
  package var hasRefused: Bool { !refused.isEmpty || !orphans.isEmpty }
}

extension RefusedNode {
  /// A node that is not taken because of a broken rule.
  ///
  /// - Parameters:
  ///   - id: the node.
  ///   - finding: the rule, and where it is broken.
  package init(_ id: ObjectID, _ finding: Finding) {
    self.init(id, rule: finding.rule.id, Self.cut(Diagnosis.text(finding)))
  }

  /// A node that is not taken, for a reason that is no rule of nodes.
  ///
  /// - Parameters:
  ///   - id: the node.
  ///   - rule: a word of lower-case letters, digits and hyphens.
  ///   - detail: what else is to be said; what is beyond the limit is left out.
  package init(_ id: ObjectID, rule: String, _ detail: String) {
    guard let row = RefusedNode(id: id, rule: rule, detail: Self.cut(detail)) else {
      preconditionFailure("BUG: a rule whose id is none")
    }
    self = row
  }

  /// A text of the length that a row may have.
  private static func cut(_ text: String) -> String {
    guard text.utf8.count > detailLimit else { return text }
    return String(text.unicodeScalars.prefix(detailLimit / 4))
  }

  /// The node waits for its parents.
  package init(_ orphan: OrphanNode) {
    self.init(
      orphan.id, rule: Rule.parentMissing.id,
      "missing parent \(orphan.parent.text) (Invalid parent reference); it is kept in quarantine")
  }
}
