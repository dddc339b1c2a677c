// The decoder and the Python oracle (receipt_rules.py, PyNaCl) on the same random receipts, which other people's code has
// encoded (dag-cbor, multiformats): right ones, and ones that are damaged in a place or a few.

import DAGCBOR
import Foundation
import RedoCrypto
import RedoObject
import TestSupport
import Testing

@Suite(
  "Receipt oracle", .enabled(if: Oracle.isPresent, "SKIPPED: no python3 with rfc8785 and nacl"))
struct OracleReceiptTests {
  /// A line of `random_receipts.py`.
  private struct Line: Decodable {
    let cbor, cid: String
    let key, signature: String?
  }

  /// How many receipts of each share are made.
  private static let count =
    ProcessInfo.processInfo.environment["REDO_SOAK"] == nil ? 1_000 : 10_000

  @Test("random receipts have the oracle's CID, letter and findings", arguments: ["0", "0.9"])
  func random(wrong: String) throws {
    for seed in SeededRandom.seeds("receipt oracle", fixed: 1..<2) {
      let made = try Oracle.ask(
        "random_receipts.py", ["--seed", "\(seed)", "--count", "\(Self.count)", "--wrong", wrong])
      try #require(made.status == 0, "random_receipts.py has failed: dag-cbor is missing")
      let answers = try Oracle.ask("receipt_rules.py", ["--lines"], input: made.output).lines
      let lines = made.lines
      try #require(lines.count == Self.count && answers.count == Self.count)
      for (text, answer) in zip(lines, answers) {
        let line = try JSONDecoder().decode(Line.self, from: Data(text))
        #expect(
          try Self.verdict(line) == string(answer),
          "seed \(seed): \(string(text))")
        if wrong == "0" { #expect(string(answer).split(separator: "\t")[1] == "G") }
      }
    }
  }

  /// CID, letter and findings, as the oracle writes them.
  private static func verdict(_ line: Line) throws -> String {
    let preimage = [UInt8](try #require(Data(base64Encoded: line.cbor)))
    let signature = line.signature.flatMap { Signature(base64: Array($0.utf8).span) }
    let key = line.key.flatMap { Hex.decode32(Array($0.utf8).span) }.map { PublicKey(bytes: $0) }
    var decoder = ReceiptDecoder()
    let receipt = decoder.decode(preimage, signature: signature)
    let letter = receipt.map { "\($0.verify(key: key).letter)" } ?? "B"
    let cid = ObjectID(digest: SHA256.digest(of: preimage.span)).cid(.dagCBOR).text
    let findings = decoder.findings.map { "\($0.rule.id)@\(spelled($0.place))" }
      .sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    return "\(cid)\t\(letter)\t\(findings.isEmpty ? "-" : findings.joined(separator: ","))"
  }

  private static func spelled(_ place: Finding.Place) -> String {
    let text =
      switch place {
      case .whole: ""
      case .offset(let offset): "\(offset)"
      case .pointer(let pointer): pointer
      }
    guard !text.isEmpty else { return "''" }
    return text.unicodeScalars.map { scalar in
      scalar.value < 0x20 || scalar.value == 0x7F || scalar == "," || scalar == "%"
        ? "%" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16, uppercase: true)
        : String(scalar)
    }.joined()
  }
}
