// From bytes to judged receipts and schemas, on all processors, in the order of the input: cards first, so that what they sign
// can be checked wherever they stand.

package import RedoCrypto
package import RedoObject
package import RedoStore

/// A receipt or a schema as it comes from outside.
package struct IncomingObject: Sendable {
  /// Its kind.
  let kind: ObjectKind
  /// Of a receipt the bytes that are hashed and signed, of a schema its JSON with id and signature.
  package let bytes: [UInt8]
  /// The signature beside the bytes.
  package var signature: Signature?
  /// The id that stands beside them.
  package var stated: ObjectID?

  /// A receipt of its parts.
  package init(_ preimage: [UInt8], signature: Signature? = nil, stated: ObjectID? = nil) {
    kind = .receipt
    bytes = preimage
    self.signature = signature
    self.stated = stated
  }

  /// A schema.
  ///
  /// - Parameter schema: one JSON object, with id and signature or without.
  package init(schema: [UInt8]) {
    kind = .schema
    bytes = schema
  }
}

/// A judged receipt or schema, or why there is none.
package struct JudgedObject: Sendable {
  /// The object; `nil` when the bytes break a rule of form or content.
  package var object: GroupedObject?
  /// The hash of the bytes, which is its id.
  package var id: ObjectID?
  /// The verdict on its signature; `nil` when it was not asked for.
  package private(set) var verdict: Verdict?
  /// The key that the signature was checked with, if known.
  package private(set) var key: PublicKey?
  /// What the trust file says about a good signature; `nil` when there is none, or it was not asked.
  package var standing: Standing?
  /// Every broken rule, warnings included.
  package var findings: [Finding] = []
  private var isBarred = false

  /// An object that has been judged by itself.
  package init(_ object: GroupedObject?, id: ObjectID?, _ findings: [Finding]) {
    self.object = object
    self.id = id
    self.findings = findings
  }

  /// A receipt that has been judged by itself.
  package init(_ receipt: Receipt, _ findings: [Finding]) {
    self.init(.receipt(receipt), id: receipt.id, findings)
  }

  /// The receipt, if it is one.
  package var receipt: Receipt? { object?.receipt }

  /// The schema, if it is one.
  package var schema: Schema? { object?.schema }

  /// The findings that refuse the object under a profile.
  package func errors(_ profile: Profile) -> [Finding] {
    findings.filter { profile.severity(of: $0) == .error }
  }

  /// Whether it must not be stored; the object itself is kept, so that its id can be named.
  package var isRefused: Bool { object == nil || isBarred }

  /// Records a verdict, and the broken rule that follows from it.
  package mutating func settle(_ verdict: Verdict, by key: PublicKey?, _ profile: Profile) {
    self.verdict = verdict
    self.key = key
    switch verdict {
    case .good: break
    case .bad(let finding): findings.append(finding)
    case .unsigned:
      if profile.requiresSignature { findings.append(Finding(.signatureMissing)) }
    case .keyUnknown:
      if profile.requiresSignature { findings.append(Finding(.keyUnknown)) }
    }
    isBarred = !errors(profile).isEmpty
  }

  /// Adds a broken rule: the object is refused if that is an error.
  package mutating func add(_ finding: Finding, _ profile: Profile) {
    findings.append(finding)
    if profile.severity(of: finding) == .error { isBarred = true }
  }

  /// It as it is to be stored, with the key that decides between two signatures.
  package var write: ObjectWrite? {
    object.map { ObjectWrite($0.stored, key: key) }
  }
}

