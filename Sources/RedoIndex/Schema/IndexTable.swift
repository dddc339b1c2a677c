// The tables that rows are fed to: their columns, in the order of names that RFC 8785 gives a row's members, and
// their keys. What is derived from these rows here (full text, days) has no entry. The SQL is in IndexSchema.

/// What a column holds.
enum ColumnKind: Sendable {
  /// A JSON string.
  case text
  /// An integer of 64 bits; `false` and `true` are 0 and 1.
  case integer
  /// A number, kept as a binary64 even when it is whole.
  case real
  /// A number, kept as an integer where it is one.
  case number
  /// Bytes: Base64 in JSON.
  case blob
}

/// A column of a table.
struct IndexColumn: Sendable {
  let name: StaticString
  let kind: ColumnKind
  /// What a row has that does not name it; `nil` for NULL.
  let missing: Int64?

  init(_ name: StaticString, _ kind: ColumnKind, missing: Int64? = nil) {
    self.name = name
    self.kind = kind
    self.missing = missing
  }

  var text: String { "\(name)" }
}

/// A table that rows are fed to.
package enum IndexTable: String, CaseIterable, Sendable {
  // Parents before those that refer to them.
  case blobs
  case circles
  case devices
  case circleInvites = "circle_invites"
  case headers = "ucr_headers"
  case chains = "redo_chains"
  case localReceipts = "local_receipts"
  case locations
  case receiptBlobs = "receipt_blobs"
  case sharedMemories = "shared_memories"
  case receivedMemories = "received_memories"
  case tasks
  case todos
  case nodes
  case schemas
  case fields
  case records

  /// The columns that say which row it is.
  var key: [String] {
    switch self {
    case .blobs, .headers, .locations: ["cid"]
    case .circles, .circleInvites, .sharedMemories, .receivedMemories, .nodes: ["id"]
    case .devices: ["device_id"]
    case .chains: ["root_cid"]
    case .localReceipts: ["uuid"]
    case .receiptBlobs: ["blob_cid", "receipt_cid"]
    case .tasks: ["guid"]
    case .todos: ["guid", "task"]
    case .schemas: ["name"]
    case .fields: ["id", "schema"]
    case .records: ["guid"]
    }
  }

  /// Every column, sorted by name.
  var columns: [IndexColumn] {
    switch self {
    case .blobs: Self.blobColumns
    case .circles: Self.circleColumns
    case .devices: Self.deviceColumns
    case .circleInvites: Self.inviteColumns
    case .headers: Self.headerColumns
    case .chains: Self.chainColumns
    case .localReceipts: Self.localColumns
    case .locations: Self.locationColumns
    case .receiptBlobs: Self.receiptBlobColumns
    case .sharedMemories: Self.sharedColumns
    case .receivedMemories: Self.receivedColumns
    case .tasks: Self.taskColumns
    case .todos: Self.todoColumns
    case .nodes: Self.nodeColumns
    case .schemas: Self.schemaColumns
    case .fields: Self.fieldColumns
    case .records: Self.recordColumns
    }
  }

  private static let blobColumns = [
    IndexColumn("cid", .text), IndexColumn("created_at", .real),
    IndexColumn("encrypted", .integer, missing: 0), IndexColumn("local_path", .text),
    IndexColumn("mime_type", .text), IndexColumn("size", .integer),
    IndexColumn("thumbnail_cid", .text),
  ]
  private static let circleColumns = [
    IndexColumn("avatar_cid", .text), IndexColumn("created_at", .real), IndexColumn("did", .text),
    IndexColumn("display_name", .text), IndexColumn("id", .text), IndexColumn("invited_at", .real),
    IndexColumn("joined_at", .real), IndexColumn("phone_number", .text),
    IndexColumn("pubkey_x25519", .text), IndexColumn("removed_at", .real),
    IndexColumn("status", .text), IndexColumn("updated_at", .real),
  ]
  private static let deviceColumns = [
    IndexColumn("device_id", .text), IndexColumn("device_name", .text),
    IndexColumn("last_seen_at", .real), IndexColumn("owner_did", .text),
    IndexColumn("pubkey_ed25519", .text), IndexColumn("pubkey_x25519", .text),
    IndexColumn("registered_at", .real), IndexColumn("status", .text),
  ]
  private static let inviteColumns = [
    IndexColumn("accepted_at", .real), IndexColumn("created_at", .real),
    IndexColumn("expires_at", .real), IndexColumn("id", .text), IndexColumn("invite_code", .text),
    IndexColumn("invitee_did", .text), IndexColumn("max_uses", .integer, missing: 1),
    IndexColumn("message", .text), IndexColumn("status", .text),
    IndexColumn("use_count", .integer, missing: 0),
  ]
  private static let headerColumns = [
    IndexColumn("cid", .text), IndexColumn("claimed_time_ms", .integer),
    IndexColumn("device_id", .text), IndexColumn("did", .text), IndexColumn("parent_cid", .text),
    IndexColumn("payload_json", .text), IndexColumn("raw_cbor", .blob),
    IndexColumn("receipt_type", .text), IndexColumn("received_at", .real),
    IndexColumn("root_cid", .text), IndexColumn("signature", .text),
  ]
  private static let chainColumns = [
    IndexColumn("depth", .integer), IndexColumn("head_cid", .text), IndexColumn("heads", .integer),
    IndexColumn("root_cid", .text), IndexColumn("tombstone_cid", .text),
  ]
  private static let localColumns = [
    IndexColumn("archived", .integer, missing: 0), IndexColumn("created_at", .real),
    IndexColumn("header_cid", .text), IndexColumn("image_cids", .text),
    IndexColumn("is_favorited", .integer, missing: 0), IndexColumn("local_notes", .text),
    IndexColumn("tags_json", .text), IndexColumn("updated_at", .real), IndexColumn("uuid", .text),
  ]
  private static let locationColumns = [
    IndexColumn("accuracy", .real), IndexColumn("altitude", .real),
    IndexColumn("captured_at", .real), IndexColumn("cid", .text), IndexColumn("created_at", .real),
    IndexColumn("delay_share_until", .real), IndexColumn("fuzzy_lat", .real),
    IndexColumn("fuzzy_lon", .real), IndexColumn("fuzzy_radius", .integer),
    IndexColumn("latitude", .real), IndexColumn("location_type", .text),
    IndexColumn("longitude", .real), IndexColumn("place_category", .text),
    IndexColumn("place_name", .text), IndexColumn("receipt_cid", .text),
    IndexColumn("salt", .blob),
  ]
  private static let receiptBlobColumns = [
    IndexColumn("blob_cid", .text), IndexColumn("position", .integer, missing: 0),
    IndexColumn("receipt_cid", .text),
  ]
  private static let sharedColumns = [
    IndexColumn("encrypted_payload", .blob), IndexColumn("id", .text),
    IndexColumn("memory_cid", .text), IndexColumn("message", .text), IndexColumn("nonce", .text),
    IndexColumn("permissions", .text), IndexColumn("shared_at", .real),
    IndexColumn("shared_with", .text), IndexColumn("unshared_at", .real),
    IndexColumn("wrapped_keys_json", .text),
  ]
  private static let receivedColumns = [
    IndexColumn("header_cid", .text), IndexColumn("id", .text), IndexColumn("memory_cid", .text),
    IndexColumn("permissions", .text), IndexColumn("received_at", .real),
    IndexColumn("relay_message_id", .text), IndexColumn("sender_did", .text),
    IndexColumn("shared_at", .real),
  ]
  private static let taskColumns = [
    IndexColumn("archived", .integer, missing: 0), IndexColumn("completed_at", .text),
    IndexColumn("created", .text), IndexColumn("defaulted", .text),
    IndexColumn("description", .text), IndexColumn("fields", .text),
    IndexColumn("frequency_days", .number), IndexColumn("guid", .text), IndexColumn("json", .text),
    IndexColumn("last_updated", .text), IndexColumn("priority", .number),
    IndexColumn("privacy", .integer), IndexColumn("story_points", .number),
    IndexColumn("title", .text), IndexColumn("todo_tasks", .text), IndexColumn("user_id", .text),
  ]
  private static let todoColumns = [
    IndexColumn("completed", .text), IndexColumn("deadline", .text), IndexColumn("guid", .text),
    IndexColumn("json", .text), IndexColumn("notes", .text), IndexColumn("task", .text),
    IndexColumn("title", .text),
  ]
  private static let nodeColumns = [
    IndexColumn("action", .text), IndexColumn("author", .text), IndexColumn("device", .text),
    IndexColumn("id", .text), IndexColumn("lamport", .integer), IndexColumn("letter", .text),
    IndexColumn("parents", .text), IndexColumn("received_at", .real), IndexColumn("task", .text),
    IndexColumn("wall", .text),
  ]
  private static let schemaColumns = [
    IndexColumn("built_in", .integer), IndexColumn("description", .text),
    IndexColumn("display_name", .text), IndexColumn("hash", .text), IndexColumn("heads", .integer),
    IndexColumn("icon", .text), IndexColumn("id", .text), IndexColumn("json", .text),
    IndexColumn("name", .text), IndexColumn("scope", .text), IndexColumn("version", .text),
  ]
  private static let fieldColumns = [
    IndexColumn("created_at", .text), IndexColumn("created_by", .text),
    IndexColumn("display_name", .text), IndexColumn("display_order", .integer),
    IndexColumn("id", .text), IndexColumn("merged_into", .text), IndexColumn("place", .integer),
    IndexColumn("required", .integer), IndexColumn("schema", .text), IndexColumn("type", .text),
    IndexColumn("updated_at", .text), IndexColumn("updated_by", .text),
    IndexColumn("visibility", .text),
  ]
  private static let recordColumns = [
    IndexColumn("field_values", .text), IndexColumn("guid", .text), IndexColumn("json", .text),
    IndexColumn("person_id", .text), IndexColumn("schema", .text), IndexColumn("schema_id", .text),
    IndexColumn("title", .text), IndexColumn("unknown", .text),
  ]
}
