// Nodes that arrive as objects, from packs or the quarantine, and not as texts: faults are returned to the caller, who
// keeps some of the nodes for later.

package import RedoHistory
package import RedoObject
package import RedoStore

extension NodeTransaction {
  /// A node that must not be taken.
  package struct RefusedObject {
    /// The node as it arrived.
    package let object: StoredObject
    /// The reasons.
    package let findings: [Finding]
  }

  /// Reserves room for nodes.
  package mutating func expect(_ count: Int) {
    admission.reserve(count)
    stage?.expect(count)
  }

  /// Stages nodes that were judged by themselves.
  ///
  /// - Parameters:
  ///   - objects: the nodes; their ids were computed from their bodies.
  ///   - judged: what was found about each, with the options of this transaction.
  ///   - frames: the frames that some of them came in, by the index of their first node.
  ///   - visit: receives those that are good by themselves.
  /// - Returns: what is refused.
  /// - Throws: `StoreError` when the store cannot be read or written.
  package mutating func take(
    _ objects: [StoredObject], _ judged: consuming [Judged], frames: [Int: WholeFrame] = [:],
    _ visit: (Node) -> Void
  ) throws -> [RefusedObject] {
    try intake.settle(&judged)
    var good: [(record: Int, node: Node)] = []
    var refused: [RefusedObject] = []
    for (object, row) in zip(objects, judged) {
      guard !row.isRefused, let node = row.node else {
        refused.append(RefusedObject(object: object, findings: row.errors(options.profile)))
        continue
      }
      good.append((0, node))
      gate?.note(row)
      warnings.note(row.findings, options.profile) { object.id.text }
      visit(node)
    }
    // A refused node leaves a gap: then no frame is complete, or in its former place.
    try stage(good, frames: refused.isEmpty ? frames : [:])
    return refused
  }

  /// Leaves out nodes that their relation to others forbids, and all their descendants.
  ///
  /// - Returns: what is wrong with the nodes, and their descendants; nothing about nodes that were already in the
  ///   store.
  /// - Throws: `StoreError` when the store cannot be read.
  package mutating func settle() throws -> (
    wrong: [Admission.Problem], below: [Admission.Problem]
  ) {
    let wrong = try parentErrors()
    guard !wrong.isEmpty else { return ([], []) }
    var ids = Set(wrong.map(\.id))
    let below = admission.descendants(of: ids)
    ids.formUnion(below.map(\.id))
    summary.new -= ids.count { admission.isRecorded($0) }
    try leaveOut(ids)
    return (wrong.filter { $0.record != nil }, below.filter { $0.record != nil })
  }

  /// Leaves out unwanted nodes, and all their descendants.
  ///
  /// - Parameter unwanted: the nodes.
  /// - Returns: the nodes that are left out.
  /// - Throws: `StoreError` when the store cannot be read.
  package mutating func leave(unwanted: Set<ObjectID>) throws -> Set<ObjectID> {
    guard !unwanted.isEmpty else { return [] }
    let ids = unwanted.union(admission.descendants(of: unwanted).map(\.id))
    summary.new -= ids.count { admission.isRecorded($0) }
    try leaveOut(ids)
    return ids
  }

  /// Leaves out everything except some nodes and their ancestors.
  ///
  /// - Parameter wanted: the nodes.
  /// - Returns: the nodes that are left out.
  /// - Throws: `StoreError` when the store cannot be read.
  package mutating func keep(only wanted: Set<ObjectID>) throws -> Set<ObjectID> {
    try leave(unwanted: admission.others(than: wanted))
  }

  /// The heads that move when the remaining nodes enter the history.
  func movedHeads() throws -> [MovedHeads] { try lookUp.heads(with: admission) }

  /// The remaining nodes that were not in the history before.
  var newIDs: [ObjectID] { admission.ids.filter { admission.isRecorded($0) } }
}