/// Judges batches of receipts and schemas.
package struct GroupIntake: ~Copyable {
  private let profile: Profile
  private let verifies: Bool
  private let store: ObjectStore?
  private var keys: DeviceKeys
  private var hasReadStore = false

  /// - Parameters:
  ///   - profile: the rules that apply.
  ///   - verifies: whether signatures are checked.
  ///   - keys: where cards and pins are looked for, in addition to the input.
  package init(_ profile: Profile, verifies: Bool, _ keys: KeySources) {
    self.profile = profile
    self.verifies = verifies
    store = keys.store
    self.keys = keys.deviceKeys
  }

  /// One that checks signatures by some cards, and looks for no others.
  ///
  /// - Parameters:
  ///   - profile: the rules that apply.
  ///   - cards: all cards that count, those that disagree among them.
  ///   - keys: what pins keys.
  init(_ profile: Profile, cards: [Receipt], _ keys: KeySources) {
    self.init(profile, verifies: true, keys)
    hasReadStore = true
    for card in cards { self.keys.note(card) }
  }

  /// An object that a store keeps, judged by itself.
  package static func judge(
    _ object: StoredObject, _ decoder: inout PlaceDecoder
  ) -> JudgedObject {
    let decoded = decoder.grouped(object)
    return JudgedObject(decoded, id: object.id, decoder.findings(of: object.kind))
  }

  /// Whether the key of a receipt's device is pinned.
  package func isPinned(_ receipt: Receipt) -> Bool { keys.pin(of: receipt) != nil }

  /// Pins keys that are about to become local rows.
  package mutating func pin(_ keys: [DeviceName: PublicKey]) { self.keys.pin(keys) }

  /// Notes a card, so that what it signs for counts wherever it stands.
  package mutating func note(_ card: Receipt) { keys.note(card) }

  /// Judges what objects by themselves do not tell: their signatures.
  package mutating func settle(_ judged: inout [JudgedObject]) throws {
    if verifies, !judged.isEmpty { try settleKeys(&judged) }
  }

  /// Judges the objects of a batch.
  package mutating func judge(_ incoming: [IncomingObject]) throws -> [JudgedObject] {
    let profile = profile
    var judged = Threads.parallelMap(
      incoming, threads: incoming.count < 4 ? 1 : Threads.processorCount,
      makeState: { PlaceDecoder(profile: profile) }
    ) { decoder, incoming in Self.judge(incoming, &decoder) }
    try settle(&judged)
    return judged
  }

  /// An object from outside, judged by itself.
  package static func judge(
    _ incoming: IncomingObject, _ decoder: inout PlaceDecoder
  ) -> JudgedObject {
    incoming.kind == .schema
      ? judge(schema: incoming.bytes, &decoder.schemas)
      : judge(receipt: incoming, &decoder.receipts)
  }

  private static func judge(schema text: [UInt8], _ decoder: inout SchemaDecoder) -> JudgedObject {
    let schema = decoder.decode(text)
    return JudgedObject(
      schema.map { .schema($0) }, id: schema?.id ?? decoder.statedID, decoder.findings)
  }

  private static func judge(
    receipt incoming: IncomingObject, _ decoder: inout ReceiptDecoder
  ) -> JudgedObject {
    let receipt = decoder.decode(incoming.bytes, signature: incoming.signature)
    // Where nothing else is to be said about it, what is too large is not hashed.
    let id =
      receipt?.id
      ?? (incoming.bytes.count > Receipt.byteLimit
        ? nil : ObjectID(digest: SHA256.digest(of: incoming.bytes.span)))
    var judged = JudgedObject(receipt.map { .receipt($0) }, id: id, decoder.findings)
    if let stated = incoming.stated, let id, stated != id {
      judged.add(
        Finding(
          .hashMismatch, at: .pointer("/cid"),
          detail: "the bytes hash to '\(id.cidText(as: .receipt))', "
            + "not to '\(stated.cidText(as: .receipt))'"), decoder.profile)
    }
    return judged
  }

  /// Notes the cards of the store, if signatures wait for them, where some frames have just been read.
  ///
  /// - Parameters:
  ///   - judged: all receipts of the frames, decoded by the rules that cards are decoded by.
  ///   - frames: the frames, which are not read again.
  /// - Throws: `system` when the store cannot be read.
  package mutating func noteCards(
    _ judged: [JudgedObject], of frames: Set<ObjectPart.FrameName>
  ) throws {
    guard verifies, waitsForCards(judged) else { return }
    for row in judged { if let receipt = row.receipt { keys.note(receipt) } }
    try noteStore(except: frames)
  }

  /// Whether the cards of the store decide about signatures, and have not been looked at.
  private func waitsForCards(_ judged: [JudgedObject]) -> Bool {
    !hasReadStore && store != nil
      && judged.contains { row in
        row.receipt.map { $0.signature != nil && keys.pin(of: $0) == nil } ?? false
      }
  }

  private mutating func noteStore(except known: Set<ObjectPart.FrameName> = []) throws {
    guard let store else { return }
    hasReadStore = true
    try keys.noteAll(in: store, except: known)
  }

  private mutating func settleKeys(_ judged: inout [JudgedObject]) throws {
    // One card is the only one when all of the store have been looked at.
    if waitsForCards(judged) { try noteStore() }
    for index in judged.indices {
      guard let receipt = judged[index].receipt, keys.note(receipt) else { continue }
      judged[index].add(Finding(.deviceCollision, at: .pointer("/deviceId")), profile)
    }
    let (keys, profile) = (keys, profile)
    judged = Threads.parallelMap(
      judged, threads: judged.count < 4 ? 1 : Threads.processorCount, makeState: { 0 }
    ) { _, row in
      var row = row
      guard let object = row.object, !row.isRefused else { return row }
      let (key, verdict) = object.verdict(keys)
      row.settle(verdict, by: key, profile)
      return row
    }
  }
}

