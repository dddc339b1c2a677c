// Hex in the tests themselves: not the code under test.

/// The bytes that hex digits of either case encode; no other characters are allowed.
package func bytes(hex: some StringProtocol) -> [UInt8] {
  let digits = hex.map { $0.hexDigitValue.map(UInt8.init) }
  precondition(digits.count % 2 == 0 && digits.allSatisfy { $0 != nil }, "not hex: \(hex)")
  return stride(from: 0, to: digits.count, by: 2).map {
    (digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0)
  }
}

/// The lower-case hex digits of bytes.
package func hex(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { byte in
    let digits = String(byte, radix: 16)
    return byte < 16 ? "0" + digits : digits
  }.joined()
}

/// The bytes as text, for messages of failing tests.
package func string(_ bytes: some Collection<UInt8>) -> String {
  String(decoding: bytes, as: UTF8.self)
}
