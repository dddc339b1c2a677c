// The tables and indexes of an index, as redo_1 and redo_2 leave them: the database document of the app, mended where it
// contradicts itself (redo-index(5)). An index whose schema is not, text for text, this one is not used.

/// The schema of an index.
enum IndexSchema {
  /// A table or an index.
  struct Object: Sendable {
    let name: String
    let sql: String
    /// The table of an index.
    var table: Substring?
  }

  /// The tables of records and of what they are read by, which redo_2 makes.
  static let recordTables = [
    table(
      "schemas",
      """
      name TEXT PRIMARY KEY NOT NULL,
      id TEXT NOT NULL,
      scope TEXT,
      display_name TEXT NOT NULL,
      icon TEXT NOT NULL,
      description TEXT,
      built_in INTEGER NOT NULL,
      version TEXT NOT NULL,
      heads INTEGER NOT NULL,
      hash TEXT NOT NULL,
      json TEXT NOT NULL
      """),
    table(
      "fields",
      """
      schema TEXT NOT NULL,
      id TEXT NOT NULL,
      type TEXT NOT NULL,
      display_name TEXT NOT NULL,
      visibility TEXT NOT NULL,
      required INTEGER NOT NULL,
      place INTEGER NOT NULL,
      display_order INTEGER NOT NULL,
      merged_into TEXT,
      created_by TEXT NOT NULL,
      created_at TEXT NOT NULL,
      updated_by TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      PRIMARY KEY (schema, id),
      FOREIGN KEY (schema) REFERENCES schemas(name) ON DELETE CASCADE
      """),
    table(
      "records",
      """
      guid TEXT PRIMARY KEY NOT NULL,
      schema TEXT,
      schema_id TEXT NOT NULL,
      person_id TEXT,
      title TEXT,
      field_values TEXT NOT NULL,
      unknown TEXT NOT NULL,
      json TEXT NOT NULL,
      FOREIGN KEY (guid) REFERENCES tasks(guid) ON DELETE CASCADE,
      FOREIGN KEY (schema) REFERENCES schemas(name)
      """),
  ]

