// Sharing receipts of this device (receipts, section 5.2): what may be seen, for whom, and what is noted of it.

internal import RedoCrypto
package import RedoObject
internal import RedoStore

/// What is shared, and with whom.
package struct ShareRequest: Sendable {
  /// What others may see.
  package enum Permissions: String, CaseIterable, Sendable {
    /// The memory, without places, photos and friends.
    case view
    /// The same, and the cell of a grid in which it was.
    case viewLocation = "view_location"
    /// All of it.
    case full

    /// The members that are left out.
    fileprivate var left: Set<String> {
      self == .full ? [] : ["location_cid", "photo_cids", "friends_present"]
    }
  }

  /// What others may see.
  package var permissions = Permissions.view
  /// With whom; `nil` for all active people of the circle.
  package var people: [String]?
  /// What goes with it.
  package var message: String?

  /// A share of what may be seen by all.
  package init() {}
}

/// A device for which a key is wrapped.
private struct ShareTarget {
  let id: String
  let key: InlineArray<32, UInt8>
}

extension ReceiptWriter {
  private static let sharedType = "app.buds.memory.shared/v1"
  private static let unsharedType = "app.buds.memory.unshared/v1"
  private static let locationType = "app.buds.location/v1"
  private static let revokedType = "app.buds.device.revoked/v1"

  /// Shares a receipt.
  ///
  /// - Parameters:
  ///   - id: a receipt that this device has signed.
  ///   - request: with whom, and what of it.
  ///   - effects: the surroundings.
  /// - Returns: the messages, in the order in which they are to be opened; `nil` when what would be written breaks a rule.
  /// - Throws: `ShareFault`; as `putLocal` and `create`.
  package mutating func share(
    _ id: ObjectID, _ request: ShareRequest, _ effects: Effects
  ) throws -> [ShareMessage]? {
    let receipt = try own(id)
    let found = try opened.localRows()
    guard let contents = try contents(receipt, request.permissions, found, effects) else {
      return nil
    }
    let people = try Self.people(request.people, found)
    let targets = try targets(people, found, effects)
    let exchange = try exchangeKeyOfDevice(effects)
    let now = effects.clock()
    let messages = try contents.map { content throws in
      try message(content, people, targets, exchange, now, effects)
    }
    guard let last = messages.last, !options.isDryRun else { return messages }
    let payload = ReceiptPayload(
      sharing: id, with: people, permissions: request.permissions.rawValue,
      message: request.message)
    guard let note = try signed(payload, Self.sharedType, now, effects) else { return nil }
    try opened.putLocal { _ in [try Self.row(id, request, people, last, now)] }
    return try write(note, "share", effects) == nil ? nil : messages
  }

  private func exchangeKeyOfDevice(_ effects: Effects) throws -> X25519PrivateKey {
    switch identity.key {
    case .some(let key): try opened.exchangeKey(for: key, options.passphrase, effects)
    case .none: throw KeyFault.noPrivateKey
    }
  }

  private func signed(
    _ payload: ReceiptPayload, _ type: String, _ now: Int64, _ effects: Effects
  ) throws -> Receipt? {
    var payload = payload
    _ = payload.setTime(now, type: type)
    return try make(draft(type, payload), effects)
  }

  /// A receipt of the history that this very device has signed: others check what is shared with its key.
  private func own(_ id: ObjectID) throws -> Receipt {
    var workspace = LooseStore.Workspace()
    var decoder = ReceiptDecoder()
    guard let object = try opened.objects.read(id, &workspace) else {
      throw HistoryFault.missing(id)
    }
    guard object.kind == .receipt, let receipt = decoder.decode(object) else {
      throw ReceiptFault.unknown(id)
    }
    var lookUp = try GroupLookUp(of: .receipt, opened, .v1, keys)
    guard try lookUp.isInHistory(id, of: .chain(receipt.root)) else {
      throw ReceiptFault.unknown(id)
    }
    guard receipt.device == device, receipt.verify(key: key).isGood else {
      throw ShareFault.foreign(id)
    }
    let isPrecise = decoder.findings.contains { $0.rule == .receiptPrecise }
    guard options.includesPrecise || !isPrecise else { throw ShareFault.precise(id) }
    return receipt
  }

  /// What is sent: the receipt itself, or a copy of it that stands alone; before that its place, if it is to be seen.
  private func contents(
    _ receipt: Receipt, _ permissions: ShareRequest.Permissions, _ found: LocalRows.Found,
    _ effects: Effects
  ) throws -> [Receipt]? {
    let copied = ReceiptPayload.copy(of: receipt, without: permissions.left)
    let isLess = copied?.isLess ?? (permissions != .full)
    guard isLess || receipt.parent != nil || permissions == .viewLocation else { return [receipt] }
    guard var payload = copied?.payload else { throw ShareFault.uncopied(receipt.id) }
    var contents: [Receipt] = []
    if permissions == .viewLocation {
      let cell = try Self.cell(of: receipt, found, effects)
      let time = receipt.claimed ?? effects.clock()
      guard
        let place = try signed(ReceiptPayload(cell: cell), Self.locationType, time, effects)
      else { return nil }
      contents.append(place)
      payload.set("location_cid", text: place.id.cidText(as: .receipt))
    }
    let type = receipt.isSession ? Self.created : receipt.type
    guard let copy = try make(draft(type, payload), effects) else { return nil }
    return contents + [copy]
  }

