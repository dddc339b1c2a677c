// People and devices in local rows: whom something may be shared with, and which keys belong to whom. Only these changes write
// such rows; a card that comes along never does.

internal import RedoCrypto
package import RedoObject
internal import RedoStore

/// What keeps people and devices from being noted.
package enum CircleFault: Fault {
  /// Nobody of this name is in the circle.
  case unknownPerson(String)
  /// Somebody of this name is in the circle.
  case knownPerson(String)
  /// No device of this name is noted.
  case unknownDevice(String)
  /// A receipt is not the card of a device, or its signature does not hold.
  case noCard(ObjectID)
  /// A device is noted with another key, or as somebody else's.
  case otherDevice(String)
  /// There is no invitation of this code.
  case unknownCode(String)
  /// An invitation was accepted as often as it may be.
  case usedUp(String, uses: Int)
  /// An invitation has ended.
  case ended(String, at: Int64)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .unknownPerson, .unknownDevice, .unknownCode: .missing
    case .noCard: .invalid
    case .knownPerson, .otherDevice, .usedUp, .ended: .refused
    }
  }

  /// The name, the card or the code.
  package var subject: String? {
    switch self {
    case .unknownPerson(let text), .knownPerson(let text), .unknownDevice(let text),
      .otherDevice(let text), .unknownCode(let text), .usedUp(let text, _), .ended(let text, _):
      text
    case .noCard(let id): id.cidText(as: .receipt)
    }
  }
}

/// What is said of somebody in the circle; what is `nil` stays as it is.
package struct CirclePerson: Sendable {
  /// How somebody is called here.
  package var name: String?
  /// A phone number, for people to see.
  package var phone: String?
  /// The public key of the person, in Base64, where there is one for all of their devices.
  package var key: String?
  /// `pending`, `active` or `removed`.
  package var status: String?

  /// Nothing.
  package init() {}
}

extension Repository {
  /// The key of people whose devices have their own.
  private static let noKey = String(repeating: "A", count: 43) + "="

  /// The row of somebody.
  private static func person(_ did: String, _ found: LocalRows.Found) -> LocalRow? {
    found.rows(of: .circles).first { $0.text("did") == did }
  }

  /// Adds somebody to the circle, or changes what is noted of them.
  ///
  /// - Parameters:
  ///   - did: the author's name.
  ///   - person: what is said of them.
  ///   - isNew: whether they are to be added; one that was removed may be added again.
  ///   - effects: the clock.
  /// - Throws: `knownPerson`, `unknownPerson`; as `putLocal`.
  package func setPerson(
    _ did: String, _ person: CirclePerson, isNew: Bool, _ effects: Effects
  ) throws {
    let now = effects.clock()
    let id = TaskID.random(effects.random).text
    try putLocal { found in
      let known = Self.person(did, found)
      if isNew, let known, known.text("status") != "removed" {
        throw CircleFault.knownPerson(did)
      }
      if !isNew, known == nil { throw CircleFault.unknownPerson(did) }
      var person = person
      if isNew { person.status = person.status ?? "active" }
      return [try Self.row(did, person, over: known, id: id, now)]
    }
  }

  private static func row(
    _ did: String, _ person: CirclePerson, over known: LocalRow?, id: String, _ now: Int64
  ) throws(Finding) -> LocalRow {
    let fresh = [
      "id": LocalRow.json(id), "did": LocalRow.json(did), "display_name": LocalRow.json(did),
      "pubkey_x25519": LocalRow.json(noKey), "status": LocalRow.json("active"),
      "created_at": LocalRow.json(time: now),
    ]
    var members = fresh.merging(known?.members ?? [:]) { _, kept in kept }
    let said = [
      "display_name": person.name, "phone_number": person.phone, "pubkey_x25519": person.key,
      "status": person.status,
    ]
    for (name, text) in said { if let text { members[name] = LocalRow.json(text) } }
    let time = LocalRow.json(time: now)
    members["updated_at"] = time
    let stamp = ["pending": "invited_at", "active": "joined_at", "removed": "removed_at"]
    if let name = person.status.flatMap({ stamp[$0] }) { members[name] = time }
    if person.status == "active" { members["removed_at"] = nil }
    return try LocalRow(.circles, key: nil, members: members, time: now)
  }

  // MARK: Devices

  /// Pins the keys of a device: those of its card, which somebody has compared, or was given by hand.
  ///
  /// - Parameters:
  ///   - cards: the cards; each must be signed with the key that it names.
  ///   - name: what the device is called here.
  ///   - effects: the clock.
  /// - Throws: `noCard`, `otherDevice`; `StoreError` when a card cannot be read; as `putLocal`.
  package func addDevices(
    _ cards: [ObjectID], name: String?, _ effects: Effects
  ) throws {
    let devices = try cards.map { id throws in try card(id) }
    let now = effects.clock()
    try putLocal { found in
      try devices.map { device throws in try Self.row(device, name: name, found, now) }
    }
  }

  /// A card, and the key by which others share secrets with the device, as its card writes it.
  private struct CardOfDevice {
    let receipt: Receipt
    let device: DeviceName
    let key: PublicKey
    let exchange: String
  }

  private func card(_ id: ObjectID) throws -> CardOfDevice {
    var workspace = LooseStore.Workspace()
    var decoder = ReceiptDecoder()
    guard let object = try objects.read(id, &workspace) else { throw HistoryFault.missing(id) }
    guard object.kind == .receipt, let receipt = decoder.decode(object), let key = receipt.card,
      let device = receipt.device,
      receipt.verify(key: key).isGood, let exchange = receipt.payloadText("pubkey_x25519")
    else { throw CircleFault.noCard(id) }
    return CardOfDevice(receipt: receipt, device: device, key: key, exchange: exchange)
  }

