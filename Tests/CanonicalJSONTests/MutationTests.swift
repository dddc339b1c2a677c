// Damaged texts: whatever the bytes, the scanner answers, and what it accepts has a final form. In
// debug builds every unchecked access asserts its bounds.

import CanonicalJSON
import TestSupport
import Testing

@Suite("Mutations")
struct MutationTests {
  /// Bytes that mean something to a JSON scanner, and some that mean nothing.
  static let spice: [UInt8] =
    Array(#"{}[]:,"\/ubfnrt0123456789-+.eEtrue"#.utf8) + [
      0, 0x1F, 0x20, 0x0A, 0x7F, 0x80, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF,
    ]

  /// Small valid texts, and the valid vectors.
  static func seeds() throws -> [[UInt8]] {
    let folder = VectorFolder.own("json")
    let vectors = try folder.table().filter { $0[1] == "valid" }.map { try folder.bytes($0[0]) }
    let node = #"{"a":[1,-2.5e-3,"\ud83d\ude00\n"],"é":{"x":null,"b":true},"z":[[],{}]}"#
    return vectors.filter { $0.count < 400 } + [Array(node.utf8)]
  }

  @Test("flipped, inserted, deleted and copied bytes never bring the scanner down")
  func mutations() throws {
    let texts = try Self.seeds()
    for seed in SeededRandom.seeds("JSON mutations") {
      var random = SeededRandom(seed: seed)
      var accepted = 0
      for _ in 0..<6_000 {
        var text = texts[random.below(texts.count)]
        for _ in 0...random.below(4) { Self.mutate(&text, &random) }
        // The checks are those of `canonicalize`.
        if case .accepted = canonicalize(text) { accepted += 1 }
      }
      #expect(accepted > 100, "seed \(seed): hardly a mutated text is still valid")
    }
  }

  @Test("every prefix of a valid text is refused at its end or inside of it, but for numbers")
  func prefixes() throws {
    for text in try Self.seeds() {
      for count in 0..<text.count {
        let prefix = Array(text[..<count])
        if case .refused(let error) = canonicalize(prefix) { #expect(error.offset <= count) }
      }
    }
  }

  private static func mutate(_ text: inout [UInt8], _ random: inout SeededRandom) {
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
