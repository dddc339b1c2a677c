// What the app's first three migrations made, table by table; an index goes the same way from an empty file. Only
// names and types count: whatever has rows here is made anew by redo_1.

internal import GRDB

/// The schema of the app's files.
enum AppSchema {
  /// v1.
  static func makeFirst(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE ucr_headers (
          cid TEXT PRIMARY KEY NOT NULL, did TEXT NOT NULL, device_id TEXT NOT NULL, parent_cid TEXT,
          root_cid TEXT NOT NULL, receipt_type TEXT NOT NULL, signature TEXT NOT NULL,
          raw_cbor BLOB NOT NULL, payload_json TEXT NOT NULL, received_at REAL NOT NULL,
          FOREIGN KEY (parent_cid) REFERENCES ucr_headers(cid) ON DELETE SET NULL);
        CREATE TABLE local_receipts (
          uuid TEXT PRIMARY KEY NOT NULL, header_cid TEXT NOT NULL UNIQUE,
          is_favorited INTEGER NOT NULL DEFAULT 0, tags_json TEXT, local_notes TEXT, image_cid TEXT,
          created_at REAL NOT NULL, updated_at REAL NOT NULL,
          FOREIGN KEY (header_cid) REFERENCES ucr_headers(cid) ON DELETE CASCADE);
        CREATE TABLE locations (
          cid TEXT PRIMARY KEY NOT NULL, precise_lat REAL NOT NULL, precise_lon REAL NOT NULL,
          fuzzy_lat REAL NOT NULL, fuzzy_lon REAL NOT NULL, location_name TEXT,
          created_at REAL NOT NULL);
        CREATE TABLE blobs (
          cid TEXT PRIMARY KEY NOT NULL, data BLOB NOT NULL, mime_type TEXT NOT NULL,
          size_bytes INTEGER NOT NULL, created_at REAL NOT NULL);
        CREATE TABLE devices (
          device_id TEXT PRIMARY KEY NOT NULL, owner_did TEXT NOT NULL, device_name TEXT NOT NULL,
          pubkey_x25519 TEXT NOT NULL, pubkey_ed25519 TEXT NOT NULL,
          is_current_device INTEGER NOT NULL DEFAULT 0, created_at REAL NOT NULL, last_synced_at REAL);
        CREATE TABLE circle_members (
          did TEXT PRIMARY KEY NOT NULL, display_name TEXT NOT NULL, invite_code TEXT,
          accepted_at REAL, added_at REAL NOT NULL, removed_at REAL);
        CREATE TABLE shared_memories (
          uuid TEXT PRIMARY KEY NOT NULL, header_cid TEXT NOT NULL, shared_at REAL NOT NULL,
          recipient_dids_json TEXT NOT NULL,
          FOREIGN KEY (header_cid) REFERENCES ucr_headers(cid) ON DELETE CASCADE);
        """)
  }

  /// v2: several images of a receipt in place of one; no image, and an empty text, become NULL.
  static func takeSeveralImages(_ database: Database) throws {
    let columns = Set(try database.columns(in: "local_receipts").map(\.name))
    if !columns.contains("image_cids") {
      try database.execute(sql: "ALTER TABLE local_receipts ADD COLUMN image_cids TEXT")
    }
    guard columns.contains("image_cid") else { return }
    try database.execute(
      sql: """
        UPDATE local_receipts SET image_cids = json_array(image_cid) WHERE image_cid <> '';
        ALTER TABLE local_receipts DROP COLUMN image_cid;
        """)
  }

  /// v3_circles: the circle's members, and other columns of devices.
  ///
  /// The app dropped the devices that it had.
  static func addCircles(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS circles (
          id TEXT PRIMARY KEY NOT NULL, did TEXT NOT NULL UNIQUE, display_name TEXT NOT NULL,
          phone_number TEXT, avatar_cid TEXT, pubkey_x25519 TEXT NOT NULL, status TEXT NOT NULL,
          joined_at REAL, invited_at REAL, removed_at REAL, created_at REAL NOT NULL,
          updated_at REAL NOT NULL);
        DROP TABLE IF EXISTS devices;
        CREATE TABLE devices (
          device_id TEXT PRIMARY KEY NOT NULL, owner_did TEXT NOT NULL, device_name TEXT NOT NULL,
          pubkey_x25519 TEXT NOT NULL, pubkey_ed25519 TEXT NOT NULL, status TEXT NOT NULL,
          registered_at REAL NOT NULL, last_seen_at REAL);
        """)
  }
}
