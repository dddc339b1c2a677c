// Tests/Vectors/json: verdict, rule, offset and canonical bytes of every text.

import CanonicalJSON
import TestSupport
import Testing

@Suite("Own JSON vectors")
struct JSONVectorTests {
  static let folder = VectorFolder.own("json")

  @Test("every text has its verdict, and every valid one its canonical bytes")
  func texts() throws {
    let rows = try Self.folder.table()
    #expect(rows.count >= 255)
    for row in rows {
      let (file, verdict, rule, offset) = (row[0], row[1], row[2], row[3])
      let answer = canonicalize(try Self.folder.bytes(file))
      if verdict == "valid" {
        let name = file.replacing(".json", with: ".canonical")
        #expect(answer == .accepted(try Self.folder.bytes(name)), "\(file)")
      } else {
        #expect(answer.description == "\(rule) \(offset)", "\(file)")
      }
    }
  }

  @Test("every rule of a JSON text has a vector that breaks it and a valid neighbour")
  func coverage() throws {
    let rows = try Self.folder.table()
    let broken = Set(rows.map { $0[2] })
    let neighbours = Set(
      rows.filter { $0[1] == "valid" }.map { row in
        String(row[0].split(separator: "/")[1].prefix { $0 != "." }).split(separator: "--")[0]
      }.map(String.init))
    for rule in JSONRule.allCases {
      #expect(broken.contains(rule.rawValue), "no vector breaks \(rule.rawValue)")
      #expect(neighbours.contains(rule.rawValue), "no valid neighbour for \(rule.rawValue)")
    }
  }

  @Test("every number is read as its double and written as RFC 8785 does")
  func numbers() throws {
    for row in try Self.folder.table("numbers.tsv") {
      let (bits, literal, text) = (row[0], row[1], row[2])
      #expect(canonicalize(literal) == .accepted(Array(text.utf8)), "\(literal)")
      let value = Double(bitPattern: try #require(UInt64(bits, radix: 16)))
      var written: [UInt8] = []
      NumberText.append(value, to: &written)
      #expect(written == Array(text.utf8), "\(bits)")
    }
  }
}
