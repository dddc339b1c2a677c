// Damaged texts: whatever the bytes, the scanner answers, and what it accepts has a final form. In
// debug builds every unchecked access asserts its bounds.

import CanonicalJSON
import TestSupport
import Testing

@Suite("Mutations")
struct MutationTests {
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
        for _ in 0...random.below(4) { Mutation.apply(to: &text, &random) }
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
}
