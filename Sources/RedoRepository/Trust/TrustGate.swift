// Trust at the door: what the trust file says about objects before they enter the history, where `transfer.trust` asks for that.
// Reports ask it afterwards (NodeTrust).

internal import RedoHistory
package import RedoObject
internal import RedoRemote
internal import RedoStore

/// Asks the trust file about objects from outside.
package struct TrustGate {
  /// Where objects come from.
  package enum Origin: Sendable {
    /// They are written here, or were here before.
    case here
    /// Another store sends them, or has sent them.
    case exchange
    /// An input has them.
    case input
  }

  /// What the setting says; never `off`.
  package let mode: TransferTrust
  /// The objects that the file may keep out.
  private(set) var suspects: TrustSuspects

  /// A gate; `nil` where everything may come in.
  ///
  /// - Parameters:
  ///   - list: what the trust file says, if there is one.
  ///   - origin: where the objects come from.
  ///   - opened: the store.
  /// - Throws: `ConfigError` when the setting is none.
  init?(_ list: TrustList?, _ origin: Origin, _ opened: Repository) throws {
    // A setting that is none is never taken for one that lets everything in.
    let mode = try opened.store.config.transferTrust()
    guard origin != .here, mode != .off, let list else { return nil }
    self.mode = mode
    suspects = TrustSuspects(list)
  }

  /// A gate, and the quarantine where an input is kept until it is known what has to wait; `nil` where nothing may have to.
  ///
  /// - Throws: as `init`; the error when the quarantine cannot be opened.
  static func open(
    _ list: TrustList?, _ origin: Origin, _ opened: Repository?, writes: Bool
  ) throws -> (gate: TrustGate?, quarantine: Quarantine?) {
    guard let opened, let gate = try TrustGate(list, origin, opened) else { return (nil, nil) }
    guard origin == .input, gate.mode == .enforce, writes else { return (gate, nil) }
    return (
      gate, try Quarantine(in: opened.store.directory, try opened.refsOptions().sync)
    )
  }

  /// Notes a node that is good by itself.
  mutating func note(_ judged: Judged) {
    guard judged.verdict?.isGood == true, let node = judged.node, let key = judged.key else {
      return
    }
    suspects.note(node.id, by: key, at: node.wall)
  }

  /// Notes a receipt or a schema that is good by itself.
  mutating func note(_ judged: JudgedObject) {
    guard judged.verdict?.isGood == true, let object = judged.object, let key = judged.key else {
      return
    }
    suspects.note(object.id, by: key, at: object.claimed)
  }
}

extension NodeTransaction {
  /// Leaves out what the trust file keeps out, if it is to wait; otherwise notes it.
  ///
  /// - Returns: the nodes that came and wait, those before what follows them.
  /// - Throws: `StoreError` when the store cannot be read.
  mutating func holdUntrusted() throws -> [UntrustedObject] {
    guard gate != nil else { return [] }
    try noteJoined()
    guard let gate, !gate.suspects.isEmpty else { return [] }
    let reached = gate.suspects.anchors.mapValues { admission.reached(from: $0) }
    let answers = gate.suspects.untrusted(reached: reached)
    let rows = admission.untrusted(answers)
    guard gate.mode == .enforce else {
      warned = rows.filter { $0.ancestor == nil && admission.isRecorded($0.id) }
      return []
    }
    untrusted = answers.compactMapValues(\.standing.rule)
    let recorded = rows.filter { admission.isRecorded($0.id) }
    _ = try leave(unwanted: Set(rows.map(\.id)))
    return recorded
  }

  /// Notes nodes that are here, and would enter the history only now, as parents of what came.
  private mutating func noteJoined() throws {
    let joined = admission.ids.filter { !admission.isRecorded($0) }
    guard !joined.isEmpty, let opened else { return }
    var objects: [StoredObject] = []
    var workspace = LooseStore.Workspace()
    for id in joined {
      if let object = try opened.objects.readNode(id, &workspace) { objects.append(object) }
    }
    var judged = Intake.judge(objects, options.intake)
    try intake.settle(&judged)
    for row in judged where !row.isRefused { gate?.note(row) }
  }

  /// The same for an input, whose nodes are kept in the quarantine.
  mutating func keepUntrusted(_ effects: Effects) throws {
    var held = try holdUntrusted()
    var full: [RefusedNode] = []
    if let spool = spool.take(), let opened { full = try spool.keep(&held, opened) }
    effects.tellUntrusted(held, warned, peer: "", full: full)
    summary.held = held.count
    summary.refused += full.count
    self.held = held
  }
}

extension Effects {
  /// The number of objects that are named before the rest is only counted.
  private static let untrustedLimit = 100

  /// Reports what the trust file keeps out, and what is taken in spite of it.
  ///
  /// - Parameters:
  ///   - held: what waits.
  ///   - warned: what is taken.
  ///   - peer: who sent it, in messages; empty when nobody is named.
  ///   - full: what there is no room for.
  func tellUntrusted(
    _ held: [UntrustedObject], _ warned: [UntrustedObject], peer: String,
    full: [RefusedNode] = []
  ) {
    for row in full { report(.sync(.nodeUnasked(row, peer: peer))) }
    for row in held.prefix(Self.untrustedLimit) { report(.sync(.untrusted(row, peer: peer))) }
    if !held.isEmpty { report(.sync(.untrustedInAll(UntrustedCount(held)))) }
    if !warned.isEmpty { report(.sync(.untrustedTaken(UntrustedCount(warned)))) }
  }
}