  private static func row(
    _ card: CardOfDevice, name: String?, _ found: LocalRows.Found, _ now: Int64
  ) throws -> LocalRow {
    let id = card.device.deviceID
    let known = found.rows[LocalRow.Key(.devices, id)]
    if let known, known.members != nil {
      guard known.text("owner_did") == card.device.did,
        known.publicKey("pubkey_ed25519") == card.key
      else { throw CircleFault.otherDevice(id) }
    }
    var members = [
      "device_id": LocalRow.json(id), "owner_did": LocalRow.json(card.device.did),
      "device_name": known?.members?["device_name"] ?? LocalRow.json(id),
      "pubkey_ed25519": LocalRow.json(Base64.text(card.key.bytes.span)),
      "pubkey_x25519": LocalRow.json(card.exchange), "status": LocalRow.json("active"),
      "registered_at": known?.members?["registered_at"] ?? LocalRow.json(time: now),
    ]
    members["last_seen_at"] = known?.members?["last_seen_at"]
    if let name { members["device_name"] = LocalRow.json(name) }
    return try LocalRow(.devices, key: nil, members: members, time: now)
  }

  /// Takes a device out of what is shared from now on; what it signs stays as good as it was.
  ///
  /// - Throws: `unknownDevice`; as `putLocal`.
  package func revokeDevice(_ id: String, _ effects: Effects) throws {
    let now = effects.clock()
    try putLocal { found in
      guard let known = found.rows[LocalRow.Key(.devices, id)], var members = known.members else {
        throw CircleFault.unknownDevice(id)
      }
      members["status"] = LocalRow.json("revoked")
      return [try LocalRow(.devices, key: nil, members: members, time: now)]
    }
  }

  // MARK: Invitations

  /// Notes an invitation.
  ///
  /// - Parameters:
  ///   - uses: how often it may be accepted.
  ///   - end: until when, in milliseconds since 1970; `nil` for good.
  ///   - message: what goes with it.
  ///   - effects: the clock, and randomness.
  /// - Returns: the code.
  /// - Throws: as `putLocal`.
  package func invite(
    uses: Int, until end: Int64?, message: String?, _ effects: Effects
  ) throws -> String {
    let now = effects.clock()
    let id = TaskID.random(effects.random).text
    let digits = Random.hex16().uppercased()
    let code = "BUDS-\(digits.prefix(4))-\(digits.dropFirst(4).prefix(4))"
    var members = [
      "id": LocalRow.json(id), "invite_code": LocalRow.json(code),
      "max_uses": Array("\(uses)".utf8),
      "use_count": Array("0".utf8), "status": LocalRow.json("pending"),
      "created_at": LocalRow.json(time: now),
    ]
    members["expires_at"] = end.map { LocalRow.json(time: $0) }
    members["message"] = message.map { LocalRow.json($0) }
    try putLocal { _ in
      [try LocalRow(.circleInvites, key: nil, members: members, time: now)]
    }
    return code
  }

  /// Takes somebody who answers an invitation into the circle, with the devices whose cards they show.
  ///
  /// - Parameters:
  ///   - code: the code of the invitation.
  ///   - cards: the cards, all of one author.
  ///   - person: what is said of them.
  ///   - effects: the clock, and randomness.
  /// - Throws: `unknownCode`, `usedUp`, `ended`, `noCard`, `otherDevice`; as `putLocal`.
  package func accept(
    _ code: String, _ cards: [ObjectID], _ person: CirclePerson, _ effects: Effects
  ) throws {
    let devices = try cards.map { id throws in try card(id) }
    guard let did = devices.first?.device.did else { throw CircleFault.unknownCode(code) }
    if let other = devices.first(where: { $0.device.did != did }) {
      throw CircleFault.noCard(other.receipt.id)
    }
    let now = effects.clock()
    let id = TaskID.random(effects.random).text
    try putLocal { found in
      var rows = [try Self.used(code, by: did, found, now)]
      var person = person
      person.status = "active"
      person.key = person.key ?? devices.first?.exchange
      rows.append(try Self.row(did, person, over: Self.person(did, found), id: id, now))
      for device in devices { rows.append(try Self.row(device, name: nil, found, now)) }
      return rows
    }
  }

  /// The row of an invitation that was accepted once more.
  private static func used(
    _ code: String, by did: String, _ found: LocalRows.Found, _ now: Int64
  ) throws -> LocalRow {
    let row = found.rows(of: .circleInvites).first { $0.text("invite_code") == code }
    guard let row, var members = row.members else { throw CircleFault.unknownCode(code) }
    let uses = row.integer("max_uses") ?? 0
    let count = row.integer("use_count") ?? 0
    if let end = row.number("expires_at"), Double(now) / 1000 >= end {
      throw CircleFault.ended(code, at: Int64(end * 1000))
    }
    guard count < uses else { throw CircleFault.usedUp(code, uses: uses) }
    members["use_count"] = Array("\(count + 1)".utf8)
    members["invitee_did"] = LocalRow.json(did)
    members["accepted_at"] = LocalRow.json(time: now)
    members["status"] = LocalRow.json(count + 1 == uses ? "accepted" : "pending")
    return try LocalRow(.circleInvites, key: nil, members: members, time: now)
  }
}
