// What a store of objects can do, so that commands and tests work with any of them: loose files,
// memory, several layers.

package import RedoCrypto

/// An object as a store keeps it: its canonical bytes, a label, and the signature if its kind has any.
package struct StoredObject: Equatable, Sendable {
  /// The name: SHA-256 of `canonical`, checked by every read.
  package var id: ObjectID
  /// The label.
  package var kind: ObjectKind
  /// The canonical bytes: of a node its body, of a receipt its preimage.
  package var canonical: [UInt8]
  /// The signature of an object of a kind with a history, which is none of its canonical bytes.
  package var signature: Signature?

  /// An object with all its parts.
  package init(id: ObjectID, kind: ObjectKind, canonical: [UInt8], signature: Signature?) {
    self.id = id
    self.kind = kind
    self.canonical = canonical
    self.signature = signature
  }

  /// A node that is to be stored.
  package init(_ node: Node) {
    self.init(id: node.id, kind: .node, canonical: node.body, signature: node.signature)
  }

  /// A receipt that is to be stored.
  package init(_ receipt: Receipt) {
    self.init(
      id: receipt.id, kind: .receipt, canonical: receipt.preimage, signature: receipt.signature)
  }

  /// A schema that is to be stored.
  package init(_ schema: Schema) {
    self.init(id: schema.id, kind: .schema, canonical: schema.body, signature: schema.signature)
  }

  /// Bytes that are to be stored without further meaning.
  package init(blob bytes: [UInt8]) {
    self.init(
      id: ObjectID(digest: SHA256.digest(of: bytes.span)), kind: .blob, canonical: bytes,
      signature: nil)
  }

  /// What reading the object gives: of a node its canonical JSON with id and signature.
  package func appendContents(to output: inout [UInt8]) {
    kind.appendContents(of: self, to: &output)
  }

  /// The number of bytes that reading the object gives.
  package var wholeSize: Int { kind.contentsCount(of: self) }
}

/// An object that is to be stored, with what is known about its signer.
package struct ObjectWrite: Sendable {
  /// The object; its id must have been computed from its bytes.
  package let object: StoredObject
  /// The signer's public key, where it is known: it decides between two signatures.
  package let key: PublicKey?
  /// The object as a node, if the writer has decoded it.
  package let node: Node?

  /// An object and its signer's key.
  package init(_ object: StoredObject, key: PublicKey?) {
    self.object = object
    self.key = key
    node = nil
  }

  /// A node and its signer's key.
  package init(_ node: Node, key: PublicKey?) {
    object = StoredObject(node)
    self.key = key
    self.node = node
  }
}

/// What a write has done.
package enum WriteOutcome: Equatable, Sendable {
  /// The object was not there.
  case new
  /// The object was there, with the same signature or a better one.
  case known
  /// The object was there; its signature was replaced by a better one.
  case upgraded
  /// The object was there with corrupt bytes, which were replaced.
  case healed
}

/// Where objects can be read.
package protocol ObjectReader {
  associatedtype Failure: Error

  /// Whether there is an object of this name; its bytes are not looked at.
  func contains(_ id: ObjectID) throws(Failure) -> Bool

  /// Reads an object and checks that its bytes have its name.
  ///
  /// - Returns: the object; `nil` when there is no object of this name.
  func read(_ id: ObjectID) throws(Failure) -> StoredObject?

  /// The names that begin with some hex digits, in ascending order.
  ///
  /// - Parameter prefix: 0 to 64 lower-case hex digits.
  /// - Returns: the names; none when nothing begins so.
  /// - Throws: what keeps the store from being read.
  func list(prefix: String) throws(Failure) -> [ObjectID]
}

/// Where objects can be written.
package protocol ObjectWriter: ObjectReader {
  /// Writes objects, all or none, and gives one outcome for each, in order.
  func write(_ objects: [ObjectWrite]) throws(Failure) -> [WriteOutcome]
}
