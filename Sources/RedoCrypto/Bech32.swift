// Bech32 (BIP 173) without its limit of 90 characters, as age writes keys: a name in clear, "1", and bytes with a
// checksum of six characters. All letters are of one case.

/// The text form of age's keys.
package enum Bech32 {
  private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
  private static let separator = UInt8(ascii: "1")
  private static let checksumCount = 6
  /// The most characters that are read: three times what a key of 32 bytes needs.
  package static let textLimit = 256

  /// Writes bytes.
  ///
  /// - Parameters:
  ///   - bytes: what to write.
  ///   - name: the part in clear, lower case.
  /// - Returns: the text, lower case; a secret if the bytes are one.
  package static func text(_ bytes: Span<UInt8>, name: String) -> SecretBytes {
    let name = Array(name.utf8)
    var groups: [UInt8] = []
    groups.reserveCapacity(bytes.count * 8 / 5 + 1)
    var (waiting, bits) = (UInt32(0), 0)
    for index in bytes.indices {
      waiting = (waiting << 8 | UInt32(bytes[index])) & 0xFFFF
      bits += 8
      while bits >= 5 {
        bits -= 5
        groups.append(UInt8(waiting >> UInt32(bits) & 31))
      }
    }
    if bits > 0 { groups.append(UInt8(waiting << UInt32(5 - bits) & 31)) }
    let sum =
      checksum(name, groups + Array(repeating: 0, count: checksumCount)) ^ 1
    var text = name + [separator]
    text.reserveCapacity(name.count + 1 + groups.count + checksumCount)
    for index in groups.indices {
      text.append(alphabet[Int(groups[index])])
      groups[index] = 0
    }
    for index in 0..<checksumCount {
      text.append(alphabet[Int(sum >> UInt32(5 * (checksumCount - 1 - index)) & 31)])
    }
    return SecretBytes(moving: &text)
  }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - text: ASCII, all upper or all lower case.
  ///   - name: the part in clear that it must have, in lower case.
  /// - Returns: the bytes; `nil` for any text that is not a name with bytes of a right checksum.
  package static func decode(_ text: Span<UInt8>, name: String) -> SecretBytes? {
    let name = Array(name.utf8)
    guard text.count <= textLimit, text.count > name.count + 1 + checksumCount else { return nil }
    var (hasLower, hasUpper) = (false, false)
    var groups: [UInt8] = []
    groups.reserveCapacity(text.count)
    defer { for index in groups.indices { groups[index] = 0 } }
    for index in text.indices {
      var letter = text[index]
      switch letter {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): hasLower = true
      case UInt8(ascii: "A")...UInt8(ascii: "Z"):
        hasUpper = true
        letter += 32
      default: break
      }
      if index < name.count {
        guard letter == name[index] else { return nil }
      } else if index == name.count {
        guard letter == separator else { return nil }
      } else {
        guard let value = alphabet.firstIndex(of: letter) else { return nil }
        groups.append(UInt8(value))
      }
    }
    guard !(hasLower && hasUpper), checksum(name, groups) == 1 else { return nil }
    let count = (groups.count - checksumCount) * 5 / 8
    guard count > 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var (waiting, bits) = (UInt32(0), 0)
    for index in 0..<(groups.count - checksumCount) {
      waiting = (waiting << 5 | UInt32(groups[index])) & 0xFFFF
      bits += 5
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: waiting >> UInt32(bits)))
      }
    }
    // What is left over is less than a group, and zero, or there would be several texts of one value.
    let isExact = bits < 5 && waiting & (1 << UInt32(bits) - 1) == 0
    let secret = SecretBytes(moving: &bytes)
    guard isExact else { return nil }
    return secret
  }

  /// The checksum of BIP 173 over the name and groups of five bits.
  private static func checksum(_ name: [UInt8], _ groups: [UInt8]) -> UInt32 {
    var sum: UInt32 = 1
    for letter in name { step(&sum, letter >> 5) }
    step(&sum, 0)
    for letter in name { step(&sum, letter & 31) }
    for group in groups { step(&sum, group) }
    return sum
  }

  private static func step(_ sum: inout UInt32, _ value: UInt8) {
    let top = sum >> 25
    sum = (sum & 0x1FF_FFFF) << 5 ^ UInt32(value)
    let generators: [UInt32] = [0x3B6A_57B2, 0x2650_8E6D, 0x1EA1_19FA, 0x3D42_33DD, 0x2A14_62B3]
    for (bit, generator) in generators.enumerated() where top >> UInt32(bit) & 1 == 1 {
      sum ^= generator
    }
  }
}
