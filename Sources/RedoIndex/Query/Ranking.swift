// The best rows of a full text, with ties in the order of keys. FTS5 orders by rank alone without reading rows, so it
// is asked for that, and only rows as good as the last one that is wanted are ordered here: SQLite would read every
// row that was found for its key.

/// A row that was found.
struct RankedKey: Sendable {
  let key: String
  let rank: Double
}

/// The best rows of a full text.
enum Ranking {
  /// The best rows.
  ///
  /// - Parameters:
  ///   - statement: has keys and ranks, best first.
  ///   - limit: how many are wanted at most; `nil` for all.
  /// - Returns: those rows by rank, those of one rank by key.
  /// - Throws: `IndexFault`.
  static func best(
    _ statement: borrowing PreparedStatement, _ limit: Int64?
  ) throws(IndexFault) -> [RankedKey] {
    let wanted = limit.map { Int(clamping: $0) } ?? .max
    guard wanted > 0 else { return [] }
    var found: [RankedKey] = []
    while try statement.step() {
      let rank = statement.real(1)
      if found.count >= wanted, let last = found.last, last.rank != rank { break }
      found.append(RankedKey(key: statement.text(0), rank: rank))
    }
    found.sort { left, right in
      left.rank != right.rank
        ? left.rank < right.rank : left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
    }
    return Array(found.prefix(wanted))
  }
}
