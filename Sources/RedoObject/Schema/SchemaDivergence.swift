// Fields on which heads of a schema differ: of two edits made at the same time one counts as a whole, and the other one should be
// told (schemas, sections 1.3 and 3).

/// A field of which heads have different versions.
package struct SchemaDivergence: Equatable, Sendable {
  /// What is different.
  package enum Concern: Sendable {
    /// What the field says: an edit is lost.
    case content
    /// Who created it, or when.
    case provenance
  }

  /// What is different.
  package let concern: Concern
  /// The field as it is stored.
  package let pair: FieldPair
  /// Its name in the join.
  package let name: ByteText
  /// Who changed it in the join, or for `provenance` created it.
  package let winner: FieldStamp
  /// Who did in the heads whose version does not count.
  package let losers: [FieldStamp]

  /// Finds those of some heads.
  ///
  /// - Parameters:
  ///   - heads: the definitions of the heads, all of one name.
  ///   - base: what two heads, by their places, have in common; `nil` when that is not known. A head that has a field as it was
  ///     there has not changed it.
  /// - Returns: in the order of the fields of the join.
  package static func find(
    _ heads: [SchemaDefinition], _ base: (Int, Int) -> SchemaDefinition?
  ) -> [SchemaDivergence] {
    guard heads.count > 1, let join = SchemaDefinition.join(heads) else { return [] }
    let versions = heads.map { head in
      Dictionary(head.fields.map { ($0.pair, $0) }, uniquingKeysWith: { first, _ in first })
    }
    var found: [SchemaDivergence] = []
    for field in join.fields {
      let all = versions.map { $0[field.pair] }
      let created = Set(all.compactMap { $0?.created }).subtracting([field.created])
      if !created.isEmpty {
        found.append(
          SchemaDivergence(
            concern: .provenance, pair: field.pair, name: field.displayName, winner: field.created,
            losers: created.sorted(by: FieldStamp.isBefore)))
      }
      let winners = all.indices.filter { all[$0] == field }
      var lost: Set<FieldStamp> = []
      for (place, version) in all.enumerated() {
        guard let version, !version.isSaid(as: field) else { continue }
        let isOld = winners.contains { winner in
          base(winner, place)?.fields.contains(version) ?? false
        }
        if !isOld { lost.insert(version.updated) }
      }
      guard !lost.isEmpty else { continue }
      found.append(
        SchemaDivergence(
          concern: .content, pair: field.pair, name: field.displayName, winner: field.updated,
          losers: lost.sorted(by: FieldStamp.isBefore)))
    }
    return found
  }
}

extension FieldStamp {
  /// Whether it stands before another.
  fileprivate static func isBefore(_ one: FieldStamp, _ other: FieldStamp) -> Bool {
    one.at == other.at ? one.by < other.by : one.at < other.at
  }
}
