// What comes of an edit of a schema, once it is known that every store will take it (schemas, sections 1.4 and 7).

/// What comes of an edit.
package struct SchemaEdited: Sendable {
  /// The definition of the next object; `nil` when nothing changes, and nothing is to be written.
  package let definition: SchemaDefinition?
  /// What the object says led to it.
  package let change: Schema.Change
  /// The field that was changed or added, as it is shown afterwards.
  package let field: UniqueID?
  /// What somebody should know.
  package internal(set) var warnings: [Finding] = []

  /// What comes of an edit.
  ///
  /// - Parameters:
  ///   - definition: the next definition; `nil` when nothing changes.
  ///   - heads: the definitions of the heads that it follows.
  ///   - change: what the object says led to it.
  ///   - field: the field that was changed or added.
  ///   - settled: fields that somebody chose among the heads, as they are stored.
  ///   - base: what two heads, by their places, have in common; `nil` when that is not known.
  /// - Throws: `SchemaFault.refused` for what no store would take.
  package init(
    _ definition: SchemaDefinition?, after heads: [SchemaDefinition], _ change: Schema.Change,
    field: UniqueID? = nil, settled: Set<FieldPair> = [],
    base: (Int, Int) -> SchemaDefinition? = { _, _ in nil }
  ) throws(SchemaFault) {
    self.definition = definition
    self.change = change
    self.field = field
    guard let definition else { return }
    for (place, field) in definition.fields.enumerated() where field.updated.at > .latest {
      throw .refused(.schemaClockRange, "/fields/\(place)/updatedAt", field.pair.id.text)
    }
    let broken = SchemaSuccession(definition, after: heads).errors(at: "")
    guard broken.isEmpty else { throw .refused(broken) }
    // With its envelope it is larger still; that is checked when it is signed.
    guard definition.canonical.count <= Schema.byteLimit else { throw .refused(.schemaSize, "") }
    warnings =
      Self.lostEdits(definition, heads, settled, base) + Self.newCollisions(definition, heads)
  }

  /// Edits that are lost where heads are joined.
  private static func lostEdits(
    _ definition: SchemaDefinition, _ heads: [SchemaDefinition], _ settled: Set<FieldPair>,
    _ base: (Int, Int) -> SchemaDefinition?
  ) -> [Finding] {
    SchemaDivergence.find(heads, base)
      .filter { $0.concern == .content && !settled.contains($0.pair) }
      .map { lost in
        let place = definition.fields.firstIndex { $0.pair == lost.pair }
        return Finding(
          .schemaFieldDiverged, at: place.map { .pointer("/fields/\($0)") } ?? .whole,
          detail: lost.name.text)
      }
  }

  /// Names that two active fields have from now on; devices may well be called the same.
  ///
  /// - Parameters:
  ///   - definition: the definition as it is from now on.
  ///   - heads: what it was before.
  /// - Returns: a warning for each name.
  package static func newCollisions(
    _ definition: SchemaDefinition, _ heads: [SchemaDefinition]
  ) -> [Finding] {
    guard definition.name != .devices else { return [] }
    let known = Set(heads.flatMap { SchemaView($0).collisions.map(\.name) })
    return SchemaView(definition).collisions.filter { !known.contains($0.name) }.map {
      Finding(
        .schemaNameCollision, at: .pointer("/fields"), detail: $0.name.text,
        hint: "'rename' one of them, or 'merge-fields'")
    }
  }
}
