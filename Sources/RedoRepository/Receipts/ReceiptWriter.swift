// From payloads to receipts in the history: made, signed, judged as anybody would judge them, and taken in with the card of
// the device, which the first one brings along. Nothing is written that would have no effect.

internal import RedoCrypto
internal import RedoHistory
package import RedoObject
internal import RedoStore

/// Makes receipts of this device.
package struct ReceiptWriter: ~Copyable {
  /// How receipts are made.
  package struct Options {
    /// When it happened, in milliseconds from 1970, if that is not now.
    package var time: Int64?
    /// Whether a receipt may say where somebody was.
    package var includesPrecise = false
    /// Whether nothing is written.
    package var isDryRun = false
    /// Whether warnings are suppressed.
    package var isQuiet = false
    /// The message in the reflog.
    package var message: String?
    /// The source of the passphrase of a wrapped key.
    package var passphrase = PassphraseSource()

    /// Creates options for receipts of the present time.
    package init() {}
  }

  let opened: Repository
  let options: Options
  let identity: Identity
  let key: PublicKey
  let did: DID
  let device: DeviceName
  let keys: KeySources

  /// The type of a receipt that tells of a session for the first time.
  package static let created = "app.buds.session.created/v1"
  /// The type of one that changes what a session tells.
  package static let edited = "app.buds.session.edited/v1"
  /// The type of one that deletes a chain.
  private static let deletedType = "app.buds.memory.deleted/v1"
  /// The setting that names the author.
  private static let didSetting = "receipt.did"

  /// Creates a writer with the identity that signs.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - options: how receipts are made.
  ///   - effects: where secrets come from.
  /// - Throws: `KeyFault` when there is no key, or it cannot be opened; `didForm`, `didOfOtherKey`, `otherPin`.
  package init(_ opened: Repository, _ options: Options, _ effects: Effects) throws {
    let identity = try Identity.load(
      opened, effects, needsKey: true, passphrase: options.passphrase,
      makesDevice: !options.isDryRun)
    guard let key = identity.publicKey else { throw KeyFault.noPrivateKey }
    let did = try Self.did(of: key, opened)
    let device = DeviceName(
      did: did.text,
      deviceID: identity.deviceID.isEmpty
        ? TaskID.random(effects.random).text : identity.deviceID)
    let keys = try effects.keySources(opened)
    if let pin = keys.deviceKeys.pin(of: device), pin != key { throw ReceiptFault.otherPin(device) }
    self.device = device
    self.keys = keys
    self.key = key
    self.did = did
    self.identity = identity
    self.opened = opened
    self.options = options
  }

  /// The name of the author: what the settings say, or one that is made of the key.
  private static func did(of key: PublicKey, _ opened: Repository) throws(ReceiptFault) -> DID {
    guard let text = opened.store.config.get(didSetting), !text.isEmpty else { return DID(of: key) }
    guard let did = DID(Array(text.utf8)[...]) else { throw .didForm(text) }
    guard did.mayBelong(to: key) else { throw .didOfOtherKey(text) }
    return did
  }

  // MARK: What can be made

  /// Makes a receipt that begins a chain.
  ///
  /// - Parameters:
  ///   - json: the payload, as `ReceiptPayload` reads it.
  ///   - source: the name of this text in messages.
  ///   - type: the type of the receipt.
  ///   - effects: the surroundings.
  /// - Returns: the receipt; `nil` when it breaks a rule, and nothing is written.
  /// - Throws: as `GroupTransaction.commit`; `timeTaken`, `otherCard`.
  package mutating func create(
    _ json: [UInt8], from source: String, type: String, _ effects: Effects
  ) throws -> Receipt? {
    guard
      let payload = try payload(json, source, type, time: options.time ?? effects.clock(), effects),
      let receipt = try make(draft(type, payload), effects)
    else { return nil }
    return try write(receipt, "create", effects)
  }

  /// Makes a receipt that follows the one that is shown of a chain, and is shown in its place.
  ///
  /// - Parameters:
  ///   - id: any receipt of the chain.
  ///   - json: the payload as a whole; without a time it keeps that of the receipt that it follows.
  ///   - source: the name of this text in messages.
  ///   - type: the type of the receipt; `nil` for an edit of a session, and otherwise that of the receipt that it follows.
  ///   - effects: the surroundings.
  /// - Returns: the receipt; `nil` when it breaks a rule, and nothing is written.
  /// - Throws: as `create`; `unknown`, `deleted`, `foreign`, `withoutEffect`, `unshown`; what `ReceiptHistory` throws.
  package mutating func edit(
    _ id: ObjectID, _ json: [UInt8], from source: String, type: String?, _ effects: Effects
  ) throws -> Receipt? {
    let history = try ReceiptHistory(opened, effects)
    let chain = try living(id, history)
    guard let shown = history.row(of: chain.shown) else { throw ReceiptFault.unknown(chain.shown) }
    let type = type ?? (Receipt.isSession(shown.type) ? Self.edited : shown.type)
    let time = options.time ?? shown.claimed ?? effects.clock()
    guard let payload = try payload(json, source, type, time: time, effects) else { return nil }
    let draft = draft(type, payload, follows: (parent: shown.id, root: chain.root))
    guard let receipt = try make(draft, effects) else { return nil }
    let view = history.view(adding: member(receipt))
    if let effect = view.findings.first(where: { $0.id == receipt.id }) {
      throw ReceiptFault.withoutEffect(on: shown.id, effect.finding.rule, device)
    }
    guard view.chains[chain.root]?.shown == receipt.id else {
      throw ReceiptFault.unshown(type: type, root: chain.root)
    }
    return try write(receipt, "edit", effects)
  }

  /// Makes a receipt that deletes a chain.
  ///
  /// - Parameters:
  ///   - id: any receipt of the chain.
  ///   - reason: why, if that is to be told.
  ///   - effects: the surroundings.
  /// - Returns: the receipt; `nil` when it breaks a rule, and nothing is written.
  /// - Throws: as `edit`.
  package mutating func delete(
    _ id: ObjectID, reason: String?, _ effects: Effects
  ) throws -> Receipt? {
    let history = try ReceiptHistory(opened, effects)
    let chain = try living(id, history)
    var payload = ReceiptPayload(deleting: chain.root, reason: reason)
    _ = payload.setTime(options.time ?? effects.clock(), type: Self.deletedType)
    guard let receipt = try make(draft(Self.deletedType, payload), effects) else { return nil }
    let view = history.view(adding: member(receipt))
    if let effect = view.findings.first(where: { $0.id == receipt.id }) {
      throw ReceiptFault.withoutEffect(on: chain.root, effect.finding.rule, device)
    }
    return try write(receipt, "delete", effects)
  }

  /// The chain of a receipt, if this author can change it.
  private func living(
    _ id: ObjectID, _ history: ReceiptHistory
  ) throws(ReceiptFault) -> ChainView.Chain {
    guard let row = history.row(of: id), let chain = history.view.chains[row.root],
      let root = history.row(of: row.root)
    else { throw .unknown(id) }
    if let tombstone = chain.tombstone { throw .deleted(id, by: tombstone) }
    guard root.did == did.text else { throw .foreign(id, did: root.did) }
    return chain
  }

  // MARK: Making

  private func payload(
    _ json: [UInt8], _ source: String, _ type: String, time: Int64, _ effects: Effects
  ) throws(ReceiptFault) -> ReceiptPayload? {
    do throws(Finding) {
      var payload = try ReceiptPayload(json: json, type: type)
      guard payload.setTime(time, type: type) || options.time == nil else {
        throw Finding(.payloadType)
      }
      return payload
    } catch {
      // The only finding without a place is the one from above.
      if error.place == .whole { throw .timeTaken(type: type) }
      effects.reportErrors([error], of: error.isOfJSON ? source : Self.name(ofType: type))
      return nil
    }
  }

  func draft(
    _ type: String, _ payload: ReceiptPayload,
    follows place: (parent: ObjectID, root: ObjectID)? = nil
  ) -> ReceiptDraft {
    ReceiptDraft(did: did, deviceID: device.deviceID, type: type, payload: payload, follows: place)
  }

  /// A draft, signed and judged; `nil` when it breaks a rule, which is reported.
  func make(_ draft: ReceiptDraft, _ effects: Effects) throws -> Receipt? {
    let preimage = draft.preimage
    let signature = try signature(of: preimage)
    var decoder = ReceiptDecoder()
    let receipt = decoder.decode(preimage, signature: signature)
    let refused = decoder.findings.filter { finding in
      decoder.profile.severity(of: finding) == .error
        || finding.rule == .receiptPrecise && !options.includesPrecise
    }
    let name = Self.name(ofType: draft.type)
    effects.reportErrors(refused.map(Self.withHint), of: name)
    guard refused.isEmpty, let receipt else { return nil }
    if !options.isQuiet {
      for finding in decoder.findings
      where decoder.profile.severity(of: finding) == .warning && finding.rule != .receiptPrecise {
        effects.report(.writing(.odd(finding, of: name, count: 1)))
      }
    }
    return receipt
  }

  /// What a receipt without a name yet is called in messages: its type, unless that is empty.
  private static func name(ofType type: String) -> String { type.isEmpty ? "new receipt" : type }

  private func signature(of preimage: [UInt8]) throws -> Signature {
    switch identity.key {
    case .some(let key): try key.signature(of: preimage, as: .body)
    case .none: throw KeyFault.noPrivateKey
    }
  }

  private static func withHint(_ finding: Finding) -> Finding {
    guard finding.rule == .receiptPrecise else { return finding }
    return Finding(
      finding.rule, at: finding.place, detail: finding.detail,
      hint: "'--include-precise' signs it all the same; a fuzzy place tells less")
  }

  private func member(_ receipt: Receipt) -> ChainMember {
    ChainMember(
      receipt, isGood: true,
      isBound: did.keyStart != nil || keys.deviceKeys.pin(of: device) == key)
  }

  // MARK: Writing

  mutating func write(
    _ receipt: Receipt, _ action: String, _ effects: Effects
  ) throws -> Receipt? {
    if options.isDryRun { return receipt }
    effects.cancellation.hold()
    let card = try newCard(effects)
    var message = "receipt \(action): \(receipt.type)"
    if let reason = options.message { message += ": \(reason)" }
    var taking = GroupTransaction.Options(profile: .v1, updatesHeads: true, message: message)
    taking.isOwn = true
    var transaction = try GroupTransaction(
      of: .receipt, taking, opened, keys, isSingle: card == nil)
    let key = key
    try transaction.add([card, receipt].compactMap { $0 }.map { Self.judged($0, key) })
    let problems = try transaction.problems().filter { $0.isError(.v1) }
    for problem in problems {
      effects.report(.writing(.leftOut(problem.finding, of: problem.id.cidText(as: .receipt))))
    }
    guard problems.isEmpty else { return nil }
    _ = try transaction.commit(effects)
    if let card { try remember(card) }
    return receipt
  }

  private static func judged(_ receipt: Receipt, _ key: PublicKey) -> JudgedObject {
    var judged = JudgedObject(receipt, [])
    judged.settle(.good(.body), by: key, .v1)
    return judged
  }

  // MARK: The card of the device

  /// The card of this device, where there is none yet.
  ///
  /// - Throws: `otherCard` when the device has one with another key, and nothing pins this one.
  private func newCard(_ effects: Effects) throws -> Receipt? {
    if try isKnownCardHere() { return nil }
    if opened.store.config.mayHaveGroups {
      var lookUp = try GroupLookUp(of: .receipt, opened, .v1, keys)
      for card in try DeviceKeys.cards(in: opened.objects) where card.device == device {
        guard let known = card.card, card.verify(key: known).isGood else { continue }
        if known == key {
          guard try lookUp.isInHistory(card.id, of: .chain(card.root)) else { continue }
          try remember(card)
          return nil
        }
        guard keys.deviceKeys.pin(of: device) != nil else {
          throw ReceiptFault.otherCard(device, card.id)
        }
      }
    }
    let exchange = try exchangeKey(effects)
    var payload = ReceiptPayload(
      cardOf: Base64.text(key.bytes.span), exchange: Base64.text(exchange.bytes.span))
    _ = payload.setTime(effects.clock(), type: "\(Receipt.cardType)")
    return try make(draft("\(Receipt.cardType)", payload), effects)
  }

  private func exchangeKey(_ effects: Effects) throws -> X25519PublicKey {
    switch identity.key {
    case .some(let key): try opened.exchangePublicKey(for: key, effects)
    case .none: throw KeyFault.noPrivateKey
    }
  }

  /// Whether the card that the keyring names is this device's, and in the history.
  private func isKnownCardHere() throws -> Bool {
    guard let text = try opened.keyring().text(.deviceCard),
      let id = ObjectID(name: Array(text.utf8).span)
    else {
      return false
    }
    var workspace = LooseStore.Workspace()
    var decoder = ReceiptDecoder()
    guard let object = try opened.objects.read(id, &workspace), object.kind == .receipt,
      let card = decoder.decode(object), card.card == key, card.device == device,
      card.verify(key: key).isGood
    else { return false }
    var lookUp = try GroupLookUp(of: .receipt, opened, .v1, keys)
    return try lookUp.isInHistory(id, of: .chain(card.root))
  }

  private func remember(_ card: Receipt) throws {
    try opened.putLine(card.id.cidText(as: .receipt), in: .deviceCard, .always)
  }
}

extension Repository {
  /// The public key by which others share secrets with this device; it is made on first use.
  ///
  /// Where the key that signs is open to whoever reads the keyring, so is this one; otherwise the signer alone opens it.
  ///
  /// - Throws: `KeyringError` when the keyring cannot be read or written.
  func exchangePublicKey(
    for signer: borrowing SecretKey, _ effects: Effects
  ) throws -> X25519PublicKey {
    if let known = try keyring().exchangeKey() { return known.publicKey }
    let key = X25519PrivateKey.generate()
    let isOpen = try !keyring().pair().isWrapped && KeySource.precedence(self, effects) == nil
    if isOpen {
      try storeNew(ExchangeKeyText.plainText(of: key))
    } else {
      var text = SealedExchangeKey(key, for: signer).text
      try storeNew(SecretBytes(moving: &text))
    }
    // If another process made one first, that one counts.
    guard let stored = try keyring().exchangeKey() else { throw KeyFault.noPrivateKey }
    return stored.publicKey
  }

  private func storeNew(_ text: consuming SecretBytes) throws {
    _ = try keyringWriter().put(.exchangeKey, text, .never)
  }
}
