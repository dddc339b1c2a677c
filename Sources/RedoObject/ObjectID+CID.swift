// The id of an object as a content identifier: the same digest, and what the bytes are.

package import DAGCBOR
internal import RedoCrypto

extension ObjectID {
  /// The id of the bytes that a CID names.
  package init(_ cid: CID) {
    guard let digest = Digest(raw: cid.digest.span) else {
      preconditionFailure("BUG: a CID without a SHA-256")
    }
    self.init(digest: digest)
  }

  /// Reads a whole name: an id, with or without `sha256:`, or a CID, whose codec is not compared.
  package init?(name: Span<UInt8>) {
    if let cid = CID(text: name) {
      self.init(cid)
    } else if let id = ObjectID(ascii: name) ?? ObjectID(hex: name) {
      self = id
    } else {
      return nil
    }
  }

  /// The CID of the bytes that it names.
  ///
  /// - Parameter codec: what the bytes are.
  /// - Returns: the CID, with the same digest.
  package func cid(_ codec: CID.Codec) -> CID {
    CID(codec, sha256: (0..<Digest.byteCount).map { digest.bytes[$0] })
  }

  /// The text of the CID of an object of a kind.
  package func cidText(as kind: ObjectKind) -> String { cid(kind.codec).text }
}
