// From bytes to judged receipts, on all processors, in the order of the input: cards first, so that what they sign can be
// checked wherever they stand.

package import RedoCrypto
package import RedoObject
package import RedoStore

/// A receipt as it comes from outside.
package struct IncomingReceipt: Sendable {
  /// The bytes that are hashed and signed.
  package var preimage: [UInt8]
  /// The signature beside them.
  package var signature: Signature?
  /// The id that stands beside them.
  package var stated: ObjectID?

  /// A receipt of its parts.
  package init(_ preimage: [UInt8], signature: Signature? = nil, stated: ObjectID? = nil) {
    self.preimage = preimage
    self.signature = signature
    self.stated = stated
  }
}

/// A judged receipt, or why there is none.
package struct JudgedReceipt: Sendable {
  /// The receipt; `nil` when the bytes break a rule of form or content.
  package var receipt: Receipt?
  /// The hash of the bytes, which is the id of a receipt.
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

  /// A receipt that has been judged by itself.
  package init(_ receipt: Receipt?, id: ObjectID?, _ findings: [Finding]) {
    self.receipt = receipt
    self.id = id
    self.findings = findings
  }

  /// The findings that refuse the receipt under a profile.
  package func errors(_ profile: Profile) -> [Finding] {
    findings.filter { profile.severity(of: $0) == .error }
  }

  /// Whether it must not be stored; the receipt itself is kept, so that its id can be named.
  package var isRefused: Bool { receipt == nil || isBarred }

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

  /// Adds a broken rule: the receipt is refused if that is an error.
  package mutating func add(_ finding: Finding, _ profile: Profile) {
    findings.append(finding)
    if profile.severity(of: finding) == .error { isBarred = true }
  }

  /// It as it is to be stored, with the key that decides between two signatures.
  package var write: ObjectWrite? {
    receipt.map { ObjectWrite(StoredObject($0), key: key) }
  }
}

/// Judges batches of receipts.
package struct ReceiptIntake: ~Copyable {
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

  /// A receipt that a store keeps, judged by itself.
  package static func judge(
    _ object: StoredObject, _ decoder: inout ReceiptDecoder
  ) -> JudgedReceipt {
    JudgedReceipt(decoder.decode(object), id: object.id, decoder.findings)
  }

  /// Whether the key of a receipt's device is pinned.
  package func isPinned(_ receipt: Receipt) -> Bool { keys.pin(of: receipt) != nil }

  /// Pins keys that are about to become local rows.
  package mutating func pin(_ keys: [DeviceName: PublicKey]) { self.keys.pin(keys) }

  /// Notes a card, so that what it signs for counts wherever it stands.
  package mutating func note(_ card: Receipt) { keys.note(card) }

  /// Judges what receipts by themselves do not tell: their signatures.
  package mutating func settle(_ judged: inout [JudgedReceipt]) throws {
    if verifies, !judged.isEmpty { try settleKeys(&judged) }
  }

  /// Judges the receipts of a batch.
  package mutating func judge(_ incoming: [IncomingReceipt]) throws -> [JudgedReceipt] {
    let profile = profile
    var judged = Threads.parallelMap(
      incoming, threads: incoming.count < 4 ? 1 : Threads.processorCount,
      makeState: { ReceiptDecoder(profile: profile) }
    ) { decoder, incoming in Self.judge(incoming, &decoder) }
    try settle(&judged)
    return judged
  }

  private static func judge(
    _ incoming: IncomingReceipt, _ decoder: inout ReceiptDecoder
  ) -> JudgedReceipt {
    let receipt = decoder.decode(incoming.preimage, signature: incoming.signature)
    // Where nothing else is to be said about it, what is too large is not hashed.
    let id =
      receipt?.id
      ?? (incoming.preimage.count > Receipt.byteLimit
        ? nil : ObjectID(digest: SHA256.digest(of: incoming.preimage.span)))
    var judged = JudgedReceipt(receipt, id: id, decoder.findings)
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
    _ judged: [JudgedReceipt], of frames: Set<ObjectPart.FrameName>
  ) throws {
    guard verifies, waitsForCards(judged) else { return }
    for row in judged { if let receipt = row.receipt { keys.note(receipt) } }
    try noteStore(except: frames)
  }

  /// Whether the cards of the store decide about signatures, and have not been looked at.
  private func waitsForCards(_ judged: [JudgedReceipt]) -> Bool {
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

  private mutating func settleKeys(_ judged: inout [JudgedReceipt]) throws {
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
      guard let receipt = row.receipt, !row.isRefused else { return row }
      let key = keys.key(of: receipt)
      row.settle(receipt.verify(key: key), by: key, profile)
      return row
    }
  }
}

/// What the trust file says about receipts whose signatures are good.
package struct ReceiptTrust: Sendable {
  private let list: TrustList
  private let store: ObjectStore?
  /// For each line of a revocation, the receipts that stay good.
  private var reached: [Int: Set<ObjectID>] = [:]

  /// - Parameters:
  ///   - list: what the file says.
  ///   - store: the receipts that revoked keys may have signed; without one none of them stays good.
  package init(_ list: TrustList, _ store: ObjectStore?) {
    self.list = list
    self.store = store
  }

  /// Applies what the file says about good signatures.
  ///
  /// The time that counts is the one that the author claims; where there is none, no limit of time is kept.
  package mutating func stand(_ judged: inout [JudgedReceipt]) throws(StoreError) {
    for index in judged.indices {
      guard judged[index].verdict?.isGood == true, let key = judged[index].key,
        let receipt = judged[index].receipt
      else { continue }
      let entry = list.entry(of: key)
      let without = entry?.validBefore == nil ? WallTime.earliest : WallTime.latest
      judged[index].standing = list.standing(
        of: key, at: receipt.wall ?? without, isReached: try isReached(receipt.id, entry))
    }
  }

  private mutating func isReached(
    _ id: ObjectID, _ entry: TrustEntry?
  ) throws(StoreError) -> Bool {
    guard let entry, let line = entry.revokedLine, !entry.validThrough.isEmpty else {
      return false
    }
    if reached[line] == nil { reached[line] = try receipts(from: entry.validThrough) }
    return reached[line]?.contains(id) ?? false
  }

  /// Receipts and all that they follow, as far as it is here.
  private func receipts(from anchors: [ObjectID]) throws(StoreError) -> Set<ObjectID> {
    var workspace = LooseStore.Workspace()
    var decoder = ReceiptDecoder()
    var found: Set<ObjectID> = []
    for anchor in anchors {
      var next: ObjectID? = anchor
      while let id = next, found.insert(id).inserted {
        next = nil
        do throws(StoreError) {
          guard let object = try store?.read(id, &workspace), object.kind == .receipt else { break }
          next = decoder.decode(object)?.parent
        } catch {
          guard case .corrupt = error else { throw error }
        }
      }
    }
    return found
  }
}
