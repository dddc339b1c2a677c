// Who and what a change is about: types, so that one is never taken for another.

package import RedoCrypto

/// The author of a change: the first 16 bytes of the public key, 32 lower-case hex digits.
package struct UserID: Hashable, Sendable {
  /// The bytes, first to last.
  package let bytes: InlineArray<16, UInt8>

  /// Reads 32 lower-case hex digits.
  package init?(hex: Span<UInt8>) {
    guard let bytes = Hex.decode16(hex) else { return nil }
    self.bytes = bytes
  }

  /// The user that a public key stands for.
  package init(of key: PublicKey) {
    bytes = InlineArray { key.bytes[$0] }
  }

  package static func == (left: UserID, right: UserID) -> Bool {
    equal(left.bytes, right.bytes)
  }

  package func hash(into hasher: inout Hasher) { feed(bytes, into: &hasher) }

  /// 32 hex digits.
  package var text: String { Hex.text(bytes.span) }
}

/// A task: a UUID, compared without case and written in lower case.
package struct TaskID: Hashable, Sendable {
  /// The bytes, first to last.
  package let bytes: InlineArray<16, UInt8>

  /// Reads a UUID of either case.
  ///
  /// - Parameter text: 36 ASCII bytes, hyphens included.
  package init?(_ text: Span<UInt8>) {
    guard text.count == 36 else { return nil }
    var bytes = InlineArray<16, UInt8>(repeating: 0)
    var position = 0
    for index in 0..<16 {
      if position == 8 || position == 13 || position == 18 || position == 23 {
        guard text[position] == UInt8(ascii: "-") else { return nil }
        position += 1
      }
      let high = Self.value(text[position])
      let low = Self.value(text[position + 1])
      guard high < 16, low < 16 else { return nil }
      bytes[index] = high << 4 | low
      position += 2
    }
    self.bytes = bytes
  }

  private static func value(_ digit: UInt8) -> UInt8 {
    Hex.value(digit >= UInt8(ascii: "A") && digit <= UInt8(ascii: "F") ? digit | 0x20 : digit)
  }

  package static func == (left: TaskID, right: TaskID) -> Bool {
    equal(left.bytes, right.bytes)
  }

  package func hash(into hasher: inout Hasher) { feed(bytes, into: &hasher) }

  /// 36 characters in lower case.
  package var text: String {
    var output: [UInt8] = []
    for index in 0..<16 {
      if index == 4 || index == 6 || index == 8 || index == 10 {
        output.append(UInt8(ascii: "-"))
      }
      output.append(Hex.digit(bytes[index] >> 4))
      output.append(Hex.digit(bytes[index] & 0x0F))
    }
    return String(decoding: output, as: UTF8.self)
  }
}

private func equal(_ left: InlineArray<16, UInt8>, _ right: InlineArray<16, UInt8>) -> Bool {
  for index in 0..<16 where left[index] != right[index] { return false }
  return true
}

private func feed(_ bytes: InlineArray<16, UInt8>, into hasher: inout Hasher) {
  var high: UInt64 = 0
  var low: UInt64 = 0
  for index in 0..<8 {
    high = high << 8 | UInt64(bytes[index])
    low = low << 8 | UInt64(bytes[index + 8])
  }
  hasher.combine(high)
  hasher.combine(low)
}
