// Damage for texts: what transports, editors and other programs do to JSON.

/// One random change of a text.
package enum Mutation {
  /// Bytes that mean something to a JSON scanner, and some that mean nothing.
  private static let spice: [UInt8] =
    Array(#"{}[]:,"\/ubfnrt0123456789-+.eEtrue"#.utf8) + [
      0, 0x1F, 0x20, 0x0A, 0x7F, 0x80, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF,
    ]

  /// Flips, inserts, deletes or copies bytes at a random place.
  package static func apply(to text: inout [UInt8], _ random: inout SeededRandom) {
    let place = random.below(text.count + 1)
    let byte = random.once(in: 2) ? spice[random.below(spice.count)] : UInt8(random.below(256))
    switch random.below(5) {
    case 0: text.insert(byte, at: place)
    case 1 where place < text.count: text[place] = byte
    case 2 where place < text.count: text[place] ^= 1 << UInt8(random.below(8))
    case 3 where place < text.count:
      text.removeSubrange(place..<min(text.count, place + 1 + random.below(3)))
    default:
      let other = random.below(text.count + 1)
      text.insert(contentsOf: text[min(place, other)..<max(place, other)].prefix(40), at: place)
    }
  }
}
