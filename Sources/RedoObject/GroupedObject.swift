// The kinds whose objects enter a history group by group, receipts chain by chain and schemas name by name: each is judged by
// itself and beside its parents, and no total order over all of them decides anything.

package import RedoCrypto

/// A receipt or a schema that keeps the rules of form.
package enum GroupedObject: Sendable {
  /// A receipt.
  case receipt(Receipt)
  /// A schema.
  case schema(Schema)

  /// Its kind.
  package var kind: ObjectKind {
    switch self {
    case .receipt: .receipt
    case .schema: .schema
    }
  }

  /// Its id.
  package var id: ObjectID {
    switch self {
    case .receipt(let receipt): receipt.id
    case .schema(let schema): schema.id
    }
  }

  /// The signature that it came with.
  package var signature: Signature? {
    switch self {
    case .receipt(let receipt): receipt.signature
    case .schema(let schema): schema.signature
    }
  }

  /// Where it stands.
  package var place: HistoryPlace {
    switch self {
    case .receipt(let receipt): HistoryPlace(receipt)
    case .schema(let schema): HistoryPlace(schema)
    }
  }

  /// Its author, as it is named: a did or a user id.
  package var author: String {
    switch self {
    case .receipt(let receipt): receipt.did.text
    case .schema(let schema): schema.userID.text
    }
  }

  /// It as a store keeps it.
  package var stored: StoredObject {
    switch self {
    case .receipt(let receipt): StoredObject(receipt)
    case .schema(let schema): StoredObject(schema)
    }
  }

  /// The receipt, if it is one.
  package var receipt: Receipt? { if case .receipt(let receipt) = self { receipt } else { nil } }

  /// The schema, if it is one.
  package var schema: Schema? { if case .schema(let schema) = self { schema } else { nil } }
}

extension PlaceDecoder {
  /// Decodes a receipt or a schema of a store.
  ///
  /// - Parameter object: the object.
  /// - Returns: `nil` when it is of another kind, or breaks a rule of form, which `findings(of:)` tells.
  package mutating func grouped(_ object: StoredObject) -> GroupedObject? {
    switch object.kind {
    case .receipt: receipts.decode(object).map { .receipt($0) }
    case .schema: schemas.decode(object).map { .schema($0) }
    case .node, .blob: nil
    }
  }

  /// Every broken rule of the object of a kind that was decoded last, warnings included.
  package func findings(of kind: ObjectKind) -> [Finding] {
    switch kind {
    case .node: nodes.findings
    case .receipt: receipts.findings
    case .schema: schemas.findings
    case .blob: []
    }
  }
}
