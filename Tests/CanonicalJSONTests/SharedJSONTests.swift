// Other projects' vectors: JSONTestSuite, and the RFC 8785 test data of its authors.

import CanonicalJSON
import TestSupport
import Testing

@Suite(
  "Shared JSON vectors",
  .enabled(if: VectorFolder.isSharedPresent, "SKIPPED: ../shared/vectors is absent"))
struct SharedJSONTests {
  static let jcs = VectorFolder.shared("jcs-rfc8785")

  @Test("JSONTestSuite: what is no strict JSON is refused for the right reason")
  func testSuite() throws {
    let folder = VectorFolder.shared("jsontestsuite")
    let rows = try folder.table()
    #expect(rows.count >= 283)
    for row in rows {
      let (file, verdict, reason) = (row[0], row[1], row[2])
      switch canonicalize(try folder.bytes(file)) {
      case .accepted: #expect(verdict == "accept", "\(file)")
      case .refused(let error):
        #expect(verdict == "reject", "\(file): \(error)")
        #expect(rules(of: reason).contains(error.rule), "\(file): \(error), not \(reason)")
      }
    }
  }

  /// The rules that a reason of the table may mean.
  private func rules(of reason: String) -> Set<JSONRule> {
    switch reason {
    case "grammar": [.syntax, .surrogate, .trailing]
    case "invalid UTF-8": [.utf8, .syntax, .trailing]
    case "duplicate key": [.duplicateName]
    case "byte-order mark": [.byteOrderMark]
    case "nesting 100000": [.depth]
    default: []
    }
  }

  @Test(
    "RFC 8785: input becomes output, byte for byte",
    arguments: ["arrays", "french", "structures", "unicode", "values", "weird"])
  func pairs(name: String) throws {
    let output = try Self.jcs.bytes("output/\(name).json")
    #expect(canonicalize(try Self.jcs.bytes("input/\(name).json")) == .accepted(output))
    #expect(canonicalize(output) == .accepted(output))
    let digits = try Self.jcs.text("outhex/\(name).txt").filter { !$0.isWhitespace }
    #expect(output == bytes(hex: digits))
  }

  @Test("RFC 8785 appendix B: sample numbers; NaN and infinity have no text")
  func appendixB() throws {
    let rows = try Self.jcs.table("appendix-b-numbers.tsv")
    #expect(rows.count == 26)
    for row in rows {
      let value = Double(bitPattern: try #require(UInt64(row[0], radix: 16)))
      if value.isFinite {
        #expect(written(value) == row[1])
      } else {
        #expect(canonicalize(row[1]) == .refused(JSONError(.syntax, at: 0)))
      }
    }
  }

  @Test("the first 1,000 numbers of the ES6 sequence, and back from their texts")
  func es6() throws {
    let lines = try Self.jcs.lines("es6-1k.txt")
    #expect(lines.count == 1000)
    for line in lines {
      let cells = string(line).split(separator: ",")
      let value = Double(bitPattern: try #require(UInt64(cells[0], radix: 16)))
      #expect(written(value) == cells[1])
      #expect(canonicalize(String(cells[1])) == .accepted(Array(cells[1].utf8)))
    }
  }

  private func written(_ value: Double) -> String {
    var output: [UInt8] = []
    NumberText.append(value, to: &output)
    return string(output)
  }
}
