// Who a receipt's author is (receipts, section 1.4): a name, and of some names the beginning of a key.

package import RedoCrypto

/// The name of an author.
package struct DID: Hashable, Sendable {
  /// The name: `did:buds:3uJqf5eg7SXAwcgnkie7bmsAD9yx`.
  package let text: String
  /// The first bytes of the author's public key, where the name is made of them.
  package let keyStart: [UInt8]?

  /// How many bytes of its key a name holds.
  private static let keyStartCount = 20
  /// The most characters of the last part.
  private static let nameLimit = 200

  /// Reads `did:<method>:<name>`; `nil` when it is none.
  package init?(_ utf8: ArraySlice<UInt8>) {
    let parts = utf8.split(
      separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].elementsEqual("did".utf8),
      !parts[1].isEmpty, parts[1].allSatisfy({ $0.isLowerCaseLetter || $0.isDigit }),
      1...Self.nameLimit ~= parts[2].count, parts[2].allSatisfy(Self.isOfName)
    else { return nil }
    text = String(decoding: utf8, as: UTF8.self)
    keyStart =
      parts[1].elementsEqual("buds".utf8)
      ? Base58.decode(Array(parts[2]).span, count: Self.keyStartCount) : nil
  }

  /// The name that is made of a key: `did:buds:` and the first 20 bytes of it.
  package init(of key: PublicKey) {
    let start = (0..<Self.keyStartCount).map { key.bytes[$0] }
    text = "did:buds:" + Base58.encode(start)
    keyStart = start
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "%"),
      UInt8(ascii: "-"):
      true
    default: byte.isLowerCaseLetter || byte.isDigit || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
    }
  }

  /// Whether a key may be its author's: one that a name does not hold may always be.
  package func mayBelong(to key: PublicKey) -> Bool {
    guard let keyStart else { return true }
    return keyStart.indices.allSatisfy { keyStart[$0] == key.bytes[$0] }
  }
}

extension UInt8 {
  /// Whether it is one of a to z.
  var isLowerCaseLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }

  /// Whether it is one of 0 to 9.
  var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