extension GroupedObject {
  /// The verdict on its signature, and the key that it was checked with.
  func verdict(_ keys: DeviceKeys) -> (key: PublicKey?, Verdict) {
    switch self {
    case .receipt(let receipt):
      let key = keys.key(of: receipt)
      return (key, receipt.verify(key: key))
    case .schema(let schema): return (schema.publicKey, schema.verify())
    }
  }
}

/// What the trust file says about receipts and schemas whose signatures are good.
package struct GroupTrust: Sendable {
  private let list: TrustList
  private let store: ObjectStore?
  /// For each line of a revocation, the objects that stay good.
  private var reached: [Int: Set<ObjectID>] = [:]

  /// - Parameters:
  ///   - list: what the file says.
  ///   - store: the objects that revoked keys may have signed; without one none of them stays good.
  package init(_ list: TrustList, _ store: ObjectStore?) {
    self.list = list
    self.store = store
  }

  /// Applies what the file says about good signatures.
  ///
  /// The time that counts is the one that the author claims; where there is none, no limit of time is kept.
  package mutating func stand(_ judged: inout [JudgedObject]) throws(StoreError) {
    for index in judged.indices {
      guard judged[index].verdict?.isGood == true, let key = judged[index].key,
        let object = judged[index].object
      else { continue }
      let entry = list.entry(of: key)
      let without = entry?.validBefore == nil ? WallTime.earliest : WallTime.latest
      judged[index].standing = list.standing(
        of: key, at: object.claimed ?? without, isReached: try isReached(object.id, entry))
    }
  }

  private mutating func isReached(
    _ id: ObjectID, _ entry: TrustEntry?
  ) throws(StoreError) -> Bool {
    guard let entry, let line = entry.revokedLine, !entry.validThrough.isEmpty else {
      return false
    }
    if reached[line] == nil { reached[line] = try objects(from: entry.validThrough) }
    return reached[line]?.contains(id) ?? false
  }

  /// Objects and all that they follow, as far as it is here.
  private func objects(from anchors: [ObjectID]) throws(StoreError) -> Set<ObjectID> {
    var workspace = LooseStore.Workspace()
    var decoder = PlaceDecoder()
    var found = Set(anchors)
    var pending = anchors
    while let id = pending.popLast() {
      do throws(StoreError) {
        guard let object = try store?.read(id, &workspace),
          let grouped = decoder.grouped(object)
        else { continue }
        for parent in grouped.place.parents where found.insert(parent).inserted {
          pending.append(parent)
        }
      } catch {
        guard case .corrupt = error else { throw error }
      }
    }
    return found
  }
}

extension GroupedObject {
  /// When its author says that it was made; `nil` where that is not said.
  var claimed: WallTime? {
    switch self {
    case .receipt(let receipt): receipt.wall
    case .schema(let schema): schema.wall
    }
  }
}
