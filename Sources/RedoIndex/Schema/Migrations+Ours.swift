// redo_1: the tables of IndexSchema take the place of the app's, with their rows. What the app named otherwise, or
// stored as a text, is read as what it means; what it had no column for stays NULL.

internal import GRDB

extension Migrations {
  /// The public key of a member whose key is not known: 32 zeros.
  static let noKey = String(repeating: "A", count: 43) + "="
  /// How many members of a circle may be active.
  static let activeLimit = 12

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
      guard old.contains(table.name) else { continue }
      if let known = IndexTable(rawValue: table.name) { try copy(known, database) }
      try database.execute(sql: "DROP TABLE app_\(table.name)")
    }
    if old.contains("circle_members") { try database.execute(sql: friends) }
    if old.contains("jar_members") { try database.execute(sql: jarMembers) }
    try database.execute(sql: unknownSenders)
    let kept = Set((IndexSchema.tables + IndexSchema.texts).map(\.name))
    let texts = try String.fetchAll(
      database, sql: "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%'")
    for name in texts { try drop(name, database) }
    for name in old.sorted() where !kept.contains(name) && name != "grdb_migrations" {
      if !name.hasPrefix("sqlite_") { try drop(name, database) }
    }
    let own = Set(IndexSchema.tables.map { $0.name[...] })
    let indexes = IndexSchema.indexes.filter { $0.table.map { own.contains($0) } ?? true }
    for object in IndexSchema.texts + indexes { try database.execute(sql: object.sql) }
    try database.execute(sql: "PRAGMA legacy_alter_table = OFF")
  }

  /// Adds the tables of records.
  static func addRecords(_ database: Database) throws {
    let own = Set(IndexSchema.recordTables.map { $0.name[...] })
    let indexes = IndexSchema.indexes.filter { $0.table.map { own.contains($0) } ?? false }
    for object in IndexSchema.recordTables + indexes { try database.execute(sql: object.sql) }
  }

  private static func drop(_ name: String, _ database: Database) throws {
    try database.execute(sql: "DROP TABLE IF EXISTS \(name.quotedName)")
  }

  private static func dropIndexes(of table: String, _ database: Database) throws {
    let names = try String.fetchAll(
      database,
      sql:
        "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ?",
      arguments: [table])
    for name in names {
      try database.execute(sql: "DROP INDEX \(name.quotedName)")
    }
  }

  // MARK: Columns

  /// Copies the rows of a table, column by column as far as the old table has them.
  private static func copy(_ table: IndexTable, _ database: Database) throws {
    let there = Set(try database.columns(in: "app_\(table.rawValue)").map(\.name))
    var columns: [String] = []
    var values: [String] = []
    for column in table.columns {
      let name = column.text
      let value: String?
      if let meaning = meanings["\(table.rawValue).\(name)"] {
        value = meaning(there)
      } else {
        value = there.contains(name) ? (isTime(column) ? seconds(name) : name) : nil
      }
      if let value {
        columns.append(name)
        values.append(value)
      }
    }
    guard !columns.isEmpty else { return }
    try database.execute(
      sql: """
        INSERT INTO \(table.rawValue) (\(columns.joined(separator: ", ")))
        SELECT \(values.joined(separator: ", ")) FROM app_\(table.rawValue) ORDER BY rowid
        """)
  }

  private static func isTime(_ column: IndexColumn) -> Bool {
    guard case .real = column.kind else { return false }
    return column.text.hasSuffix("_at") || column.text == "delay_share_until"
  }

  /// A time in seconds since 1970: a number, or the text that Swift dates were stored as (UTC).
  ///
  /// A text that is no time stays one.
  static func seconds(_ column: String) -> String {
    """
    CASE typeof(\(column)) WHEN 'text' THEN coalesce(
      round(strftime('%s', \(column)) + strftime('%f', \(column)) - strftime('%S', \(column)), 3), \(column))
    ELSE \(column) END
    """
  }

  /// The columns whose value is not simply that of the column of their name, given the old table's columns.
  private static let meanings: [String: @Sendable (Set<String>) -> String?] = [
    // Clients stored SELF of receipts that they received.
    "ucr_headers.root_cid": { _ in "CASE root_cid WHEN 'SELF' THEN cid ELSE root_cid END" },
    // It is derived, and queries take it to be JSON.
    "ucr_headers.payload_json": { _ in
      "CASE WHEN json_valid(payload_json) THEN payload_json ELSE '{}' END"
    },
    "ucr_headers.claimed_time_ms": { _ in
      """
      CASE WHEN json_valid(payload_json) THEN
        CASE json_type(payload_json, '$.claimed_time_ms') WHEN 'integer' THEN
          json_extract(payload_json, '$.claimed_time_ms') END END
      """
    },
    "blobs.size": { $0.contains("size") ? "size" : "size_bytes" },
    "locations.location_type": { $0.contains("location_type") ? "location_type" : "'precise'" },
    "locations.latitude": { $0.contains("latitude") ? "latitude" : "precise_lat" },
    "locations.longitude": { $0.contains("longitude") ? "longitude" : "precise_lon" },
    "locations.place_name": { $0.contains("place_name") ? "place_name" : "location_name" },
    "locations.captured_at": { seconds($0.contains("captured_at") ? "captured_at" : "created_at") },
    "shared_memories.id": { $0.contains("id") ? "id" : "uuid" },
    "shared_memories.memory_cid": { $0.contains("memory_cid") ? "memory_cid" : "header_cid" },
    "shared_memories.shared_with": {
      $0.contains("shared_with") ? "shared_with" : "recipient_dids_json"
    },
    // The app shared whole receipts.
    "shared_memories.permissions": { $0.contains("permissions") ? "permissions" : "'full'" },
  ]

  // MARK: Members

  /// The friends of v1, who had no key: members that are invited, or were removed.
  private static let friends = """
    INSERT INTO circles (id, did, display_name, pubkey_x25519, status, joined_at, invited_at,
      removed_at, created_at, updated_at)
    SELECT 'member:' || did, did, display_name, '\(noKey)',
      CASE WHEN removed_at IS NULL THEN 'pending' ELSE 'removed' END,
      \(seconds("accepted_at")), \(seconds("added_at")), \(seconds("removed_at")),
      \(seconds("added_at")), \(seconds("coalesce(removed_at, accepted_at, added_at)"))
    FROM circle_members WHERE did NOT IN (SELECT did FROM circles) ORDER BY rowid
    """

  /// The members of jars, each of them once, as they were last.
  ///
  /// An owner is nobody's friend. Of those that are active no more than a circle has stay so.
  private static let jarMembers = """
    WITH latest AS (
      SELECT *, row_number() OVER (PARTITION BY member_did
        ORDER BY \(seconds("updated_at")) DESC, jar_id) AS place
      FROM jar_members
      WHERE member_did NOT IN (SELECT member_did FROM jar_members WHERE role = 'owner')),
    member AS (
      SELECT *, row_number() OVER (PARTITION BY status
        ORDER BY \(seconds("coalesce(joined_at, created_at)")), member_did) AS number
      FROM latest WHERE place = 1)
    INSERT INTO circles (id, did, display_name, phone_number, avatar_cid, pubkey_x25519, status,
      joined_at, invited_at, removed_at, created_at, updated_at)
    SELECT 'member:' || member_did, member_did, display_name, phone_number, avatar_cid, pubkey_x25519,
      CASE WHEN status = 'active' AND number > \(activeLimit) THEN 'pending' ELSE status END,
      \(seconds("joined_at")), \(seconds("invited_at")), \(seconds("removed_at")),
      \(seconds("created_at")), \(seconds("updated_at"))
    FROM member WHERE member_did NOT IN (SELECT did FROM circles) ORDER BY member_did
    """

  /// Those who shared something and are no members: members that were removed.
  private static let unknownSenders = """
    INSERT INTO circles (id, did, display_name, pubkey_x25519, status, removed_at, created_at, updated_at)
    SELECT 'member:' || sender_did, sender_did, sender_did, '\(noKey)', 'removed', max(received_at),
      min(received_at), max(received_at)
    FROM received_memories WHERE sender_did NOT IN (SELECT did FROM circles) GROUP BY sender_did
    """
}
