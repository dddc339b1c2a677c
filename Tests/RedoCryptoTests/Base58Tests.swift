// Base58, against values that the vectors' maker encoded (Tests/Vectors/v0/base58.tsv).

import RedoCrypto
import TestSupport
import Testing

@Suite("Base58")
struct Base58Tests {
  @Test("each text stands for its bytes, at its length only")
  func table() throws {
    let rows = try VectorFolder.own("v0").table("base58.tsv")
    #expect(rows.count == 133)
    for row in rows {
      let text = Array(row[0].utf8)
      let count = try #require(Int(row[1]))
      let bytes = Base58.decode(text.span, count: count)
      #expect((bytes.map { Hex.text($0.span) } ?? "-") == row[2], "\(row[0])")
      guard let bytes else { continue }
      #expect(Base58.encode(bytes) == row[0])
      #expect(Base58.decode(text.span, count: count - 1) == nil, "\(row[0])")
      #expect(Base58.decode(text.span, count: count + 1) == nil, "\(row[0])")
    }
  }

  @Test("nothing, and far too much", arguments: [(0, 16), (15, 16), (17, 16), (1_000_000, 32)])
  func limits(digits: Int, count: Int) {
    let text = [UInt8](repeating: UInt8(ascii: "1"), count: digits)
    let bytes = Base58.decode(text.span, count: count)
    #expect(bytes == nil)
  }
}
