// What is refused and what has to wait when objects are taken in, of whatever kind.

internal import RedoObject
internal import RedoRemote
internal import RedoStore

/// The rows of what was not taken in.
enum AdmissionRows {
  /// The word used in place of a rule for an object that nobody asked for.
  private static let notAskedFor = "not-asked-for"
  /// The number of objects that are named before the rest is only counted.
  private static let reportLimit = 100

  /// An object that is not taken.
  struct Refused {
    let node: RefusedNode
    /// The rules that it breaks; none where that is not the reason.
    let findings: [Finding]
    /// The parents of one that is invalid by itself.
    let parents: [ObjectID]

    init(_ node: RefusedNode, _ findings: [Finding] = [], parents: [ObjectID] = []) {
      self.node = node
      self.findings = findings
      self.parents = parents
    }

    /// An object that nobody asked for.
    init(unasked id: ObjectID) {
      self.init(
        RefusedNode(id, rule: notAskedFor, "nobody asked for it, or for what it stands on"))
    }
  }

  /// Reports what is refused and what waits.
  ///
  /// - Parameters:
  ///   - refused: what is refused.
  ///   - orphans: what waits.
  ///   - peer: the other side in messages; empty when there is none.
  ///   - effects: receives the events.
  ///   - isHere: whether an object is here.
  static func tell(
    _ refused: [Refused], _ orphans: [OrphanNode], peer: String, _ effects: Effects,
    isHere: (ObjectID) -> Bool
  ) {
    for row in refused.prefix(reportLimit) {
      if row.findings.isEmpty, row.node.rule == notAskedFor {
        effects.report(.sync(.nodeUnasked(row.node, peer: peer)))
      }
      guard !row.findings.isEmpty else { continue }
      effects.report(.sync(.nodeRefused(row.node.id, row.findings, peer: peer)))
      // A node that is invalid and also lacks a parent is reported for both (requirement K20).
      for parent in row.parents where !isHere(parent) {
        effects.report(.sync(.parentMissing(OrphanNode(id: row.node.id, parent: parent))))
      }
    }
    if refused.count > reportLimit {
      effects.report(.sync(.refusedInAll(count: refused.count)))
    }
    let own = Set(orphans.map(\.id))
    let first = orphans.filter { !own.contains($0.parent) }
    for orphan in first.prefix(reportLimit) {
      effects.report(.sync(.parentMissing(orphan)))
    }
    if !orphans.isEmpty { effects.report(.sync(.waiting(count: orphans.count))) }
  }
}

extension Quarantine {
  /// Keeps what has to wait, as far as there is room.
  ///
  /// - Parameters:
  ///   - orphans: what has to wait.
  ///   - packs: where it has arrived.
  ///   - waiting: where it waits; made if it is needed.
  ///   - refused: receives what there is no room for.
  /// - Returns: what waits.
  /// - Throws: `StoreError` when the quarantine cannot be written, `SystemError` when the packs cannot be read.
  func keep(
    _ orphans: [OrphanNode], of packs: [IncomingPack], _ waiting: inout LooseStore?,
    _ refused: inout [AdmissionRows.Refused]
  ) throws -> [OrphanNode] {
    guard !orphans.isEmpty, let store = try self.orphans(makes: true) else { return orphans }
    let room = max(0, Quarantine.nodeLimit - (try store.list(prefix: "").count))
    for orphan in orphans.dropFirst(room) {
      refused.append(
        AdmissionRows.Refused(
          RefusedNode(
            orphan.id, rule: orphan.rule.id, "\(orphan.detail); the quarantine is full")))
    }
    let kept = Array(orphans.prefix(room))
    var left = Set(kept.map(\.id))
    for pack in packs where !left.isEmpty {
      var reading = pack.read()
      while !left.isEmpty, let objects = try reading.next() {
        let found = objects.filter { left.remove($0.id) != nil }
        _ = try store.write(found.map { ObjectWrite($0, key: nil) })
      }
    }
    waiting = store
    return kept
  }
}
