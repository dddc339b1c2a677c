// A node as a document of Firestore, and back, byte for byte (redo-firestore(5)).
//
//   nodes/<id>   the members of the node, id, signature, accessList, createdAt
//   canonical    the body itself, only where the members would not give it back
//
// A document that somebody else has flattened or padded is recovered by its id: the few bodies that it
// may represent are tried, and the one whose hash is the id is taken.

package import RedoCrypto
package import RedoObject

/// Nodes as documents.
package enum NodeDocument {
  /// The collection of the nodes.
  package static let collection = "nodes"
  /// The collection of account documents.
  package static let users = "users"
  /// The field of the body where the other fields do not give it back.
  package static let canonicalField = "canonical"
  /// The field of the accounts that may read the document.
  package static let accessListField = "accessList"
  /// The field of the time at which the service took the document.
  package static let createdAtField = "createdAt"
  /// The most bytes of a document that is written: 1 KiB less than Firestore keeps.
  package static let sizeLimitBytes = FirestoreDocument.byteLimit - 1024
  /// The most bytes of an indexed text.
  package static let indexedLimitBytes = 1500
  /// The most bodies that are tried for one document.
  package static let tryLimit = 200

  /// The document of a node.
  ///
  /// - Parameters:
  ///   - id: the node's id.
  ///   - database: the database.
  /// - Returns: its name.
  package static func name(of id: ObjectID, in database: DatabaseName) -> DocumentName {
    guard let name = DocumentName(database, [collection, id.text]) else {
      preconditionFailure("BUG: an id that is no name of a document")
    }
    return name
  }

  /// Why a node cannot be carried.
  package enum Refusal: Error, Equatable, Sendable {
    /// The document would count for too many bytes.
    case tooLarge(sizeBytes: Int)
    /// A text that must be indexed is too long; the field and its bytes.
    case indexedText(String, sizeBytes: Int)
    /// Nobody could read the document.
    case noReader
    /// The body is not a canonical JSON object.
    case notCanonical

    /// The refusal in lower case, without a full stop.
    package var message: String {
      switch self {
      case .tooLarge(let size):
        "the document would have \(size) bytes, more than the \(sizeLimitBytes) that Firestore"
          + " takes with room to spare"
      case .indexedText(let field, let size):
        "the field '\(field)' has \(size) bytes, more than the \(indexedLimitBytes) of an index"
      case .noReader: "no account is named that may read it"
      case .notCanonical: "the body is no canonical JSON object"
      }
    }
  }

  /// What a document was found to be.
  package enum Reading: Sendable {
    /// A node: bytes whose hash is its id. A `NodeDecoder` decides whether they keep the rules of a node, and a
    /// verifier whether their signature holds.
    case recovered(Recovered)
    /// None.
    case unfit(Unfit)
  }

  /// The bytes of a node, and what its document says about it.
  package struct Recovered: Sendable {
    /// The SHA-256 of `body`, and the id of the document.
    package let id: ObjectID
    /// The canonical body.
    package let body: [UInt8]
    /// The signature, if it has one.
    package let signature: Signature?
    /// When the service took the document, by the field of that name in any of its forms.
    package let createdAt: FirestoreTimestamp?
    /// The accounts that may read the document, according to the document.
    package let accessList: [String]
    /// What had to be done to get the body.
    package let form: Form

    /// The node as a store keeps it; a `NodeDecoder` judges it.
    package var object: StoredObject {
      StoredObject(id: id, kind: .node, canonical: body, signature: signature)
    }
  }

  /// Why a document is not a node.
  package enum Unfit: Error, Equatable, Sendable {
    /// Neither the document's name nor its field `id` is a node's id.
    case noID(String)
    /// The body belongs to another node than the one that the document's name says.
    case idMismatch(name: String, id: ObjectID)
    /// No body that the document may represent has its id as its hash; the first one's hash and text.
    case hashMismatch(stated: ObjectID, computed: ObjectID, body: [UInt8])
    /// No body can be made from it: the value at a place cannot be in JSON, or not exactly.
    case unreadable(Rule, place: String, fault: String)
    /// The signature is not 128 lower-case hex digits.
    case signatureForm(String)
    /// The node would be larger than a node may be.
    case tooLarge

    /// The rule that is broken.
    package var rule: Rule {
      switch self {
      case .noID: .idForm
      case .idMismatch, .hashMismatch: .hashMismatch
      case .unreadable(let rule, _, _): rule
      case .signatureForm: .signatureForm
      case .tooLarge: .nodeSize
      }
    }

    /// What is wrong in lower case, without a full stop; texts of the document are unescaped.
    package var message: String {
      switch self {
      case .noID(let text): "'\(text)' is no id of a node"
      case .idMismatch(let name, let id):
        "idMismatch: the document '\(name)' holds the node '\(id.text)'"
      case .hashMismatch(let stated, let computed, _):
        "hashMismatch: the body hashes to '\(computed.text)', not to '\(stated.text)'"
      case .unreadable(_, let place, let fault): "\(fault) at '\(place)' cannot be in a node"
      case .signatureForm(let text): "the signature '\(text)' is not 128 lower-case hex digits"
      case .tooLarge: "the node has more than \(Node.byteLimit) bytes"
      }
    }
  }
}
