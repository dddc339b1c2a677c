// A node: one immutable change (protocol, section 1).
//
//   body       canonical JSON without id and signature; its SHA-256 is the id
//   signature  Ed25519 over the body or its digest, not part of the id
//
// A `Node` comes from `NodeDecoder` alone, so every `Node` keeps the rules of form and content, and its
// id is the hash of its body.

package import RedoCrypto

/// A node that keeps the rules of its profile.
package struct Node: Sendable {
  /// The largest node in bytes, as it arrives and as it is written, with id and signature.
  package static let byteLimit = 1_048_576
  /// The most parents of a node.
  package static let parentLimit = 64

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
  /// The author's public key, where the node carries it.
  package let publicKey: PublicKey?
  /// What it does, if replay knows it.
  package let action: Action?
  /// The task it changes.
  package let taskID: TaskID?
  /// The places of texts in the body.
  let places: Places

  /// Byte ranges of the body.
  struct Places: Sendable {
    var action = Slice()
    var wall = Slice()
    var taskID = Slice()
    var deviceID = Slice()
    var authorName = Slice()
    var authorEmail = Slice()
    var deviceName = Slice()
    var data = Slice()
    var content = Slice()
  }

  /// A range of the body in 32-bit offsets; empty at 0 when the member is absent.
  struct Slice: Sendable {
    var start: UInt32 = 0
    var end: UInt32 = 0
  }

  /// A text of the node that is read in place.
  package enum Text: Sendable {
    case action, wall, taskID, deviceID, authorName, authorEmail, deviceName
  }

  /// The escaped content of a string member, without quotes; `nil` when it is absent.
  package func escapedText(_ text: Text) -> ArraySlice<UInt8>? {
    let slice =
      switch text {
      case .action: places.action
      case .wall: places.wall
      case .taskID: places.taskID
      case .deviceID: places.deviceID
      case .authorName: places.authorName
      case .authorEmail: places.authorEmail
      case .deviceName: places.deviceName
      }
    return slice.start == 0 ? nil : body[Int(slice.start)..<Int(slice.end)]
  }

  /// The author's public key, 32 bytes, where the node carries it.
  package var publicKeyBytes: [UInt8]? {
    publicKey.map { key in (0..<32).map { key.bytes[$0] } }
  }

  /// `data` as it is in the body: RFC 8785.
  package var data: ArraySlice<UInt8> { body[Int(places.data.start)..<Int(places.data.end)] }

  /// The action's content, `data.fields` or `data.payload`, as it is in the body: RFC 8785.
  package var content: ArraySlice<UInt8> {
    body[Int(places.content.start)..<Int(places.content.end)]
  }
}