  /// The tables of redo_1, parents before those that refer to them.
  static let tables = [
    table(
      "blobs",
      """
      cid TEXT PRIMARY KEY NOT NULL,
      mime_type TEXT NOT NULL,
      size INTEGER NOT NULL,
      local_path TEXT,
      encrypted INTEGER NOT NULL DEFAULT 0,
      thumbnail_cid TEXT,
      created_at REAL NOT NULL,
      FOREIGN KEY (thumbnail_cid) REFERENCES blobs(cid) ON DELETE SET NULL
      """),
    table(
      "circles",
      """
      id TEXT PRIMARY KEY NOT NULL,
      did TEXT NOT NULL UNIQUE,
      display_name TEXT NOT NULL,
      phone_number TEXT,
      avatar_cid TEXT,
      pubkey_x25519 TEXT NOT NULL,
      status TEXT NOT NULL,
      joined_at REAL,
      invited_at REAL,
      removed_at REAL,
      created_at REAL NOT NULL,
      updated_at REAL NOT NULL,
      FOREIGN KEY (avatar_cid) REFERENCES blobs(cid) ON DELETE SET NULL
      """),
    table(
      "devices",
      """
      device_id TEXT PRIMARY KEY NOT NULL,
      owner_did TEXT NOT NULL,
      device_name TEXT NOT NULL,
      pubkey_x25519 TEXT NOT NULL,
      pubkey_ed25519 TEXT NOT NULL,
      status TEXT NOT NULL,
      registered_at REAL NOT NULL,
      last_seen_at REAL
      """),
    table(
      "circle_invites",
      """
      id TEXT PRIMARY KEY NOT NULL,
      invite_code TEXT NOT NULL UNIQUE,
      invitee_did TEXT,
      expires_at REAL,
      max_uses INTEGER NOT NULL DEFAULT 1,
      use_count INTEGER NOT NULL DEFAULT 0,
      status TEXT NOT NULL,
      message TEXT,
      created_at REAL NOT NULL,
      accepted_at REAL
      """),
    table(
      "ucr_headers",
      """
      cid TEXT PRIMARY KEY NOT NULL,
      did TEXT NOT NULL,
      device_id TEXT,
      parent_cid TEXT,
      root_cid TEXT NOT NULL,
      receipt_type TEXT NOT NULL,
      payload_json TEXT NOT NULL,
      signature TEXT NOT NULL,
      raw_cbor BLOB NOT NULL,
      received_at REAL NOT NULL,
      claimed_time_ms INTEGER,
      FOREIGN KEY (parent_cid) REFERENCES ucr_headers(cid)
      """),
    table(
      "redo_chains",
      """
      root_cid TEXT PRIMARY KEY NOT NULL,
      head_cid TEXT NOT NULL,
      heads INTEGER NOT NULL,
      depth INTEGER NOT NULL,
      tombstone_cid TEXT
      """),
    table(
      "local_receipts",
      """
      uuid TEXT PRIMARY KEY NOT NULL,
      header_cid TEXT NOT NULL UNIQUE,
      is_favorited INTEGER NOT NULL DEFAULT 0,
      tags_json TEXT,
      local_notes TEXT,
      image_cids TEXT,
      created_at REAL NOT NULL,
      updated_at REAL NOT NULL,
      archived INTEGER NOT NULL DEFAULT 0,
      FOREIGN KEY (header_cid) REFERENCES ucr_headers(cid) ON DELETE CASCADE
      """),
    table(
      "locations",
      """
      cid TEXT PRIMARY KEY NOT NULL,
      receipt_cid TEXT,
      location_type TEXT NOT NULL,
      latitude REAL,
      longitude REAL,
      altitude REAL,
      accuracy REAL,
      fuzzy_lat REAL,
      fuzzy_lon REAL,
      fuzzy_radius INTEGER,
      place_name TEXT,
      place_category TEXT,
      captured_at REAL NOT NULL,
      delay_share_until REAL,
      created_at REAL NOT NULL,
      salt BLOB,
      FOREIGN KEY (receipt_cid) REFERENCES ucr_headers(cid) ON DELETE CASCADE
      """),
    table(
      "receipt_blobs",
      """
      receipt_cid TEXT NOT NULL,
      blob_cid TEXT NOT NULL,
      position INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (receipt_cid, blob_cid),
      FOREIGN KEY (receipt_cid) REFERENCES ucr_headers(cid) ON DELETE CASCADE,
      FOREIGN KEY (blob_cid) REFERENCES blobs(cid) ON DELETE CASCADE
      """),
    table(
      "shared_memories",
      """
      id TEXT PRIMARY KEY NOT NULL,
      memory_cid TEXT NOT NULL,
      shared_with TEXT NOT NULL,
      permissions TEXT NOT NULL,
      encrypted_payload BLOB,
      wrapped_keys_json TEXT,
      nonce TEXT,
      message TEXT,
      shared_at REAL NOT NULL,
      unshared_at REAL,
      FOREIGN KEY (memory_cid) REFERENCES ucr_headers(cid) ON DELETE CASCADE
      """),
    table(
      "received_memories",
      """
      id TEXT PRIMARY KEY NOT NULL,
      memory_cid TEXT NOT NULL,
      sender_did TEXT NOT NULL,
      header_cid TEXT NOT NULL,
      permissions TEXT NOT NULL,
      shared_at REAL NOT NULL,
      received_at REAL NOT NULL,
      relay_message_id TEXT UNIQUE,
      FOREIGN KEY (header_cid) REFERENCES ucr_headers(cid) ON DELETE CASCADE,
      FOREIGN KEY (sender_did) REFERENCES circles(did) ON DELETE CASCADE
      """),
    table(
      "daily_summaries",
      """
      date TEXT PRIMARY KEY NOT NULL,
      session_count INTEGER NOT NULL DEFAULT 0,
      total_amount_grams REAL,
      unique_strains_json TEXT,
      dominant_effects_json TEXT,
      avg_rating REAL,
      locations_visited_json TEXT,
      computed_at REAL NOT NULL
      """),
    table(
      "tasks",
      """
      guid TEXT PRIMARY KEY NOT NULL,
      user_id TEXT,
      title TEXT,
      description TEXT,
      created TEXT,
      last_updated TEXT,
      completed_at TEXT,
      archived INTEGER NOT NULL DEFAULT 0,
      privacy INTEGER,
      priority,
      story_points,
      frequency_days,
      defaulted TEXT,
      fields TEXT,
      todo_tasks TEXT,
      json TEXT NOT NULL
      """),
    table(
      "todos",
      """
      guid TEXT NOT NULL,
      task TEXT NOT NULL,
      title TEXT,
      notes TEXT,
      deadline TEXT,
      completed TEXT,
      json TEXT NOT NULL,
      PRIMARY KEY (task, guid),
      FOREIGN KEY (task) REFERENCES tasks(guid) ON DELETE CASCADE
      """),
    table(
      "nodes",
      """
      id TEXT PRIMARY KEY NOT NULL,
      task TEXT,
      action TEXT NOT NULL,
      lamport INTEGER NOT NULL,
      wall TEXT NOT NULL,
      received_at REAL,
      author TEXT NOT NULL,
      device TEXT,
      parents TEXT NOT NULL,
      letter TEXT NOT NULL
      """),
    table("redo_index", "key TEXT PRIMARY KEY NOT NULL,\nvalue TEXT NOT NULL"),
  ]

