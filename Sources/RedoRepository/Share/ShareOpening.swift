// Opening what others share (receipts, section 5.3): nothing is believed that has not been proved, step by step.

internal import RedoCrypto
internal import RedoHistory
package import RedoObject
internal import RedoStore

/// Opens messages.
package struct ShareOpener: ~Copyable {
  /// What came of a message.
  package enum Outcome: Equatable, Sendable {
    /// Its receipt is here now.
    case taken(ObjectID)
    /// It was opened before.
    case known(ObjectID)
  }

  private let opened: Repository
  private let deviceID: String
  private let key: X25519PrivateKey
  private let keys: KeySources

  /// An opener with the key of this device.
  ///
  /// - Throws: `ShareFault.noExchangeKey`; `KeyFault` when it cannot be opened.
  package init(
    _ opened: Repository, _ source: PassphraseSource, _ effects: Effects
  ) throws {
    let keyring = try opened.keyring()
    let deviceID = try DeviceID.find(opened, keyring, makes: false)
    guard let deviceID else { throw ShareFault.noExchangeKey }
    let key = try opened.exchangeKey(source, effects)
    keys = try effects.keySources(opened)
    self.opened = opened
    self.deviceID = deviceID
    self.key = key
  }

  /// Opens a message, and takes its receipt into the history.
  ///
  /// - Parameters:
  ///   - line: the message.
  ///   - effects: the clock.
  /// - Returns: whether it was taken in, or known.
  /// - Throws: `ShareFault`, one for each step; as `putLocal` and `GroupTransaction.commit`.
  package mutating func open(_ line: [UInt8], _ effects: Effects) throws -> Outcome {
    let message: ShareMessage
    do throws(ShareFormFault) { message = try ShareMessage(line: line) } catch {
      throw ShareFault.form(error)
    }
    let found = try opened.localRows()
    let isNoted = found.rows(of: .receivedMemories).contains {
      $0.text("relay_message_id") == message.messageID
    }
    if isNoted, try isHere(message.receipt) { return .known(message.receipt) }
    let sender = try Self.sender(message, found)
    let name = message.messageID
    guard let wrapped = message.wrapped[deviceID] else { throw ShareFault.noKey(message: name) }
    let cid = message.receipt.cidText(as: .receipt)
    guard let content = ShareWrap.unwrap(wrapped, by: key, from: sender.exchange),
      let bytes = AES256GCM.open(message.payload, key: content, associated: Array(cid.utf8))
    else { throw ShareFault.openFailed(message: name) }
    let judged = try judge(bytes, message, sender.key)
    if let root = judged.receipt?.parent, try !isHere(root) {
      throw ShareFault.unfit(
        message: name, Finding(.parentMissing, detail: root.cidText(as: .receipt)))
    }
    try askTrust(judged, name, effects)
    // Noted first: what is not known to be somebody else's could leave the store.
    if !isNoted { try note(message, effects) }
    let options = GroupTransaction.Options(
      profile: .sync, updatesHeads: true, message: "share open: \(cid)")
    if let finding = try GroupTransaction.take(judged, options, opened, effects) {
      throw ShareFault.unfit(message: name, finding)
    }
    return .taken(message.receipt)
  }

  /// Asks the trust file about a receipt.
  ///
  /// What it keeps out waits nowhere: whoever has the message can open it again.
  private func askTrust(_ judged: JudgedObject, _ name: String, _ effects: Effects) throws {
    guard var gate = try TrustGate(keys.trust, .input, opened), let object = judged.object else {
      return
    }
    gate.note(judged)
    guard let answer = gate.suspects.untrusted(reached: [:])[object.id] else { return }
    let row = UntrustedObject(object.id, answer)
    if gate.mode == .enforce { throw ShareFault.untrusted(message: name, row) }
    effects.tellUntrusted([], [row], peer: "")
  }

  /// Whether a receipt is in the history.
  private func isHere(_ id: ObjectID) throws -> Bool {
    var lookUp = try GroupLookUp(of: .receipt, opened, .v1, keys)
    return try lookUp.link(id)?.isInHistory ?? false
  }

  /// The pinned keys of the device that sends a message, whose owner must be active in the circle.
  private static func sender(
    _ message: ShareMessage, _ found: LocalRows.Found
  ) throws(ShareFault) -> (key: PublicKey, exchange: InlineArray<32, UInt8>) {
    let isActive = found.rows(of: .circles).contains {
      $0.text("did") == message.senderDID && $0.text("status") == "active"
    }
    let row = found.rows[LocalRow.Key(.devices, message.senderDevice)]
    guard isActive, let row, row.text("owner_did") == message.senderDID,
      let key = row.publicKey("pubkey_ed25519"), let exchange = row.publicKey("pubkey_x25519")
    else { throw .senderUnknown(did: message.senderDID, device: message.senderDevice) }
    return (key, exchange.bytes)
  }

  /// What is in a message: the receipt that it names, made and signed by its sender.
  private func judge(
    _ bytes: [UInt8], _ message: ShareMessage, _ key: PublicKey
  ) throws -> JudgedObject {
    let name = message.messageID
    guard ObjectID(digest: SHA256.digest(of: bytes.span)) == message.receipt else {
      throw ShareFault.unfit(message: name, Finding(.hashMismatch))
    }
    var decoder = ReceiptDecoder()
    guard let receipt = decoder.decode(bytes, signature: message.signature) else {
      let error = decoder.findings.first { decoder.profile.severity(of: $0) == .error }
      throw ShareFault.unfit(message: name, error ?? Finding(.receiptForm))
    }
    guard receipt.did.text == message.senderDID, receipt.deviceID == message.senderDevice else {
      throw ShareFault.otherSender(message: name)
    }
    let verdict = receipt.verify(key: key)
    guard case .good = verdict else {
      throw ShareFault.unfit(message: name, Finding(.signatureBad, at: .pointer("/signature")))
    }
    var judged = JudgedObject(receipt, decoder.findings)
    // The sender decided to show a place, so that it may be here, and may not leave again.
    judged.settle(verdict, by: key, .v1)
    return judged
  }

  private func note(_ message: ShareMessage, _ effects: Effects) throws {
    let now = effects.clock()
    let cid = LocalRow.json(message.receipt.cidText(as: .receipt))
    let members = [
      "id": LocalRow.json(TaskID.random(effects.random).text), "memory_cid": cid,
      "header_cid": cid, "sender_did": LocalRow.json(message.senderDID),
      "permissions": LocalRow.json("view"), "shared_at": LocalRow.json(time: message.created),
      "received_at": LocalRow.json(time: now),
      "relay_message_id": LocalRow.json(message.messageID),
    ]
    try opened.putLocal { _ in
      [try LocalRow(.receivedMemories, key: nil, members: members, time: now)]
    }
  }
}
