// The tables of local rows (receipts, sections 3.1 and 3.3): what a person notes about receipts, and what cannot be derived
// from them. Names and values are those of the app's database.

/// A table of local rows.
package enum LocalTable: String, CaseIterable, Sendable {
  /// What is noted about a chain of receipts; the key is its first receipt.
  case localReceipts = "local_receipts"
  /// People with whom memories are shared.
  case circles
  /// Their devices and one's own, with their keys.
  case devices
  /// Invitations that were made.
  case circleInvites = "circle_invites"
  /// What was shared, and with whom.
  case sharedMemories = "shared_memories"
  /// What others have shared.
  case receivedMemories = "received_memories"
  /// Where something happened.
  case locations
  /// What is known about bytes: pictures.
  case blobs
  /// Which bytes belong to a receipt.
  case receiptBlobs = "receipt_blobs"

  /// What a column holds.
  enum Value: Sendable {
    case text
    /// A text of at least one and at most 200 characters.
    case name
    /// One of some texts.
    case word([String])
    /// 0 or 1.
    case flag
    case integer(ClosedRange<Int64>)
    /// A number; a time is one of seconds since 1970.
    case real(ClosedRange<Double>)
    /// The CID of a receipt, or of bytes.
    case cid(ObjectKind)
    case did
    /// 32 bytes in Base64.
    case key
    /// Bytes in Base64, of one count if it is given.
    case base64(count: Int?)
    /// A text that is a JSON array of texts.
    case texts
    /// A text that is a JSON array of CIDs of bytes, at most so many.
    case cids(limit: Int)
    /// A text that is a JSON array of DIDs, or `circle`.
    case people
    /// A text that is a JSON object.
    case object
    /// `BUDS-XXXX-XXXX`, upper-case hex digits.
    case code
    /// A phone number as E.164 has it.
    case phone
  }

  /// A column.
  struct Column: Sendable {
    let name: String
    let value: Value
    /// Whether it is there in every row.
    let isRequired: Bool
    /// Whether no two rows have the same value.
    var isUnique = false

    static func must(_ value: Value, _ names: String...) -> [Column] {
      names.map { Column(name: $0, value: value, isRequired: true) }
    }

    static func may(_ value: Value, _ names: String...) -> [Column] {
      names.map { Column(name: $0, value: value, isRequired: false) }
    }

    static func unique(_ value: Value, _ name: String, isRequired: Bool = true) -> [Column] {
      [Column(name: name, value: value, isRequired: isRequired, isUnique: true)]
    }
  }

  /// The most pictures that are noted of a chain.
  package static let imageLimit = 3
  private static let time = Value.real(-62_135_596_800...253_402_300_799.999)
  private static let latitude = Value.real(-90...90)
  private static let longitude = Value.real(-180...180)
  private static let number = Value.real(-1e9...1e9)
  private static let count = Value.integer(0...1 << 53)

  /// The columns whose values, with a slash between them, are the key; none where the key is no column.
  var keyColumns: [String] {
    switch self {
    case .localReceipts: []
    case .circles, .circleInvites, .sharedMemories, .receivedMemories: ["id"]
    case .devices: ["device_id"]
    case .locations, .blobs: ["cid"]
    case .receiptBlobs: ["receipt_cid", "blob_cid"]
    }
  }

  /// A column of counts, and the one that says how many there may be.
  var bound: (column: String, limit: String)? {
    self == .circleInvites ? ("use_count", "max_uses") : nil
  }

  /// Its columns.
  var columns: [Column] { Self.all[self] ?? [] }

  /// The names of its columns, and whether each is there in every row.
  package var columnNames: [String: Bool] {
    Dictionary(uniqueKeysWithValues: columns.map { ($0.name, $0.isRequired) })
  }

  /// The names of the columns of which no two rows have the same value.
  package var uniqueNames: [String] { columns.filter(\.isUnique).map(\.name) }

  private static let all: [LocalTable: [Column]] = [
    .localReceipts: Column.unique(.name, "uuid")
      + Column.must(.flag, "is_favorited") + Column.may(.flag, "archived")
      + Column.may(.texts, "tags_json") + Column.may(.text, "local_notes")
      + Column.may(.cids(limit: imageLimit), "image_cids")
      + Column.must(time, "created_at", "updated_at"),
    .circles: Column.must(.name, "id") + Column.unique(.did, "did")
      + Column.must(.text, "display_name") + Column.may(.phone, "phone_number")
      + Column.may(.cid(.blob), "avatar_cid") + Column.must(.key, "pubkey_x25519")
      + Column.must(.word(["pending", "active", "removed"]), "status")
      + Column.may(time, "joined_at", "invited_at", "removed_at")
      + Column.must(time, "created_at", "updated_at"),
    .devices: Column.must(.name, "device_id") + Column.must(.did, "owner_did")
      + Column.must(.text, "device_name") + Column.must(.key, "pubkey_x25519", "pubkey_ed25519")
      + Column.must(.word(["active", "revoked"]), "status") + Column.must(time, "registered_at")
      + Column.may(time, "last_seen_at"),
    .circleInvites: Column.must(.name, "id") + Column.unique(.code, "invite_code")
      + Column.may(.did, "invitee_did") + Column.may(time, "expires_at")
      + Column.must(count, "max_uses", "use_count")
      + Column.must(.word(["pending", "accepted", "expired"]), "status")
      + Column.may(.text, "message") + Column.must(time, "created_at")
      + Column.may(time, "accepted_at"),
    .sharedMemories: Column.must(.name, "id") + Column.must(.cid(.receipt), "memory_cid")
      + Column.must(.people, "shared_with")
      + Column.must(.word(["view", "view_location", "full"]), "permissions")
      + Column.may(.base64(count: nil), "encrypted_payload", "nonce")
      + Column.may(.object, "wrapped_keys_json") + Column.may(.text, "message")
      + Column.must(time, "shared_at") + Column.may(time, "unshared_at"),
    .receivedMemories: Column.must(.name, "id")
      + Column.must(.cid(.receipt), "memory_cid", "header_cid") + Column.must(.did, "sender_did")
      + Column.must(.word(["view", "view_location", "full"]), "permissions")
      + Column.must(time, "shared_at", "received_at")
      + Column.unique(.name, "relay_message_id", isRequired: false),
    .locations: Column.must(.cid(.blob), "cid") + Column.may(.cid(.receipt), "receipt_cid")
      + Column.must(.word(["precise", "fuzzy", "named"]), "location_type")
      + Column.may(latitude, "latitude", "fuzzy_lat")
      + Column.may(longitude, "longitude", "fuzzy_lon") + Column.may(number, "altitude", "accuracy")
      + Column.may(count, "fuzzy_radius") + Column.may(.text, "place_name", "place_category")
      + Column.must(time, "captured_at", "created_at") + Column.may(time, "delay_share_until")
      + Column.may(.base64(count: 16), "salt"),
    .blobs: Column.must(.cid(.blob), "cid") + Column.must(.name, "mime_type")
      + Column.must(count, "size") + Column.may(.text, "local_path")
      + Column.must(.flag, "encrypted") + Column.may(.cid(.blob), "thumbnail_cid")
      + Column.must(time, "created_at"),
    .receiptBlobs: Column.must(.cid(.receipt), "receipt_cid")
      + Column.must(.cid(.blob), "blob_cid") + Column.must(count, "position"),
  ]
}
