// The queries that have a name. Where many rows are ordered and few are wanted, keys are ordered first. Each is written twice: as redo means it, with an order in which no two rows are equal
// and without chains that are put away or deleted; and literally as the database document of the app has it.

/// A query by name.
enum NamedQuery: String, CaseIterable, Sendable {
  case timeline, search, map, feed, strains, recent
  /// Words in tasks.
  case tasks

  /// How many rows it has if nothing else is asked; `nil` for all.
  var limit: Int64? {
    switch self {
    case .timeline, .feed: 50
    case .search, .tasks: 20
    case .map: 200
    case .recent: 100
    case .strains: nil
    }
  }

  /// What finds rows of full text, best first; `nil` for other queries.
  ///
  /// The full text has nothing but what is shown.
  var ranking: String? {
    switch self {
    case .search: "SELECT cid, rank FROM fts_memories WHERE fts_memories MATCH ? ORDER BY rank"
    case .tasks: "SELECT guid, rank FROM fts_tasks WHERE fts_tasks MATCH ? ORDER BY rank"
    case .timeline, .map, .feed, .strains, .recent: nil
    }
  }

  /// The statement as redo means it.
  ///
  /// Its last parameter is the limit; with a ranking its parameters are a key and a rank.
  var sql: String {
    switch self {
    case .timeline:
      """
      SELECT lr.uuid, lr.is_favorited, lr.image_cids, h.cid, h.receipt_type, h.payload_json,
        h.claimed_time_ms, h.received_at
      FROM ucr_headers h CROSS JOIN local_receipts lr ON lr.header_cid = h.cid
      WHERE \(Piece.isSession("h")) AND lr.archived = 0 AND \(Piece.lives("h"))
      ORDER BY h.received_at DESC, h.cid LIMIT ?
      """
    case .search:
      """
      SELECT h.cid, h.payload_json, h.claimed_time_ms, h.received_at, ?2 AS rank
      FROM ucr_headers h WHERE h.cid = ?1
      """
    case .map:
      """
      SELECT l.cid, l.fuzzy_lat, l.fuzzy_lon, l.place_name, lr.uuid, h.payload_json
      FROM locations l
      JOIN ucr_headers placed ON placed.cid = l.receipt_cid
      JOIN redo_chains chain ON chain.root_cid = placed.root_cid
      JOIN local_receipts lr ON lr.header_cid = chain.head_cid
      JOIN ucr_headers h ON h.cid = chain.head_cid
      WHERE l.fuzzy_lat BETWEEN ?1 AND ?3
        AND CASE WHEN ?2 <= ?4 THEN l.fuzzy_lon BETWEEN ?2 AND ?4
          ELSE l.fuzzy_lon >= ?2 OR l.fuzzy_lon <= ?4 END
        AND l.location_type IN ('fuzzy', 'precise')
        AND (l.delay_share_until IS NULL OR l.delay_share_until <= ?5)
        AND chain.tombstone_cid IS NULL
      ORDER BY l.cid LIMIT ?6
      """
    case .feed:
      """
      SELECT rm.id, rm.sender_did, c.display_name AS sender_name, h.cid, h.payload_json,
        h.claimed_time_ms, rm.received_at
      FROM received_memories rm
      JOIN circles c ON c.did = rm.sender_did
      JOIN ucr_headers h ON h.cid = rm.header_cid
      WHERE c.status = 'active' AND \(Piece.lives("h"))
        AND (NOT \(Piece.isSession("h")) OR EXISTS (SELECT 1 FROM redo_chains chain
          JOIN local_receipts lr ON lr.header_cid = chain.head_cid
          WHERE chain.root_cid = h.root_cid))
      ORDER BY rm.received_at DESC, rm.id LIMIT ?
      """
    case .strains:
      """
      SELECT strain, count(*) AS session_count, avg(CAST(rating AS REAL)) AS avg_rating,
        max(claimed) AS last_used_claimed
      FROM (SELECT \(Piece.strain("h")) AS strain, \(Piece.member("h", "rating")) AS rating,
          h.claimed_time_ms AS claimed
        FROM local_receipts lr
        CROSS JOIN ucr_headers h ON h.cid = lr.header_cid
        CROSS JOIN ucr_headers root ON root.cid = h.root_cid
        WHERE root.receipt_type = 'app.buds.session.created/v1' AND \(Piece.lives("h")))
      WHERE strain IS NOT NULL GROUP BY strain ORDER BY session_count DESC, strain LIMIT ?
      """
    case .recent:
      """
      SELECT h.cid, h.payload_json, h.claimed_time_ms, h.received_at, \(Piece.place("h")) AS place_name
      FROM (SELECT h.cid FROM ucr_headers h CROSS JOIN local_receipts lr ON lr.header_cid = h.cid
        WHERE \(Piece.isSession("h")) AND h.claimed_time_ms >= ? AND \(Piece.lives("h"))
        ORDER BY h.received_at DESC, h.cid LIMIT ?) f
      JOIN ucr_headers h ON h.cid = f.cid ORDER BY h.received_at DESC, h.cid
      """
    case .tasks:
      """
      SELECT t.guid, t.title, t.description, t.archived, ?2 AS rank FROM tasks t WHERE t.guid = ?1
      """
    }
  }

