// Digests as keys of tables.

import RedoCrypto
import Testing

@Suite("Digests")
struct DigestTests {
  @Test(
    "those that differ in one byte only, wherever it is, have different hashes", arguments: 0..<32)
  func hashes(_ place: Int) {
    var hashes: Set<Int> = []
    for value in UInt8.min...(.max) {
      hashes.insert(Digest(bytes: InlineArray { $0 == place ? value : 7 }).hashValue)
    }
    #expect(hashes.count > 250)
  }
}
