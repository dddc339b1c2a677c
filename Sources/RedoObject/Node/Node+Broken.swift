// A stored node that a store should not have accepted, because it was written under other rules or by
// other code. It still has a place in its history: it is left out with its descendants.

internal import CanonicalJSON

/// A stored node that breaks a rule: what a history needs of it to leave it out.
package struct BrokenNode: Sendable {
  /// The hash of its body.
  package let id: ObjectID
  /// Its parents.
  package let parents: [ObjectID]
  /// Its logical time.
  package let lamport: Lamport
  /// The time its author's clock showed.
  package let wall: WallTime
  /// What it does, if replay knows it.
  package let action: Action?
  /// The task it changes.
  package let taskID: TaskID?
}

extension BrokenNode {
  /// A node that other rules than those of its form leave out.
  package init(_ node: Node) {
    self.init(
      id: node.id, parents: node.parents, lamport: node.lamport, wall: node.wall,
      action: node.action, taskID: node.taskID)
  }
}

extension NodeDecoder {
  /// Reads what a history needs of a node that a store keeps and that `decode` refuses.
  ///
  /// - Parameter object: an object of kind node.
  /// - Returns: `nil` when it has no place in a history: not even parents and clocks can be read.
  package mutating func decodeBroken(_ object: StoredObject) -> BrokenNode? {
    guard object.kind == .node else { return nil }
    return decodeBroken(object.canonical.span, id: object.id)
  }

  /// Reads what a history needs of a node that was refused on its way in.
  ///
  /// - Parameters:
  ///   - text: the node in its original form.
  ///   - id: the id that it states.
  /// - Returns: `nil` when it has no place in a history.
  package mutating func decodeBroken(_ text: Span<UInt8>, id: ObjectID) -> BrokenNode? {
    let kept = judge.findings
    defer { judge.findings = kept }
    judge.findings = []
    var bytes: [UInt8] = []
    do throws(JSONError) {
      try scanner.scan(text)
      scanner.appendCanonical(text, to: &bytes)
      try scanner.scan(bytes.span)
    } catch {
      return nil
    }
    return judge.broken(scanner, bytes.span, id: id)
  }
}

extension NodeJudge {
  /// What a history needs of a node that is refused.
  fileprivate mutating func broken(
    _ scanner: borrowing Scanner, _ text: Span<UInt8>, id: ObjectID
  ) -> BrokenNode? {
    let root = scanner.root(of: text)
    guard root.isObject else { return nil }
    var draft = Draft()
    judgeMembers(topLevel(root), &draft)
    let lost: [Rule] = [.parentsForm, .parentsLimit]
    guard let lamport = draft.lamport, let wall = draft.wall,
      !findings.contains(where: { lost.contains($0.rule) || $0.isOfMember("/parents") })
    else { return nil }
    return BrokenNode(
      id: id, parents: draft.parents, lamport: lamport, wall: wall, action: draft.action,
      taskID: draft.taskID)
  }
}

extension Finding {
  /// Whether a finding concerns the absence or type of a whole member.
  fileprivate func isOfMember(_ pointer: String) -> Bool {
    guard case .pointer(let own) = place else { return false }
    return own == pointer && rule != .mergeParents
  }
}
