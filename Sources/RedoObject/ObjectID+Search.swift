// Names of objects in bytes of any kind: 64 hexadecimal digits, with or without `sha256:` in front, and CIDs, as text and
// as bytes. What stands in the middle of a longer run of such characters counts, too: nothing that is named is missed.

internal import DAGCBOR
internal import RedoCrypto

extension ObjectID {
  /// Visits the objects that bytes name by a CID, whatever its codec.
  ///
  /// - Parameters:
  ///   - bytes: the bytes.
  ///   - visit: receives each; returns whether to go on.
  /// - Returns: whether the bytes were read to their end.
  @discardableResult
  package static func forEachCID(
    in bytes: Span<UInt8>, _ visit: (ObjectID) -> Bool
  ) -> Bool {
    // The first bytes of each: version 1 and a codec, in base 32 `baf`.
    let (first, second, third) = (UInt8(ascii: "b"), UInt8(ascii: "a"), UInt8(ascii: "f"))
    var index = 0
    while index + CID.byteCount <= bytes.count {
      var cid: CID?
      if bytes[index] == 1 {
        cid = CID(bytes: bytes.extracting(index..<index + CID.byteCount))
      } else if bytes[index] == first, bytes[index + 1] == second, bytes[index + 2] == third,
        index + CID.textCount <= bytes.count
      {
        cid = CID(text: bytes.extracting(index..<index + CID.textCount))
      }
      if let cid, !visit(ObjectID(cid)) { return false }
      index += 1
    }
    return true
  }

  /// Visits the objects that bytes name by 64 digits.
  ///
  /// - Parameters:
  ///   - bytes: the bytes.
  ///   - visit: receives each; returns whether to go on.
  /// - Returns: whether the bytes were read to their end.
  @discardableResult
  package static func forEachDigits(
    in bytes: Span<UInt8>, _ visit: (ObjectID) -> Bool
  ) -> Bool {
    var run = 0
    for index in bytes.indices {
      run = Hex.value(bytes[index]) < 16 ? run + 1 : 0
      guard run >= hexCount else { continue }
      let digits = bytes.extracting(index + 1 - hexCount..<index + 1)
      if let id = ObjectID(hex: digits), !visit(id) { return false }
    }
    return true
  }

  /// Whether bytes have the CID of one of some objects anywhere.
  package static func isAny(of ids: Set<ObjectID>, namedByCIDIn bytes: Span<UInt8>) -> Bool {
    !forEachCID(in: bytes) { !ids.contains($0) }
  }

  /// Whether bytes name one of some objects anywhere, by its digits or a CID.
  package static func isAny(of ids: Set<ObjectID>, namedIn bytes: Span<UInt8>) -> Bool {
    isAny(of: ids, namedByCIDIn: bytes) || !forEachDigits(in: bytes) { !ids.contains($0) }
  }
}
