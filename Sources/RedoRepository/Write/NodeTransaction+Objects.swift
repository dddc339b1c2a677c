// Nodes that come as objects, out of packs or the quarantine, and not as texts: what is wrong with them is
// handed to the caller, who keeps some of them for later.

package import RedoHistory
package import RedoObject
package import RedoStore

extension NodeTransaction {
  /// A node that must not be taken.
  package struct RefusedObject {
    /// The node as it came.
    package let object: StoredObject
    /// Why.
    package let findings: [Finding]
  }

  /// Makes room for nodes.
  package mutating func expect(_ count: Int) {
    admission.reserve(count)
    stage?.expect(count)
  }

  /// Stages nodes that were judged by themselves.
  ///
  /// - Parameters:
  ///   - objects: the nodes; their ids were computed from their bodies.
  ///   - judged: what was found about each, with the options of this transaction.
  ///   - frames: the frames that some of them came in, by the place of their first node.
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
      warnings.note(row.findings, options.profile) { object.id.text }
      visit(node)
    }
    // What is refused leaves a gap: no frame is whole then, or stands where it stood.
    try stage(good, frames: refused.isEmpty ? frames : [:])
    return refused
  }

  /// Leaves out what cannot be taken for what it is to others, and all that descends from it.
  ///
  /// - Returns: what is wrong with nodes themselves, and those that descend from them; nothing of nodes that
  ///   only lie in the store.
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

  /// Leaves nodes out that nobody wants, and all that descends from them.
  ///
  /// - Parameter unwanted: nodes.
  /// - Returns: what is left out.
  /// - Throws: `StoreError` when the store cannot be read.
  package mutating func leave(unwanted: Set<ObjectID>) throws -> Set<ObjectID> {
    guard !unwanted.isEmpty else { return [] }
    let ids = unwanted.union(admission.descendants(of: unwanted).map(\.id))
    summary.new -= ids.count { admission.isRecorded($0) }
    try leaveOut(ids)
    return ids
  }

  /// Leaves everything out but some nodes and their ancestors.
  ///
  /// - Parameter wanted: the nodes.
  /// - Returns: what is left out.
  /// - Throws: `StoreError` when the store cannot be read.
  package mutating func keep(only wanted: Set<ObjectID>) throws -> Set<ObjectID> {
    try leave(unwanted: admission.others(than: wanted))
  }

  /// The heads that move when what is left enters the history.
  func movedHeads() throws -> [MovedHeads] { try lookUp.heads(with: admission) }

  /// The nodes that are left and were not in the history before.
  var newIDs: [ObjectID] { admission.ids.filter { admission.isRecorded($0) } }
}
