// The days: what sessions that live there were, by the UTC day of their claimed time, each by the receipt that is shown.

/// Writes days.
struct DaySummaries: ~Copyable {
  /// The length of a day in milliseconds.
  private static let dayLength: Int64 = 86_400_000
  /// The first and the last millisecond of the years that have four digits, from 1 on.
  private static let years = -62_135_596_800_000...253_402_300_799_999

  /// The UTC day of a header's claimed time; NULL outside of the years 1 to 9999.
  static func day(_ header: String) -> String {
    """
    CASE WHEN \(header).claimed_time_ms BETWEEN \(years.lowerBound) AND \(years.upperBound) THEN
      date((\(header).claimed_time_ms - (\(header).claimed_time_ms % 86400000 + 86400000) % 86400000)
        / 1000, 'unixepoch') END
    """
  }

  private let now: Double
  private let deletion: PreparedStatement
  private let insertion: PreparedStatement
  private let start: PreparedStatement

  /// Prepares to write days.
  ///
  /// - Parameters:
  ///   - connection: lives longer.
  ///   - now: the time to note, in seconds since 1970.
  /// - Throws: `IndexFault`.
  init(on connection: SQLiteConnection, now: Double) throws(IndexFault) {
    let deletion = try PreparedStatement(
      "DELETE FROM daily_summaries WHERE date = ?", on: connection)
    let insertion = try PreparedStatement(Self.summary, on: connection)
    let start = try PreparedStatement("SELECT strftime('%s', ?) * 1000", on: connection)
    self.now = now
    self.deletion = deletion
    self.insertion = insertion
    self.start = start
  }

  /// Writes a day anew; one without sessions has no row.
  ///
  /// - Parameter day: as SQLite writes dates.
  /// - Throws: `IndexFault`.
  func write(_ day: String) throws(IndexFault) {
    deletion.bind(day, 1)
    try deletion.run()
    start.bind(day, 1)
    guard try start.step() else { throw IndexFault(.damaged, day) }
    let first = start.integer(0)
    start.reset()
    insertion.bind(day, 1)
    insertion.bind(first, 2)
    insertion.bind(first + Self.dayLength - 1, 3)
    insertion.bind(now, 4)
    try insertion.run()
  }

  /// One day: the sessions that live, each by the receipt that is shown.
  private static let summary = """
    WITH session AS MATERIALIZED (
      SELECT h.cid, h.root_cid, h.payload_json, \(Piece.strain("h")) AS strain
      FROM ucr_headers h JOIN local_receipts lr ON lr.header_cid = h.cid
      WHERE h.claimed_time_ms BETWEEN ?2 AND ?3 AND \(Piece.isSession("h"))
        AND \(Piece.lives("h")))
    INSERT INTO daily_summaries(date, session_count, total_amount_grams, unique_strains_json,
      dominant_effects_json, avg_rating, locations_visited_json, computed_at)
    SELECT ?1, count(*), round(sum(json_extract(payload_json, '$.amount_grams')), 6),
      (SELECT json_group_array(strain) FROM
        (SELECT DISTINCT strain FROM session WHERE strain IS NOT NULL ORDER BY strain)),
      (SELECT json_group_array(effect) FROM
        (SELECT each.value AS effect FROM session, json_each(session.payload_json, '$.effects') each
          WHERE each.type = 'text' GROUP BY effect ORDER BY count(*) DESC, effect LIMIT 3)),
      avg(CAST(json_extract(payload_json, '$.rating') AS REAL)),
      (SELECT json_group_array(name) FROM
        (SELECT DISTINCT place.place_name AS name FROM session
          JOIN ucr_headers member ON member.root_cid = session.root_cid
          JOIN locations place ON place.receipt_cid = member.cid
          WHERE place.place_name IS NOT NULL ORDER BY name)),
      ?4
    FROM session GROUP BY NULL
    """
}
