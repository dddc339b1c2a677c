// A schema: one signed object that holds the whole definition after one change (schemas, section 1).
//
//   body       canonical JSON without id and signature; its SHA-256 is the id
//   signature  Ed25519 over the body
//
// A `Schema` comes from `SchemaDecoder` alone, so every `Schema` keeps the rules of form, and its id is the hash of its body.

package import RedoCrypto

/// A schema that keeps the rules of form.
///
/// A class, because it never changes and is handed from list to list.
package final class Schema: Sendable {
  /// The most bytes of one with id and signature.
  package static let byteLimit = 1_048_576

  /// Who says what led to it.
  package struct Change: Hashable, Sendable {
    /// How a change was made.
    package enum Source: String, Sendable {
      /// By somebody.
      case manual
      /// By joining heads.
      case automatic
      /// From a file.
      case `import`
    }

    /// A word for it.
    package let op: String
    /// How it was made.
    package let source: Source

    /// A change of its parts; judged when the schema is built.
    package init(_ op: String, _ source: Source) {
      self.op = op
      self.source = source
    }
  }

  /// SHA-256 of `body`.
  package let id: ObjectID
  /// The canonical body, UTF-8.
  package let body: [UInt8]
  /// The signature it came with.
  package let signature: Signature?
  /// Its parents in the order of the body.
  package let parents: [ObjectID]
  /// Its logical time.
  package let lamport: Lamport
  /// The time its author's clock showed.
  package let wall: WallTime
  /// Its author.
  package let userID: UserID
  /// The author's public key.
  package let publicKey: PublicKey
  /// The device that made it, as it is named.
  package let deviceID: String
  /// The device, for people.
  package let deviceName: String?
  /// What led to it.
  package let change: Change
  /// The definition after the change.
  package let definition: SchemaDefinition

  init(
    id: ObjectID, body: [UInt8], signature: Signature?, parents: [ObjectID], lamport: Lamport,
    wall: WallTime, userID: UserID, publicKey: PublicKey, deviceID: String, deviceName: String?,
    change: Change, definition: SchemaDefinition
  ) {
    self.id = id
    self.body = body
    self.signature = signature
    self.parents = parents
    self.lamport = lamport
    self.wall = wall
    self.userID = userID
    self.publicKey = publicKey
    self.deviceID = deviceID
    self.deviceName = deviceName
    self.change = change
    self.definition = definition
  }

  /// The device as definitions name it: a name that is no UUID stands for one.
  package var device: UniqueID { Self.device(deviceID, of: userID) }

  /// The device of a user as definitions name it.
  package static func device(_ deviceID: String, of userID: UserID) -> UniqueID {
    UniqueID(Array(deviceID.utf8).span)
      ?? UniqueID(hashing: Array("\(userID.text):\(deviceID)".utf8))
  }

  /// Judges the signature.
  package func verify() -> Verdict {
    guard let signature else { return .unsigned }
    let bytes = body
    guard Ed25519.isValid(signature, of: bytes.span, by: publicKey) else {
      return .bad(Finding(.signatureBad, at: .pointer("/signature")))
    }
    return .good(.body)
  }
}
