// What is refused and what has to wait when objects are taken in, of whatever kind.

internal import RedoHistory
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
    tell(orphans, effects)
  }

  /// Reports what waits for its parents.
  ///
  /// - Parameters:
  ///   - orphans: what waits.
  ///   - effects: receives the events.
  static func tell(_ orphans: [OrphanNode], _ effects: Effects) {
    for orphan in first(orphans).prefix(reportLimit) {
      effects.report(.sync(.parentMissing(orphan)))
    }
    if !orphans.isEmpty { effects.report(.sync(.waiting(count: orphans.count))) }
  }

  /// Those of some waiting objects whose parents do not wait themselves.
  static func first(_ orphans: [OrphanNode]) -> [OrphanNode] {
    let own = Set(orphans.map(\.id))
    return orphans.filter { !own.contains($0.parent) }
  }
}

/// An object that has to wait, and what is said of it where there is no room.
struct WaitingObject {
  let id: ObjectID
  let rule: Rule
  let detail: String

  init(_ orphan: OrphanNode) { (id, rule, detail) = (orphan.id, orphan.rule, orphan.detail) }

  /// It cannot wait.
  func refused(_ reason: String) -> RefusedNode {
    RefusedNode(id, rule: rule.id, "\(detail); \(reason)")
  }

  init(_ row: UntrustedObject) {
    (id, rule, detail) = (row.id, row.answer.standing.rule ?? .keyUntrusted, row.detail)
  }
}

extension Quarantine {
  /// Keeps what an exchange has brought that has to wait, as far as there is room.
  ///
  /// - Parameters:
  ///   - orphans: what lacks its parents; receives those that wait.
  ///   - held: what the trust file keeps out; receives those that wait.
  ///   - packs: where it has arrived.
  ///   - quota: how much those who sent it may have waiting; `nil` where nobody counts.
  ///   - waiting: where it waits; made if it is needed.
  /// - Returns: what there is no room for.
  /// - Throws: as the other one.
  func keep(
    _ orphans: inout [OrphanNode], _ held: inout [UntrustedObject], of packs: [IncomingPack],
    _ quota: QuarantineQuota?, _ waiting: inout LooseStore?
  ) throws -> [AdmissionRows.Refused] {
    var refused: [RefusedNode] = []
    let objects = orphans.map { WaitingObject($0) } + held.map { WaitingObject($0) }
    let kept = Set(try keep(objects, of: packs, quota, &waiting, &refused))
    orphans.removeAll { !kept.contains($0.id) }
    held.removeAll { !kept.contains($0.id) }
    return refused.map { AdmissionRows.Refused($0) }
  }

  /// Keeps what has to wait, as far as there is room.
  ///
  /// - Parameters:
  ///   - objects: what has to wait.
  ///   - packs: where it has arrived.
  ///   - quota: how much those who sent it may have waiting; `nil` where nobody counts.
  ///   - waiting: where it waits; made if it is needed.
  ///   - refused: receives what there is no room for.
  /// - Returns: what waits.
  /// - Throws: `StoreError` when the quarantine cannot be written, `SystemError` when the packs cannot be read.
  func keep(
    _ objects: [WaitingObject], of packs: [IncomingPack], _ quota: QuarantineQuota?,
    _ waiting: inout LooseStore?, _ refused: inout [RefusedNode]
  ) throws -> [ObjectID] {
    guard !objects.isEmpty, let store = try self.orphans(makes: true) else { return [] }
    // What has come again takes no more room.
    let here = Set(try store.list(prefix: ""))
    var room = max(0, Quarantine.nodeLimit - here.count)
    var kept: [WaitingObject] = []
    for object in objects {
      let isHere = here.contains(object.id)
      guard isHere || room > 0 else {
        refused.append(object.refused("the quarantine is full"))
        continue
      }
      if !isHere { room -= 1 }
      kept.append(object)
    }
    var owners = try self.owners()
    owners.keep(here)
    var used: [QuarantineOwner: Int] = [:]
    var left = Set(kept.map(\.id)).subtracting(here)
    var excess: Set<ObjectID> = []
    for pack in packs where !left.isEmpty {
      var reading = pack.read()
      while !left.isEmpty, let objects = try reading.next() {
        var found = objects.filter { left.remove($0.id) != nil }
        if let quota, let owner = pack.owner {
          var bytes = used[owner] ?? owners.bytes(of: owner)
          found.removeAll { object in
            let count = object.canonical.count
            guard bytes + count <= quota.waitingLimit else {
              excess.insert(object.id)
              return true
            }
            bytes += count
            owners.put(object.id, owner, byteCount: count)
            return false
          }
          used[owner] = bytes
          // Before they are there, so that none waits that counts for nobody.
          if !found.isEmpty { try note(owners) }
        }
        _ = try store.write(found.map { ObjectWrite($0, key: nil) })
      }
    }
    waiting = store
    if let quota {
      for object in kept where excess.contains(object.id) {
        refused.append(object.refused(quota.isUsedUp))
      }
    }
    return kept.map(\.id).filter { !excess.contains($0) }
  }
}
