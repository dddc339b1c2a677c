// Objects for the tests of stores. A store looks at bytes, label and signature only, so these nodes
// need not be valid in the eyes of the rules.

import RedoCrypto
import RedoObject

/// Makes objects.
enum Objects {
  /// The key that signs here.
  static let key: PublicKey = withKey { $0.publicKey }

  private static func withKey<Result>(_ body: (borrowing SecretKey) -> Result) -> Result {
    var seed = [UInt8](repeating: 7, count: 32)
    return body(SecretKey(seed: SecretBytes(moving: &seed)))
  }

  /// The forms in which a node can come.
  enum Signing: CaseIterable {
    case none, unknownSmall, unknownLarge, digest, body
  }

  /// A node whose body holds a text.
  static func node(_ text: String, _ signing: Signing) -> ObjectWrite {
    let canonical = Array(
      (#"{"action":"CREATE","author":{"deviceId":"a","userId":"\#(String(repeating: "a", count: 32))"},"#
        + #""data":{"fields":{"title":"\#(text)"}},"parents":[],"taskId":"550e8400-e29b-41d4-a716-446655440000","#
        + #""timestamp":{"lamport":1,"wall":"2025-01-01T00:00:00.000Z"},"version":1}"#).utf8)
    let digest = SHA256.digest(of: canonical.span)
    let signature: Signature? =
      switch signing {
      case .none: nil
      case .unknownSmall: Signature(bytes: InlineArray(repeating: 1))
      case .unknownLarge: Signature(bytes: InlineArray(repeating: 2))
      case .digest: withKey { $0.sign(digest.bytes.span) }
      case .body: withKey { $0.sign(canonical.span) }
      }
    let object = StoredObject(
      id: ObjectID(digest: digest), kind: .node, canonical: canonical, signature: signature)
    // A signature by an unknown key comes without it.
    let isKnown = signing == .digest || signing == .body
    return ObjectWrite(object, key: isKnown ? key : nil)
  }

  /// A blob that is a text.
  static func blob(_ text: String) -> ObjectWrite {
    ObjectWrite(StoredObject(blob: Array(text.utf8)), key: nil)
  }
}