  /// The full text, which is written beside the rows that it is of; no trigger does (it would run before the place
  /// of a receipt can be there).
  static let texts = [
    Object(
      name: "fts_memories",
      sql: """
        CREATE VIRTUAL TABLE fts_memories USING fts5(
        cid UNINDEXED, product_name, strain_name, notes, place_name, tokenize = 'porter unicode61')
        """),
    Object(
      name: "fts_tasks",
      sql: """
        CREATE VIRTUAL TABLE fts_tasks USING fts5(
        guid UNINDEXED, title, description, notes, tokenize = 'porter unicode61')
        """),
  ]

  /// The settings that a full text has: the version of its form.
  static let textSettings = ["version 4"]

  /// The indexes.
  static let indexes = [
    index("idx_ucr_headers_root", "ucr_headers(root_cid)"),
    index("idx_ucr_headers_type", "ucr_headers(receipt_type)"),
    index("idx_ucr_headers_received", "ucr_headers(received_at DESC)"),
    index("idx_ucr_headers_did", "ucr_headers(did)"),
    index("idx_ucr_headers_claimed_time", "ucr_headers(claimed_time_ms DESC)"),
    index(
      "idx_strain_search",
      "ucr_headers(receipt_type, json_extract(payload_json, '$.strain_name'))"),
    index("idx_local_receipts_header", "local_receipts(header_cid)"),
    index("idx_local_receipts_favorited", "local_receipts(is_favorited)"),
    index("idx_local_receipts_created", "local_receipts(created_at DESC)"),
    index("idx_local_receipts_archived", "local_receipts(archived)"),
    index("idx_timeline", "local_receipts(created_at DESC, is_favorited)"),
    index("idx_circles_did", "circles(did)"),
    index("idx_circles_status", "circles(status)"),
    index("idx_devices_owner", "devices(owner_did)"),
    index("idx_devices_status", "devices(status)"),
    index("idx_circle_invites_code", "circle_invites(invite_code)"),
    index("idx_circle_invites_status", "circle_invites(status)"),
    index("idx_shared_memories_cid", "shared_memories(memory_cid)"),
    index("idx_shared_memories_shared_at", "shared_memories(shared_at DESC)"),
    index("idx_received_memories_sender", "received_memories(sender_did)"),
    index("idx_received_memories_received", "received_memories(received_at DESC)"),
    index("idx_circle_feed", "received_memories(received_at DESC, sender_did)"),
    index("idx_locations_receipt", "locations(receipt_cid)"),
    index("idx_locations_type", "locations(location_type)"),
    index("idx_locations_captured", "locations(captured_at DESC)"),
    index(
      "idx_map_locations",
      "locations(latitude, longitude) WHERE location_type IN ('precise', 'fuzzy')"),
    index("idx_blobs_mime", "blobs(mime_type)"),
    index("idx_blobs_created", "blobs(created_at DESC)"),
    index("idx_receipt_blobs_receipt", "receipt_blobs(receipt_cid)"),
    index("idx_receipt_blobs_blob", "receipt_blobs(blob_cid)"),
    index("idx_daily_summaries_date", "daily_summaries(date DESC)"),
    index("idx_nodes_task", "nodes(task)"),
    index("idx_records_schema", "records(schema)"),
    // The order of the timeline with its ties: many receipts may have come in one moment.
    index("idx_redo_timeline", "ucr_headers(received_at DESC, cid)"),
  ]

  /// The tables that GRDB and the modules of SQLite make for themselves, and that every index has.
  static let madeByOthers: [Object] =
    [
      Object(
        name: "grdb_migrations",
        sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
    ]
    + texts.flatMap { text in
      let columns = text.name == "fts_memories" ? "c0, c1, c2, c3, c4" : "c0, c1, c2, c3"
      return [
        ("data", "(id INTEGER PRIMARY KEY, block BLOB)"),
        ("idx", "(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID"),
        ("content", "(id INTEGER PRIMARY KEY, \(columns))"),
        ("docsize", "(id INTEGER PRIMARY KEY, sz BLOB)"),
        ("config", "(k PRIMARY KEY, v) WITHOUT ROWID"),
      ].map { part in
        let name = "\(text.name)_\(part.0)"
        return Object(name: name, sql: "CREATE TABLE '\(name)'\(part.1)")
      }
    }

  /// What ANALYZE makes; not every SQLite makes both.
  static let statistics = [
    Object(name: "sqlite_stat1", sql: "CREATE TABLE sqlite_stat1(tbl,idx,stat)"),
    Object(
      name: "sqlite_stat4", sql: "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"),
  ]

  private static func table(_ name: String, _ columns: String) -> Object {
    Object(name: name, sql: "CREATE TABLE \(name) (\n\(columns)\n)")
  }

  private static func index(_ name: String, _ place: String) -> Object {
    Object(
      name: name, sql: "CREATE INDEX \(name) ON \(place)", table: place.prefix { $0 != "(" })
  }
}
