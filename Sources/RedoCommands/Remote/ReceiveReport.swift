// What became of nodes that came.

package import RedoObject
package import RedoRemote
internal import RedoStore

/// A node that was taken into the history.
struct ReceivedNode: Sendable {
  let id: ObjectID
  let task: TaskID?
  let lamport: Lamport
  let wall: WallTime

  init(_ node: Node) {
    id = node.id
    task = node.taskID
    lamport = node.lamport
    wall = node.wall
  }
}

/// A node that waits in the quarantine, because a parent is not here.
struct OrphanNode: Sendable {
  let id: ObjectID
  /// The first of its parents that is not here, or waits itself.
  let parent: ObjectID

  /// What is said of it (requirement K19).
  var message: String {
    "ValidationError: missing parent \(parent.text) (Invalid parent reference) in \(id.text)"
  }
}

/// What a receiver has done so far.
struct ReceiveReport: Sendable {
  /// The nodes that are new in the history, in the order in which they came.
  var new: [ReceivedNode] = []
  /// How many of them had waited in the quarantine.
  var promoted = 0
  /// Nodes that were in the history before.
  var known = 0
  /// Nodes whose signature was replaced by a better one.
  var upgraded = 0
  /// Nodes whose bytes in the store were corrupt.
  var healed = 0
  /// The heads that moved, each task once a receipt.
  var heads: [MovedHeads] = []
  /// Nodes that wait from now on.
  var orphans: [OrphanNode] = []
  /// Nodes that were not taken.
  var refused: [RefusedNode] = []
  /// Whether the hook `pre-receive` has refused everything.
  var isDeclined = false
  /// Frames of packs that had been damaged on the way.
  var damagedFrames = 0

  /// Whether something that came is not in the history.
  var hasRefused: Bool { !refused.isEmpty || !orphans.isEmpty }
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
  init(_ orphan: OrphanNode) {
    self.init(
      orphan.id, rule: Rule.parentMissing.id,
      "missing parent \(orphan.parent.text) (Invalid parent reference); it is kept in quarantine")
  }
}