  /// The cell of the place of a receipt, if it may be seen by now.
  private static func cell(
    of receipt: Receipt, _ found: LocalRows.Found, _ effects: Effects
  ) throws(ShareFault) -> FuzzyPlace {
    let names = Set([receipt.id, receipt.root].map { $0.cidText(as: .receipt) })
    let rows = found.rows(of: .locations).filter { row in
      row.text("receipt_cid").map { names.contains($0) } ?? false
    }
    guard let row = rows.first, let latitude = row.number("latitude") ?? row.number("fuzzy_lat"),
      let longitude = row.number("longitude") ?? row.number("fuzzy_lon")
    else { throw .noPlace(receipt.id) }
    if let until = row.number("delay_share_until"), Double(effects.clock()) < until * 1000 {
      throw .deferred(receipt.id, until: Int64(until * 1000))
    }
    return FuzzyPlace(latitude: latitude, longitude: longitude)
  }

  private static func people(
    _ asked: [String]?, _ found: LocalRows.Found
  ) throws(ShareFault) -> [String] {
    let active = Set(
      found.rows(of: .circles).filter { $0.text("status") == "active" }.compactMap {
        $0.text("did")
      })
    for did in asked ?? [] where !active.contains(did) { throw .inactive(did) }
    let people = Set(asked ?? Array(active)).sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    guard !people.isEmpty else { throw .nobody }
    return people
  }

  /// The devices of people for which a key is wrapped: pinned, and revoked neither here nor by their owner.
  private func targets(
    _ people: [String], _ found: LocalRows.Found, _ effects: Effects
  ) throws -> [ShareTarget] {
    let history = try ReceiptHistory(opened, effects)
    var targets: [ShareTarget] = []
    for did in people {
      let before = targets.count
      for row in found.rows(of: .devices)
      where row.text("owner_did") == did && row.text("status") == "active" {
        let device = DeviceName(did: did, deviceID: row.key.text)
        let isRevoked = try history.receipts(of: Self.revokedType, speakingFor: device).contains {
          try payloadText(of: $0, "revoked_device_id") == device.deviceID
        }
        guard !isRevoked, let key = row.publicKey("pubkey_x25519") else { continue }
        targets.append(ShareTarget(id: device.deviceID, key: key.bytes))
      }
      guard targets.count > before else { throw ShareFault.noDevice(did) }
    }
    return targets
  }

  private func payloadText(of id: ObjectID, _ name: StaticString) throws -> String? {
    var workspace = LooseStore.Workspace()
    var decoder = ReceiptDecoder()
    guard let object = try opened.objects.read(id, &workspace) else { return nil }
    return decoder.decode(object)?.payloadText(name)
  }

  private func message(
    _ content: Receipt, _ people: [String], _ targets: [ShareTarget],
    _ exchange: borrowing X25519PrivateKey, _ now: Int64, _ effects: Effects
  ) throws -> ShareMessage {
    let key = SecretBytes(randomCount: AES256GCM.keyCount)
    var wrapped: [String: [UInt8]] = [:]
    for target in targets {
      guard
        let wrap = ShareWrap.wrap(
          key, by: exchange, for: target.key, nonce: Random.bytes(AES256GCM.nonceCount))
      else { throw ShareFault.unusableKey(device: target.id) }
      wrapped[target.id] = wrap
    }
    let cid = Array(content.id.cidText(as: .receipt).utf8)
    let preimage = content.preimage
    guard
      let sealed = AES256GCM.seal(
        preimage.span, key: key, nonce: Random.bytes(AES256GCM.nonceCount), associated: cid),
      let signature = content.signature
    else { throw ShareFault.foreign(content.id) }
    return ShareMessage(
      messageID: TaskID.random(effects.random).text, receipt: content.id, payload: sealed,
      wrapped: wrapped, sender: device, recipients: people, created: now, signature: signature)
  }

  private static func row(
    _ id: ObjectID, _ request: ShareRequest, _ people: [String], _ message: ShareMessage,
    _ now: Int64
  ) throws(Finding) -> LocalRow {
    var members = [
      "id": LocalRow.json(message.messageID),
      "memory_cid": LocalRow.json(id.cidText(as: .receipt)),
      "shared_with": request.people == nil ? LocalRow.json("circle") : LocalRow.json(people),
      "permissions": LocalRow.json(request.permissions.rawValue),
      "encrypted_payload": LocalRow.json(Base64.text(message.payload.span)),
      "wrapped_keys_json": LocalRow.json(
        String(decoding: message.wrappedKeys, as: UTF8.self)),
      "shared_at": LocalRow.json(time: now),
    ]
    members["message"] = request.message.map { LocalRow.json($0) }
    return try LocalRow(.sharedMemories, key: nil, members: members, time: now)
  }

  /// Notes that a share is taken back, for those who keep to it; what others have they keep.
  ///
  /// - Parameters:
  ///   - name: the id of a message.
  ///   - effects: the surroundings.
  /// - Returns: the receipt that says so; `nil` when it breaks a rule.
  /// - Throws: `ShareFault.unshared`; as `putLocal` and `create`.
  package mutating func unshare(_ name: String, _ effects: Effects) throws -> Receipt? {
    let found = try opened.localRows()
    let known = found.rows[LocalRow.Key(.sharedMemories, name)]
    guard let known, var members = known.members, members["unshared_at"] == nil,
      let cid = known.text("memory_cid"), let memory = ObjectID(name: Array(cid.utf8).span)
    else { throw ShareFault.unshared(name) }
    let people =
      known.text("shared_with") == "circle"
      ? found.rows(of: .circles).compactMap { $0.text("did") } : known.texts("shared_with")
    let now = effects.clock()
    members["unshared_at"] = LocalRow.json(time: now)
    let payload = ReceiptPayload(unsharing: memory, from: people)
    guard let note = try signed(payload, Self.unsharedType, now, effects) else { return nil }
    try opened.putLocal(isDryRun: options.isDryRun) { _ in
      [try LocalRow(.sharedMemories, key: name, members: members, time: now)]
    }
    return try write(note, "unshare", effects)
  }
}
