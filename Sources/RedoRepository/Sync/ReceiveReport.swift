// The results for nodes that arrived.

package import RedoHistory
package import RedoObject
package import RedoRemote
internal import RedoStore

/// An object that was taken into the history.
package struct ReceivedNode: Sendable {
  package let id: ObjectID
  /// Its task or chain.
  package let group: HistoryPlace.Group?
  package let lamport: Lamport
  package let wall: WallTime

  package init(_ node: Node) {
    id = node.id
    group = node.taskID.map { .task($0) }
    lamport = node.lamport
    wall = node.wall
  }

  package init(_ object: GroupedObject) {
    id = object.id
    let place = object.place
    group = place.group
    lamport = place.lamport
    wall = place.wall
  }
}

/// A node that came and is good by itself.
package struct CameNode: Sendable {
  package let id: ObjectID
  package let lamport: Lamport
  package let parents: [ObjectID]
}

/// A node that waits in the quarantine, because a parent is not here.
package struct OrphanNode: Hashable, Sendable {
  package let id: ObjectID
  /// The first of its parents that is missing, refused, or is itself waiting.
  package let parent: ObjectID
  /// Whether that parent came and was refused, rather than being nowhere.
  package let isRefused: Bool

  package init(id: ObjectID, parent: ObjectID, isRefused: Bool = false) {
    self.id = id
    self.parent = parent
    self.isRefused = isRefused
  }

  /// The rule that keeps it out.
  var rule: Rule { isRefused ? .parentRefused : .parentMissing }

  /// Which parent is meant, as rows of refused nodes have it.
  var detail: String { "\(isRefused ? "refused" : "missing") parent \(parent.text)" }
}

/// The results of a receiver so far.
package struct ReceiveReport: Sendable {
  /// The nodes that are new in the history, in the order in which they arrived.
  package var new: [ReceivedNode] = []
  /// How many of them had waited in the quarantine.
  package var promoted = 0
  /// How many nodes were in the history before.
  package var known = 0
  /// How many nodes had their signature replaced by a better one.
  package var upgraded = 0
  /// How many nodes had corrupt bytes in the store.
  package var healed = 0
  /// The heads that moved, one entry for each task and receipt.
  package var heads: [MovedHeads] = []
  /// The nodes that wait from now on.
  package var orphans: [OrphanNode] = []
  /// The nodes that came, and wait because of the trust file.
  package var held: [UntrustedObject] = []
  /// The nodes that waited for that reason before, and do so still.
  package var heldStill: [UntrustedObject] = []
  /// The nodes that were not taken.
  package var refused: [RefusedNode] = []
  /// The nodes that came and are good by themselves, if that is of interest; whether they were here is not.
  var came: [CameNode] = []
  /// The nodes that came, are good by themselves, and are kept out by the trust file, if that is of interest, each with the rule;
  /// whether they were here is not.
  var untrusted: [ObjectID: Rule] = [:]
  /// The hook that refused everything, if one did.
  var decliner: String?
  /// The number of frames that were damaged on the way.
  var damagedFrames = 0

  /// Whether something that arrived is not in the history.
  package var hasRefused: Bool { !refused.isEmpty || !orphans.isEmpty || !held.isEmpty }
}

extension RefusedNode {
  /// What the details of a node begin with that an ancestor holds back; the id of that one follows.
  private static let followsPrefix = "it follows "

  /// A node that is not exchanged because of an ancestor.
  ///
  /// - Parameters:
  ///   - id: the node.
  ///   - rule: the rule that the ancestor breaks.
  ///   - ancestor: the ancestor.
  package init(_ id: ObjectID, rule: String, following ancestor: ObjectID) {
    self.init(id, rule: rule, Self.followsPrefix + ancestor.text)
  }

  /// The ancestor that holds it back; `nil` when it breaks the rule itself.
  var ancestor: ObjectID? {
    guard detail.hasPrefix(Self.followsPrefix) else { return nil }
    return ObjectID(text: detail.dropFirst(Self.followsPrefix.utf8.count))
  }

  /// The word used in place of a rule for a node that is held back, because its client may not see all its ancestors.
  package static let ancestorUnseen = "ancestor-unseen"

  /// A node that is not taken because of a broken rule.
  ///
  /// - Parameters:
  ///   - id: the node.
  ///   - finding: the rule, and where it is broken.
  package init(_ id: ObjectID, _ finding: Finding) {
    self.init(id, rule: finding.rule.id, Self.cut(Diagnosis.text(finding)))
  }

  /// A node that is not taken for a reason that is not a rule of nodes.
  ///
  /// - Parameters:
  ///   - id: the node.
  ///   - rule: a word of lower-case letters, digits and hyphens.
  ///   - detail: further details; text beyond the limit is cut off.
  package init(_ id: ObjectID, rule: String, _ detail: String) {
    guard let row = RefusedNode(id: id, rule: rule, detail: Self.cut(detail)) else {
      preconditionFailure("BUG: a rule whose id is none")
    }
    self = row
  }

  /// A node that a hook does not let in.
  init(declined id: ObjectID, by hook: String) {
    self.init(id, rule: "declined", "by the hook '\(hook)'")
  }

  /// A node that is not taken because the trust file keeps it out.
  ///
  /// - Parameters:
  ///   - row: the node.
  ///   - fate: what becomes of it, if it is not kept.
  package init(_ row: UntrustedObject, _ fate: String = "it is kept in quarantine") {
    self.init(
      row.id, rule: row.answer.standing.rule?.id ?? Rule.keyUntrusted.id, "\(row.detail); \(fate)")
  }

  /// A text of the length that a row may have.
  private static func cut(_ text: String) -> String {
    guard text.utf8.count > detailLimit else { return text }
    return String(text.unicodeScalars.prefix(detailLimit / 4))
  }

  /// A node that is not taken because it waits for its parents.
  package init(_ orphan: OrphanNode) {
    self.init(
      orphan.id, rule: orphan.rule.id,
      "\(orphan.detail) (Invalid parent reference); it is kept in quarantine")
  }
}

extension UntrustedObject {
  /// Whose signature it is about, as rows of refused nodes have it.
  package var detail: String {
    ancestor.map { "it follows \($0.text)" } ?? "signed by \(answer.signer.text)"
  }
}