  /// The statement as the document has it; `nil` if it has none.
  ///
  /// The parameters are the same.
  var literal: String? {
    let claimed = "json_extract(h.payload_json, '$.claimed_time_ms')"
    switch self {
    case .timeline:
      return """
        SELECT lr.uuid, lr.is_favorited, lr.image_cids, h.cid, h.receipt_type, h.payload_json,
          \(claimed) AS claimed_time_ms, h.received_at
        FROM local_receipts lr JOIN ucr_headers h ON lr.header_cid = h.cid
        WHERE h.receipt_type LIKE 'app.buds.session.%' ORDER BY h.received_at DESC LIMIT ?
        """
    case .search:
      return """
        SELECT fts.cid, h.payload_json, \(claimed) AS claimed_time_ms, h.received_at, rank
        FROM fts_memories fts JOIN ucr_headers h ON fts.cid = h.cid
        WHERE fts_memories MATCH ? ORDER BY rank LIMIT ?
        """
    case .map:
      return """
        SELECT l.cid, l.fuzzy_lat, l.fuzzy_lon, l.place_name, lr.uuid, h.payload_json
        FROM locations l JOIN ucr_headers h ON l.receipt_cid = h.cid
        JOIN local_receipts lr ON lr.header_cid = h.cid
        WHERE l.fuzzy_lat BETWEEN ?1 AND ?3 AND l.fuzzy_lon BETWEEN ?2 AND ?4
          AND l.location_type IN ('fuzzy', 'precise') LIMIT ?6
        """
    case .feed:
      return """
        SELECT rm.id, rm.sender_did, c.display_name AS sender_name, h.cid, h.payload_json,
          \(claimed) AS claimed_time_ms, rm.received_at
        FROM received_memories rm JOIN circles c ON rm.sender_did = c.did
        JOIN ucr_headers h ON rm.header_cid = h.cid
        WHERE c.status = 'active' ORDER BY rm.received_at DESC LIMIT ?
        """
    case .strains:
      return """
        SELECT json_extract(h.payload_json, '$.strain_name') AS strain, COUNT(*) AS session_count,
          AVG(CAST(json_extract(h.payload_json, '$.rating') AS REAL)) AS avg_rating,
          MAX(\(claimed)) AS last_used_claimed
        FROM ucr_headers h
        WHERE h.receipt_type = 'app.buds.session.created/v1'
          AND json_extract(h.payload_json, '$.strain_name') IS NOT NULL
        GROUP BY strain ORDER BY session_count DESC LIMIT ?
        """
    case .recent:
      return """
        SELECT h.cid, h.payload_json, \(claimed) AS claimed_time_ms, h.received_at, l.place_name
        FROM ucr_headers h LEFT JOIN locations l ON l.receipt_cid = h.cid
        WHERE h.receipt_type LIKE 'app.buds.session.%' AND \(claimed) >= ?
        ORDER BY h.received_at DESC LIMIT ?
        """
    case .tasks: return nil
    }
  }
}
