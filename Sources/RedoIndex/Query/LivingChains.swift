// What queries and derived rows share: which chains are shown, and what their receipts have under names that are not
// members of the payload.

/// Pieces of SQL.
enum Piece {
  /// The type of a session, of any of its kinds.
  static func isSession(_ header: String) -> String {
    "\(header).receipt_type LIKE 'app.buds.session.%'"
  }

  /// That a header's chain is not tombstoned.
  static func lives(_ header: String) -> String {
    """
    NOT EXISTS (SELECT 1 FROM redo_chains WHERE root_cid = \(header).root_cid
      AND tombstone_cid IS NOT NULL)
    """
  }

  /// The name of the place of a header's chain: that of the location with the least CID.
  static func place(_ header: String) -> String {
    """
    (SELECT place.place_name FROM ucr_headers member
      JOIN locations place ON place.receipt_cid = member.cid
      WHERE member.root_cid = \(header).root_cid ORDER BY place.cid LIMIT 1)
    """
  }

  /// Where in a header's bytes the author ends: behind the head of the map, the name `did` and its value, whose
  /// letters are ASCII.
  private static func afterAuthor(_ header: String) -> String {
    """
    (6 + length(\(header).did) + CASE WHEN length(\(header).did) < 24 THEN 1
      WHEN length(\(header).did) < 256 THEN 2 ELSE 3 END)
    """
  }

  /// Whether a header has the client's form: its payload, which follows the author there, is a byte string (major
  /// type 2), not a map.
  static func isClientForm(_ header: String) -> String {
    let place = afterAuthor(header)
    return """
      (substr(\(header).raw_cbor, \(place), 8) = x'677061796C6F6164'
      AND substr(\(header).raw_cbor, \(place) + 8, 1) BETWEEN x'40' AND x'5B')
      """
  }

  /// A member of the payload.
  static func member(_ header: String, _ name: String) -> String {
    "json_extract(\(header).payload_json, '$.\(name)')"
  }

  /// The strain: where clients have no member for it, they put it into the product's name.
  static func strain(_ header: String) -> String {
    """
    CASE WHEN \(member(header, "strain_name")) IS NOT NULL THEN \(member(header, "strain_name"))
      WHEN \(isClientForm(header)) THEN \(member(header, "product_name")) END
    """
  }
}
