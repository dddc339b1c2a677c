// A receipt: one immutable memory (receipts, sections 1.1 to 1.4).
//
//   preimage   one DAG-CBOR map; its SHA-256 is the id
//   signature  Ed25519 over the preimage, beside it
//
// A `Receipt` comes from `ReceiptDecoder` alone, so every `Receipt` keeps the rules of form and content, and its id is the
// hash of its preimage.

package import RedoCrypto

/// A receipt that keeps the rules of its profile.
///
/// A class, because it never changes and is handed from list to list.
package final class Receipt: Sendable {
  /// The most bytes of a preimage.
  package static let byteLimit = 65_536
  /// The most bytes of the name of a device.
  package static let deviceIDLimit = 128

  /// How its envelope is written.
  package enum Form: String, Sendable {
    /// The payload is a byte string with a map of its own in it, and the root of a chain says `SELF`.
    case client
    /// The payload is a map, and the root of a chain says nothing.
    case docs
  }

  /// SHA-256 of `preimage`.
  package let id: ObjectID
  /// The bytes that are hashed and signed: strict DAG-CBOR.
  package let preimage: [UInt8]
  /// The signature it came with.
  package let signature: Signature?
  /// How its envelope is written.
  package let form: Form
  /// Its author.
  package let did: DID
  /// The device that made it, if it says so.
  package let deviceID: String?
  /// What it tells: `app.buds.session.created/v1`.
  package let type: String
  /// The receipt that it changes; `nil` at the root of a chain.
  package let parent: ObjectID?
  /// The first receipt of its chain: itself without a parent.
  package let root: ObjectID
  /// When its author says that it happened, in milliseconds from 1970; nobody checks that.
  package let claimed: Int64?
  /// The key of the device, if it is the device's card: a receipt that says which key signs.
  package let card: PublicKey?
  /// The receipt whose chain it deletes, if that is what it tells.
  package let deleted: ObjectID?

  init(
    id: ObjectID, preimage: [UInt8], signature: Signature?, form: Form, did: DID, deviceID: String?,
    type: String, parent: ObjectID?, root: ObjectID, claimed: Int64?, card: PublicKey?,
    deleted: ObjectID?
  ) {
    self.id = id
    self.preimage = preimage
    self.signature = signature
    self.form = form
    self.did = did
    self.deviceID = deviceID
    self.type = type
    self.parent = parent
    self.root = root
    self.claimed = claimed
    self.card = card
    self.deleted = deleted
  }

  /// Whether it tells of a session, and so can be shown for one.
  package var isSession: Bool { Self.isSession(type) }

  /// Whether receipts of a type tell of a session.
  package static func isSession(_ type: String) -> Bool { ReceiptType.sessions.contains(type) }

  /// Whether it deletes the chain that it is in.
  package var deletesItsChain: Bool { type == ReceiptType.sessionDeleted }

  /// The type of the cards of devices.
  package static let cardType: StaticString = "redo.device.registered/v1"

  /// Whether some bytes may be a card: what has its type nowhere is none, and need not be decoded to find that out.
  package static func mayBeCard(_ preimage: Span<UInt8>) -> Bool {
    let count = cardType.utf8CodeUnitCount
    var start = 0
    while start + count <= preimage.count {
      // The slash stands once in the type, near its end: most places are passed over by looking for it.
      guard preimage[start + count - 3] == UInt8(ascii: "/") else {
        start += 1
        continue
      }
      if preimage.extracting(start..<start + count).elementsEqual(cardType) { return true }
      start += 1
    }
    return false
  }

  /// The same as a time, if it is one of the years 1 to 9999.
  package var wall: WallTime? {
    claimed.flatMap { time in
      WallTime.earliest.milliseconds...WallTime.latest.milliseconds ~= time
        ? WallTime(milliseconds: time) : nil
    }
  }

  /// The device, if the receipt names one.
  package var device: DeviceName? { deviceID.map { DeviceName(did: did.text, deviceID: $0) } }
}
