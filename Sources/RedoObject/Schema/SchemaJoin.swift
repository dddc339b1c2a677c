// The join of files with definitions: each name that one of them has must be in all of them, so that two definitions that have
// nothing to do with each other are refused, and two backups of an app are joined schema by schema.

internal import RedoCrypto

/// Joins the definitions of files.
package enum SchemaJoin {
  /// A file, and what it defines.
  package struct File: Sendable {
    /// For messages.
    let name: String
    /// What it defines; of one name several count as their join.
    let definitions: [SchemaDefinition]

    /// A file that has been read.
    package init(name: String, definitions: [SchemaDefinition]) {
      self.name = name
      self.definitions = definitions
    }
  }

  /// A file that lacks a definition that another one has, or has one that it lacks.
  package struct Mismatch: Error {
    /// The file.
    package let file: String
    /// The broken rule `schema-id-mismatch`.
    package let finding: Finding
  }

  /// The joins.
  ///
  /// - Parameter files: any number.
  /// - Returns: a definition for each name, by the bytes of id and scope.
  /// - Throws: `Mismatch` when two files have different names.
  package static func join(_ files: [File]) throws(Mismatch) -> [SchemaDefinition] {
    var joined: [SchemaDefinition.Name: SchemaDefinition] = [:]
    for (place, file) in files.enumerated() {
      for definition in file.definitions {
        guard let known = joined[definition.name] else {
          guard place == 0 else { throw mismatch(file, definition.name) }
          joined[definition.name] = definition
          continue
        }
        joined[definition.name] = known.joined(with: definition) ?? known
      }
      let names = Set(file.definitions.map(\.name))
      if let lacking = joined.keys.filter({ !names.contains($0) }).min() {
        throw mismatch(file, lacking)
      }
    }
    return joined.values.sorted { $0.name < $1.name }
  }

  private static func mismatch(_ file: File, _ name: SchemaDefinition.Name) -> Mismatch {
    Mismatch(file: file.name, finding: Finding(.schemaIDMismatch, detail: name.text))
  }
}

extension SchemaDefinition.Name: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    left.id == right.id
      ? (left.scope?.text ?? "") < (right.scope?.text ?? "") : left.id < right.id
  }

  /// `vaccine`, or `vaccine@<uuid>` for the copy of a person.
  package var text: String { id.text + (scope.map { "@\($0.text)" } ?? "") }
}

extension SchemaDefinition {
  /// SHA-256 of its RFC 8785 form: equal for equal definitions.
  package var hash: ObjectID { ObjectID(digest: SHA256.digest(of: canonical.span)) }
}
