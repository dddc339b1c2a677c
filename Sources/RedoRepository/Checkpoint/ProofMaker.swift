// Proofs to hand on, which can be checked without a store or network: that a node or receipt was received before a
// checkpoint was made, or that a checkpoint continues an earlier one.

internal import RedoCrypto
internal import RedoObject
internal import RedoStore

/// Makes proofs of a store.
package struct ProofMaker: ~Copyable {
  /// What is to be proved.
  package enum Request: Sendable {
    /// That a node or receipt, named by a revision, was received before a checkpoint was made: the named one, or the last; of
    /// receipts that tell a precise place, or that others have shared, only if they are included.
    case inclusion(
      String, checkpoint: String?, includesPrecise: Bool = false, includesReceived: Bool = false)
    /// That a checkpoint, the last when none is named, continues an earlier one.
    case growth(from: String, to: String?)
  }

  /// Makes a proof.
  ///
  /// - Parameters:
  ///   - request: what is to be proved.
  ///   - opened: the store.
  ///   - effects: the time, and where files and the trust file are.
  /// - Returns: the bytes of the proof.
  /// - Throws: `ProofFault` for what cannot be proved; an error when a name matches nothing, or something cannot be
  ///   read.
  package static func run(
    _ request: Request, _ opened: Repository, _ effects: Effects
  ) throws -> [UInt8] {
    switch request {
    case .growth(let old, let new):
      var maker = try ProofMaker(opened, try effects.trustList(opened))
      return try maker.extends(old, new, effects).bytes
    case .inclusion(let revision, let checkpoint, let includesPrecise, let includesReceived):
      let id = try Revisions(opened, now: effects.clock()).one(revision)
      guard try includesReceived || !opened.sharedByOthers().contains(id) else {
        throw ProofFault.sharedByOthers(id)
      }
      var maker = try ProofMaker(opened, try effects.trustList(opened))
      return try maker.includes(id, checkpoint, includesPrecise, effects).bytes
    }
  }

  private let opened: Repository
  private let shelf: CheckpointShelf
  private let store: StoreID?
  /// Supplies the keys of receipts, and of nodes that do not carry them.
  private let trust: TrustList?
  private var snapshot: RefsSnapshot
  private let tree: ReceivedTree

  private init(_ opened: Repository, _ trust: TrustList?) throws {
    let store = try opened.storeID()
    let snapshot = try opened.snapshot()
    self.opened = opened
    self.trust = trust
    self.store = store
    shelf = CheckpointShelf(opened)
    tree = ReceivedTree(opened, snapshot)
    self.snapshot = snapshot
  }

  /// The last checkpoint of the store.
  private mutating func latest() throws -> SignedCheckpoint {
    guard let id = try shelf.latestID(&snapshot) else {
      throw ProofFault.noCheckpoint
    }
    let found = try shelf.stored(id)
    switch found.result {
    case .success(let signed): return signed
    case .failure(let fault): throw ProofFault.broken(id, fault)
    }
  }

  private func check(_ signed: SignedCheckpoint) throws {
    guard signed.checkpoint.store != store else { return }
    throw ProofFault.foreign(signed.id, log: signed.checkpoint.origin)
  }

  private func check(
    _ signed: SignedCheckpoint, _ roots: [Int: Digest]
  ) throws {
    guard roots[signed.checkpoint.size] != signed.checkpoint.root else { return }
    throw ProofFault.diverged(signed.id)
  }

  /// Proves that a node or receipt was received before a checkpoint.
  private mutating func includes(
    _ id: ObjectID, _ text: String?, _ includesPrecise: Bool, _ effects: Effects
  ) throws -> InclusionProof {
    let signed: SignedCheckpoint
    if let text { signed = try shelf.named(text, effects) } else { signed = try latest() }
    try check(signed)
    guard let place = try tree.place(of: id, effects) else {
      throw ProofFault.notReceived(id)
    }
    let size = signed.checkpoint.size
    guard place.index < size else {
      throw ProofFault.receivedLater(id, checkpoint: signed.id)
    }
    let (path, roots) = try tree.prove(
      .inclusion(of: place.index, in: size), rootsAt: [size], effects)
    try check(signed, roots)
    guard let path else { throw ProofFault.shortened }
    let proof = InclusionProof(
      try proven(id, place.received, includesPrecise), index: place.index, path: path,
      checkpoint: signed)
    precondition(proof.holds(for: id), "BUG: a proof does not hold")
    return proof
  }

  /// The object with what its leaf and its signature need.
  private func proven(
    _ id: ObjectID, _ received: Int64, _ includesPrecise: Bool
  ) throws -> ProvenObject {
    var reader = NodeReader()
    guard let object = try reader.storedNode(id, in: opened.objects) else {
      throw ProofFault.notANode(id)
    }
    guard object.kind != .receipt else {
      guard let receipt = reader.receipt(object) else { throw HistoryFault.invalid(object) }
      let isPrecise = reader.places.receipts.findings.contains { $0.rule == .receiptPrecise }
      guard includesPrecise || !isPrecise else { throw ProofFault.precise(id) }
      return ProvenObject(
        .receipt(receipt.preimage, receipt.signature), received: received, key: try key(of: receipt)
      )
    }
    if object.kind == .schema {
      guard reader.places.grouped(object) != nil else { throw HistoryFault.invalid(object) }
      var bytes: [UInt8] = []
      object.appendContents(to: &bytes)
      return ProvenObject(.schema(bytes), received: received, key: nil)
    }
    guard let node = reader.decode(object) else { throw HistoryFault.invalid(object) }
    var bytes: [UInt8] = []
    node.appendWhole(to: &bytes)
    guard node.publicKey == nil, node.signature != nil else {
      return ProvenObject(.node(bytes), received: received, key: nil)
    }
    var keys = KeyDirectory(trust)
    try keys.noteAll(in: opened.objects)
    return ProvenObject(.node(bytes), received: received, key: keys.key(of: node.userID))
  }

  /// The key of the device that signed a receipt, if it is signed and the key known.
  private func key(of receipt: Receipt) throws -> PublicKey? {
    guard receipt.signature != nil else { return nil }
    var keys = DeviceKeys(trust, rows: opened.deviceRows())
    if keys.pin(of: receipt) == nil { try keys.noteAll(in: opened.objects) }
    return keys.key(of: receipt)
  }

  /// Proves that a checkpoint continues an earlier one.
  private mutating func extends(
    _ oldText: String, _ newText: String?, _ effects: Effects
  ) throws -> ConsistencyProof {
    let old = try shelf.named(oldText, effects)
    let new: SignedCheckpoint
    if let newText { new = try shelf.named(newText, effects) } else { new = try latest() }
    try check(old)
    try check(new)
    let (first, last) = (old.checkpoint.size, new.checkpoint.size)
    guard first <= last else {
      throw ProofFault.smaller(new.id, size: last, earlier: first)
    }
    let (path, roots) = try tree.prove(
      .consistency(from: first, to: last), rootsAt: [first, last], effects)
    try check(old, roots)
    try check(new, roots)
    guard let path else { throw ProofFault.shortened }
    let proof = ConsistencyProof(old: old, new: new, path: path)
    precondition(proof.holds, "BUG: a proof does not hold")
    return proof
  }
}
