// Receipts and schemas at the door: the same as for nodes (TrustGate).

internal import RedoHistory
internal import RedoObject
internal import RedoRemote
internal import RedoStore

extension GroupTransaction {
  /// Leaves out what the trust file keeps out, if it is to wait; otherwise notes it.
  ///
  /// - Returns: the objects that came and wait, those before what follows them.
  /// - Throws: `StoreError` when the store cannot be read.
  mutating func holdUntrusted() throws -> [UntrustedObject] {
    guard gate != nil else { return [] }
    try noteJoined()
    guard let gate, !gate.suspects.isEmpty else { return [] }
    let reached = gate.suspects.anchors.mapValues { admission.reached(from: $0) }
    let rows = admission.untrusted(gate.suspects.untrusted(reached: reached))
    guard gate.mode == .enforce else {
      let known = try knownIDs()
      warned = rows.filter { row in
        row.ancestor == nil && added.contains(row.id) && !known.contains(row.id)
      }
      return []
    }
    // What is in the history stays there, whoever has signed it.
    let known = try knownIDs()
    let held = rows.filter { !known.contains($0.id) }
    remove(Set(held.map(\.id)))
    return held.filter { added.contains($0.id) }
  }

  /// Notes objects that are here, and would enter the history only now, as parents of what came.
  private mutating func noteJoined() throws {
    let joined = admission.ids.filter { !added.contains($0) }
    guard !joined.isEmpty else { return }
    var judged: [JudgedObject] = []
    var decoder = PlaceDecoder(profile: options.profile)
    for id in joined {
      guard let object = try opened.objects.read(id) else { continue }
      judged.append(GroupIntake.judge(object, &decoder))
    }
    var intake = GroupIntake(options.profile, verifies: true, keys)
    try intake.settle(&judged)
    for row in judged where !row.isRefused { gate?.note(row) }
  }

  /// The same for an input, whose objects are kept in the quarantine.
  mutating func keepUntrusted(_ effects: Effects) throws -> (held: Int, full: [RefusedNode]) {
    var held = try holdUntrusted()
    var full: [RefusedNode] = []
    if let spool = spool.take() { full = try spool.keep(&held, opened) }
    effects.tellUntrusted(held, warned, peer: "", full: full)
    return (held.count, full)
  }
}
