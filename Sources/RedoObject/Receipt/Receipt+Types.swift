// The types of receipts (receipts, section 1.6): which members the payload of each has.

/// What the payloads of one type of receipts hold.
struct ReceiptType: Sendable {
  /// What a member is.
  enum Value: Sendable {
    case text
    /// One of some texts.
    case word([StaticString])
    /// The CID of a receipt, or of a receipt or bytes.
    case cid(isOfReceipt: Bool)
    /// A public key of 32 bytes in Base64.
    case key
    case bool
    case integer(ClosedRange<Int64>?)
    /// A float or an integer.
    case number(ClosedRange<Double>?)
    case texts
    case cids
    /// A text of at most so many characters.
    case notes
  }

  /// One member.
  struct Member: Sendable {
    let name: StaticString
    let value: Value
    let isRequired: Bool

    static func must(_ value: Value, _ names: StaticString...) -> [Member] {
      names.map { Member(name: $0, value: value, isRequired: true) }
    }

    static func may(_ value: Value, _ names: StaticString...) -> [Member] {
      names.map { Member(name: $0, value: value, isRequired: false) }
    }
  }

  /// Its members, but for the claimed time.
  let members: [Member]
  /// Whether it says when it happened.
  var isTimed = true
  /// Whether nothing is asked of its payload.
  var takesAnything = false
  /// Whether it changes another receipt.
  var needsParent = false
  /// Whether it says which key a device signs with.
  var isCard = false
  /// The member with the CID of a receipt whose chain it deletes.
  var deletes: StaticString?

  /// The most characters of notes.
  static let notesLimit = 5_000
  /// The member that says when it happened, in milliseconds from 1970.
  static let claimed: StaticString = "claimed_time_ms"

  /// The type that a receipt of a form says; `nil` for one that is not known.
  static func named(_ name: ArraySlice<UInt8>, _ form: Receipt.Form) -> ReceiptType? {
    let key = String(decoding: name, as: UTF8.self)
    if sessions.contains(key) { return form == .client ? clientSession : docsSession }
    return types[key]
  }

  /// How many decimals of a member are kept in an integer: the apps have hundredths of percents, and milligrams.
  static func decimals(of member: String, _ type: String) -> Int {
    guard sessions.contains(type) else { return 0 }
    switch member {
    case "thc_percent", "cbd_percent": return 2
    case "amount_grams": return 3
    default: return 0
    }
  }

  /// What a member of a session is that only the documents know, not the apps; `nil` for any other.
  static func docsMember(_ name: String, of type: String) -> Value? {
    guard sessions.contains(type), !clientSession.members.contains(where: { "\($0.name)" == name })
    else { return nil }
    return docsSession.members.first { "\($0.name)" == name }?.value
  }

  /// The member with the time at which something happened; `nil` where there is none.
  static func timeMember(of type: String) -> String? {
    switch type {
    case "app.buds.reaction.added/v1": "created_at_ms"
    case "app.buds.reaction.removed/v1": nil
    default: "\(claimed)"
    }
  }

  /// What deletes the chain that it follows.
  static let sessionDeleted = "app.buds.session.deleted/v1"

  /// What tells of a session.
  static let sessions: Set = [
    "app.buds.session.created/v1", "app.buds.session.edited/v1", "app.buds.session.updated/v1",
  ]

  /// What the apps write: percents in hundredths, amounts in milligrams.
  private static let clientSession = ReceiptType(
    members: Member.must(.text, "product_name", "product_type")
      + Member.must(.integer(1...5), "rating") + Member.must(.texts, "effects")
      + Member.may(.notes, "notes") + Member.may(.text, "brand", "consumption_method")
      + Member.may(.cid(isOfReceipt: false), "location_cid")
      + Member.may(.integer(0...10_000), "thc_percent", "cbd_percent")
      + Member.may(.integer(0...1_000_000), "amount_grams"),
    isTimed: false)

  private static let docsSession = ReceiptType(
    members: Member.may(
      .text, "product_name", "product_brand", "product_type", "strain_name", "strain_type",
      "dispensary_name", "dispensary_id", "method")
      + Member.may(.notes, "notes") + Member.may(.cid(isOfReceipt: false), "location_cid")
      + Member.may(.number(0...100), "thc_percent", "cbd_percent")
      + Member.may(.number(0...1_000), "amount_grams") + Member.may(.integer(1...5), "rating")
      + Member.may(.integer(nil), "session_duration_mins")
      + Member.may(.texts, "effects", "mood_before", "mood_after", "friends_present")
      + Member.may(.cids, "photo_cids"))

  private static let types: [String: ReceiptType] = [
    sessionDeleted: ReceiptType(members: [], takesAnything: true, needsParent: true),
    "app.buds.preferences.updated/v1": ReceiptType(members: [], takesAnything: true),
    "app.buds.daily.summary/v1": ReceiptType(members: [], takesAnything: true),
    "app.buds.memory.deleted/v1": ReceiptType(
      members: Member.must(.cid(isOfReceipt: true), "memory_cid") + Member.may(.text, "reason")
        + Member.may(.bool, "cascade_unshare"), deletes: "memory_cid"),
    "app.buds.memory.shared/v1": ReceiptType(
      members: Member.must(.cid(isOfReceipt: true), "memory_cid")
        + Member.must(.texts, "shared_with")
        + Member.must(.word(["view", "view_location", "full"]), "permissions")
        + Member.may(.text, "message")),
    "app.buds.memory.unshared/v1": ReceiptType(
      members: Member.must(.cid(isOfReceipt: true), "memory_cid")
        + Member.must(.texts, "unshared_from")),
    "app.buds.reaction.added/v1": ReceiptType(
      members: Member.must(.text, "memory_id", "reaction_type")
        + Member.must(.integer(nil), "created_at_ms"),
      isTimed: false),
    "app.buds.reaction.removed/v1": ReceiptType(
      members: Member.must(.text, "memory_id", "reaction_type"), isTimed: false),
    "app.buds.memory.reaction.created/v1": reaction,
    "app.buds.memory.reaction.removed/v1": reaction,
    "app.buds.circle.invite.created/v1": ReceiptType(
      members: Member.must(.text, "invite_code", "inviter_did")
        + Member.may(.integer(nil), "expires_at", "max_uses") + Member.may(.text, "message")),
    "app.buds.circle.invite.accepted/v1": ReceiptType(
      members: Member.must(
        .text, "invite_code", "inviter_did", "invitee_did", "invitee_pubkey_x25519")),
    "app.buds.circle.member.removed/v1": ReceiptType(
      members: Member.must(.text, "removed_did", "removed_by_did") + Member.may(.text, "reason")),
    "app.buds.device.revoked/v1": ReceiptType(
      members: Member.must(.text, "revoked_device_id", "revoked_by_device_id")
        + Member.may(.text, "reason")),
    "app.buds.location/v1": ReceiptType(
      members: Member.must(.word(["precise", "fuzzy", "named"]), "location_type")
        + Member.may(
          .number(nil), "latitude", "longitude", "altitude", "accuracy", "fuzzy_lat", "fuzzy_lon")
        + Member.may(.integer(nil), "fuzzy_radius", "delay_share_until")
        + Member.may(.text, "place_name", "place_category")),
    "\(Receipt.cardType)": ReceiptType(
      members: Member.must(.key, "pubkey_ed25519", "pubkey_x25519"), isCard: true),
  ]

  private static let reaction = ReceiptType(
    members: Member.must(.cid(isOfReceipt: true), "memory_cid")
      + Member.must(.text, "reaction_type", "jar_id"))
}
