// The name of an object: the SHA-256 of its canonical bytes (protocol, sections 1.1 and 6).

package import RedoCrypto

/// The name of an object, written `sha256:` and 64 lower-case hex digits.
package struct ObjectID: Hashable, Comparable, Sendable {
  /// What every written id begins with.
  package static let prefix: StaticString = "sha256:"
  /// The number of bytes of the prefix.
  package static let prefixCount = 7
  /// The number of hex digits after the prefix.
  package static let hexCount = 64
  /// The number of ASCII bytes of a written id.
  package static let textCount = prefixCount + hexCount

  /// The 32 raw bytes.
  package let digest: Digest

  /// The id of the object whose canonical bytes have this digest.
  @inlinable
  package init(digest: Digest) {
    self.digest = digest
  }

  /// An id of its bytes, eight at a time, each group as a little-endian number.
  @inlinable
  package init(words: (UInt64, UInt64, UInt64, UInt64)) {
    let words = (
      words.0.littleEndian, words.1.littleEndian, words.2.littleEndian, words.3.littleEndian
    )
    // SAFETY: both have 32 bytes, and every pattern of bits is a value of either.
    digest = Digest(bytes: unsafe unsafeBitCast(words, to: InlineArray<32, UInt8>.self))
  }

  /// Reads 64 lower-case hex digits without a prefix.
  ///
  /// - Parameter hex: ASCII; anything else gives `nil`.
  package init?(hex: Span<UInt8>) {
    guard let bytes = Hex.decode32(hex) else { return nil }
    digest = Digest(bytes: bytes)
  }

  /// Reads `sha256:` and 64 lower-case hex digits.
  ///
  /// - Parameter ascii: exactly 71 ASCII bytes; anything else gives `nil`.
  package init?(ascii: Span<UInt8>) {
    guard Self.hasPrefix(ascii), ascii.count == Self.textCount else { return nil }
    self.init(hex: ascii.extracting(Self.prefixCount..<Self.textCount))
  }

  /// Reads `sha256:` and 64 lower-case hex digits.
  package init?(text: some StringProtocol) {
    let bytes = Array(text.utf8)
    self.init(ascii: bytes.span)
  }

  /// Whether the text begins with `sha256:`.
  @inlinable
  package static func hasPrefix(_ ascii: Span<UInt8>) -> Bool {
    guard ascii.count >= prefixCount else { return false }
    return ascii[0] == UInt8(ascii: "s") && ascii[1] == UInt8(ascii: "h")
      && ascii[2] == UInt8(ascii: "a") && ascii[3] == UInt8(ascii: "2")
      && ascii[4] == UInt8(ascii: "5") && ascii[5] == UInt8(ascii: "6")
      && ascii[6] == UInt8(ascii: ":")
  }

  /// One raw byte of the digest, 0 to 31.
  @inlinable
  package subscript(index: Int) -> UInt8 { digest.bytes[index] }

  /// Ids are ordered bytewise, which is also the order of their written forms.
  @inlinable
  package static func < (left: ObjectID, right: ObjectID) -> Bool { left.digest < right.digest }

  /// The written form, 71 characters.
  package var text: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The 64 hex digits without the prefix.
  package var hex: String { Hex.text(digest.bytes.span) }

  /// Appends the written form, 71 ASCII bytes.
  package func append(to output: inout [UInt8]) {
    output.append(Self.prefix)
    appendHex(to: &output)
  }

  /// Appends the 32 raw bytes.
  package func appendRaw(to output: inout [UInt8]) { output.append(digest.bytes.span) }

  /// Appends the 64 hex digits without the prefix.
  package func appendHex(to output: inout [UInt8]) {
    Hex.append(digest.bytes.span, to: &output)
  }
}
