// What of the quarantine the trust file keeps there, although everything that it follows is here.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

extension QuarantineShelf {
  /// What the trust file keeps in the quarantine.
  ///
  /// - Parameters:
  ///   - ready: the objects that wait for nothing else.
  ///   - effects: where the trust file is found.
  /// - Returns: them, and those that follow them.
  /// - Throws: `ConfigError` or `TrustError` when nobody can say, `StoreError` when the store cannot be read.
  func untrusted(
    among ready: Set<ObjectID>, _ effects: Effects
  ) throws -> [ObjectID: UntrustedObject] {
    let keys = try effects.keySources(opened)
    guard let waiting, !ready.isEmpty,
      var gate = try TrustGate(keys.trust, .exchange, opened), gate.mode == .enforce
    else { return [:] }
    var nodes: [StoredObject] = []
    var others: [StoredObject] = []
    for id in ready.sorted() {
      guard let object = try WaitingNodes(waiting).object(id) else { continue }
      if object.kind == .node { nodes.append(object) } else { others.append(object) }
    }
    var rows = try untrusted(nodes, &gate, keys)
    rows += try untrusted(groups: others, &gate, keys)
    return Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
  }

  private func untrusted(
    _ objects: [StoredObject], _ gate: inout TrustGate, _ keys: KeySources
  ) throws -> [UntrustedObject] {
    guard !objects.isEmpty else { return [] }
    var intake = Intake(Intake.Options(profile: .sync, allowsUnsigned: true), keys)
    var judged = Intake.judge(objects, intake.options)
    try intake.settle(&judged)
    var admission = Admission(profile: .sync)
    for row in judged {
      gate.note(row)
      if let node = row.node { admission.add(node, record: 0) }
    }
    let reached = gate.suspects.anchors.mapValues { admission.reached(from: $0) }
    return admission.untrusted(gate.suspects.untrusted(reached: reached))
  }

  private func untrusted(
    groups objects: [StoredObject], _ gate: inout TrustGate, _ keys: KeySources
  ) throws -> [UntrustedObject] {
    guard !objects.isEmpty else { return [] }
    var intake = GroupIntake(.sync, verifies: true, keys)
    var decoder = PlaceDecoder(profile: .sync)
    var judged = objects.map { GroupIntake.judge($0, &decoder) }
    try intake.settle(&judged)
    var admission = GroupAdmission()
    for row in judged {
      gate.note(row)
      if let object = row.object { admission.add(object) }
    }
    let reached = gate.suspects.anchors.mapValues { admission.reached(from: $0) }
    return admission.untrusted(gate.suspects.untrusted(reached: reached))
  }
}
