// redo_1: the tables of IndexSchema take the place of the app's, with their rows. What the app named otherwise, or
// stored as a text, is read as what it means; what it had no column for stays NULL.

internal import GRDB

extension Migrations {
  /// The public key of a member whose key is not known: 32 zeros.
  static let noKey = String(repeating: "A", count: 43) + "="

  /// Makes the schema of an index of the app's.
  static func makeOurs(_ database: Database) throws {
    let old = Set(
      try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'"))
    // References to a table are not to follow it to its other name.
    try database.execute(sql: "PRAGMA legacy_alter_table = ON")
    for table in IndexSchema.tables {
      if old.contains(table.name) {
        try database.execute(sql: "ALTER TABLE \(table.name) RENAME TO app_\(table.name)")
        try dropIndexes(of: "app_\(table.name)", database)
      }
      try database.execute(sql: table.sql)
      if old.contains(table.name) {
        if let copy = copies[table.name] {
          let columns = Set(try database.columns(in: "app_\(table.name)").map(\.name))
          if let sql = copy(columns) { try database.execute(sql: sql) }
        }
        try database.execute(sql: "DROP TABLE app_\(table.name)")
      }
    }
    if old.contains("circle_members") { try database.execute(sql: membersIntoCircles) }
    for object in IndexSchema.texts + IndexSchema.indexes { try database.execute(sql: object.sql) }
    let kept = Set((IndexSchema.tables + IndexSchema.texts).map(\.name))
    for name in old where !kept.contains(name) && !IndexSchema.madeByOthers.contains(name) {
      try database.execute(sql: "DROP TABLE \(name)")
    }
    try database.execute(sql: "PRAGMA legacy_alter_table = OFF")
  }

  private static func dropIndexes(of table: String, _ database: Database) throws {
    let names = try String.fetchAll(
      database,
      sql:
        "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ?",
      arguments: [table])
    for name in names { try database.execute(sql: "DROP INDEX \"\(name)\"") }
  }

  /// A time in seconds since 1970: a number, or the text that Swift dates were stored as (UTC).
  static func seconds(_ column: String) -> String {
    """
    CASE typeof(\(column)) WHEN 'text' THEN
      round(strftime('%s', \(column)) + strftime('%f', \(column)) - strftime('%S', \(column)), 3)
    ELSE \(column) END
    """
  }

  /// How the rows of a table come into ours, given the columns that the old one has.
  private static let copies: [String: @Sendable (Set<String>) -> String?] = [
    "ucr_headers": { _ in
      """
      INSERT INTO ucr_headers (cid, did, device_id, parent_cid, root_cid, receipt_type, payload_json,
        signature, raw_cbor, received_at, claimed_time_ms)
      SELECT cid, did, device_id, parent_cid, CASE root_cid WHEN 'SELF' THEN cid ELSE root_cid END,
        receipt_type, payload_json, signature, raw_cbor, \(seconds("received_at")),
        CASE json_type(payload_json, '$.claimed_time_ms') WHEN 'integer'
          THEN json_extract(payload_json, '$.claimed_time_ms') END
      FROM app_ucr_headers ORDER BY rowid
      """
    },
    "local_receipts": { _ in
      """
      INSERT INTO local_receipts (uuid, header_cid, is_favorited, tags_json, local_notes, image_cids,
        created_at, updated_at)
      SELECT uuid, header_cid, is_favorited, tags_json, local_notes, image_cids,
        \(seconds("created_at")), \(seconds("updated_at")) FROM app_local_receipts ORDER BY rowid
      """
    },
    "locations": { _ in
      """
      INSERT INTO locations (cid, location_type, latitude, longitude, fuzzy_lat, fuzzy_lon,
        place_name, captured_at, created_at)
      SELECT cid, 'precise', precise_lat, precise_lon, fuzzy_lat, fuzzy_lon, location_name,
        \(seconds("created_at")), \(seconds("created_at")) FROM app_locations ORDER BY rowid
      """
    },
    "blobs": { _ in
      """
      INSERT INTO blobs (cid, mime_type, size, created_at)
      SELECT cid, mime_type, size_bytes, \(seconds("created_at")) FROM app_blobs ORDER BY rowid
      """
    },
    "circles": { _ in
      """
      INSERT INTO circles (id, did, display_name, phone_number, avatar_cid, pubkey_x25519, status,
        joined_at, invited_at, removed_at, created_at, updated_at)
      SELECT id, did, display_name, phone_number, avatar_cid, pubkey_x25519, status,
        \(seconds("joined_at")), \(seconds("invited_at")), \(seconds("removed_at")),
        \(seconds("created_at")), \(seconds("updated_at")) FROM app_circles ORDER BY rowid
      """
    },
    "devices": { _ in
      """
      INSERT INTO devices (device_id, owner_did, device_name, pubkey_x25519, pubkey_ed25519, status,
        registered_at, last_seen_at)
      SELECT device_id, owner_did, device_name, pubkey_x25519, pubkey_ed25519, status,
        \(seconds("registered_at")), \(seconds("last_seen_at")) FROM app_devices ORDER BY rowid
      """
    },
    "shared_memories": { columns in
      guard columns.contains("recipient_dids_json") else { return nil }
      return """
        INSERT INTO shared_memories (id, memory_cid, shared_with, permissions, shared_at)
        SELECT uuid, header_cid, recipient_dids_json, 'full', \(seconds("shared_at"))
        FROM app_shared_memories ORDER BY rowid
        """
    },
    "received_memories": { columns in
      let message = columns.contains("relay_message_id") ? "relay_message_id" : "NULL"
      return """
        INSERT INTO received_memories (id, memory_cid, sender_did, header_cid, permissions, shared_at,
          received_at, relay_message_id)
        SELECT id, memory_cid, sender_did, header_cid, permissions, \(seconds("shared_at")),
          \(seconds("received_at")), \(message) FROM app_received_memories ORDER BY rowid
        """
    },
  ]

  /// The friends of v1, who had no key: members that are invited, or were removed.
  private static let membersIntoCircles = """
    INSERT INTO circles (id, did, display_name, pubkey_x25519, status, joined_at, invited_at,
      removed_at, created_at, updated_at)
    SELECT 'member:' || did, did, display_name, '\(noKey)',
      CASE WHEN removed_at IS NULL THEN 'pending' ELSE 'removed' END,
      \(seconds("accepted_at")), \(seconds("added_at")), \(seconds("removed_at")),
      \(seconds("added_at")), \(seconds("coalesce(removed_at, accepted_at, added_at)"))
    FROM circle_members WHERE did NOT IN (SELECT did FROM circles) ORDER BY rowid
    """
}
