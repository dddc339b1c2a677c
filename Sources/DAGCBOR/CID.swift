// Content identifiers: a codec, a hash function and a digest, as bytes and as text. Those that this program writes have
// version 1, are of raw bytes or DAG-CBOR, and hold a SHA-256.

/// A content identifier of version 1 with a SHA-256.
package struct CID: Hashable, Sendable {
  /// What the bytes are.
  package enum Codec: UInt8, CaseIterable, Sendable {
    /// Bytes without further meaning.
    case raw = 0x55
    /// A DAG-CBOR value.
    case dagCBOR = 0x71
  }

  /// What the bytes are.
  package let codec: Codec
  /// The SHA-256 of the bytes.
  package let digest: [UInt8]

  /// The bytes of one.
  package static let byteCount = 36
  private static let digestCount = 32
  /// The number of characters of one.
  package static let textCount = 59

  /// A CID of its parts.
  ///
  /// - Parameters:
  ///   - codec: what the bytes are.
  ///   - digest: their SHA-256, 32 bytes.
  package init(_ codec: Codec, sha256 digest: [UInt8]) {
    precondition(digest.count == Self.digestCount, "BUG: a SHA-256 has 32 bytes")
    self.codec = codec
    self.digest = digest
  }

  /// Reads the bytes of one; `nil` for any other kind of CID, and for what is none.
  package init?(bytes: Span<UInt8>) {
    guard bytes.count == Self.byteCount, bytes[0] == 0x01, let codec = Codec(rawValue: bytes[1]),
      bytes[2] == 0x12, bytes[3] == 0x20
    else { return nil }
    self.init(codec, sha256: (4..<Self.byteCount).map { bytes[$0] })
  }

  /// Reads the text of one, the only one that it has; `nil` for any other.
  package init?(text: Span<UInt8>) {
    guard text.count == Self.textCount, text[0] == UInt8(ascii: "b"),
      let bytes = Base32.decode(text.extracting(1..<text.count))
    else { return nil }
    self.init(bytes: bytes.span)
  }

  /// Its bytes.
  package var bytes: [UInt8] { [0x01, codec.rawValue, 0x12, 0x20] + digest }

  /// Its text: `b`, and its bytes in base 32.
  package var text: String {
    "b" + String(decoding: Base32.encode(bytes.span), as: UTF8.self)
  }

  /// Whether bytes are a CID of any kind: of version 0, or of version 1 with any codec and hash function.
  package static func isAny(_ bytes: Span<UInt8>) -> Bool {
    if bytes.count == 34, bytes[0] == 0x12, bytes[1] == 0x20 { return true }
    var index = 0
    guard Varint.read(bytes, &index) == 1, Varint.read(bytes, &index) != nil,
      Varint.read(bytes, &index) != nil, let count = Varint.read(bytes, &index)
    else { return false }
    return count == UInt64(bytes.count - index)
  }
}
