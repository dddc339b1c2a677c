// Tests/Vectors/receipt: verdict, rules with their places, CID, root and form of every receipt, and what is said about
// signatures.

import DAGCBOR
import RedoCrypto
import RedoObject
import TestSupport
import Testing

@Suite("Own receipt vectors")
struct ReceiptVectorTests {
  static let folder = VectorFolder.own("receipt")

  private static func place(_ finding: Finding) -> String {
    switch finding.place {
    case .whole: "''"
    case .offset(let offset): "\(offset)"
    case .pointer(let pointer): pointer.isEmpty ? "''" : pointer
    }
  }

  private static func cid(_ bytes: [UInt8]) -> String {
    ObjectID(digest: SHA256.digest(of: bytes.span)).cid(.dagCBOR).text
  }

  @Test("every receipt has its verdict, its rules at their places, its CID, root and form")
  func receipts() throws {
    let rows = try Self.folder.table()
    #expect(rows.count >= 300)
    var cards = 0
    for row in rows {
      let (file, verdict, rule, place, warnings) = (row[0], row[1], row[2], row[3], row[4])
      let bytes = try Self.folder.bytes(file)
      #expect(Self.cid(bytes) == row[5], "\(file)")
      var decoder = ReceiptDecoder()
      let receipt = decoder.decode(bytes, signature: nil)
      let all = decoder.findings.map {
        (Profile.v1.severity(of: $0), "\($0.rule.id)@\(Self.place($0))")
      }
      let errors = all.filter { $0.0 == .error }.map(\.1)
      let others = all.filter { $0.0 != .error }.map(\.1).sorted()
      #expect(
        others == (warnings == "-" ? [] : warnings.split(separator: ",").map(String.init)),
        "\(file)")
      if verdict == "valid" {
        #expect(errors == [], "\(file)")
        #expect(receipt?.id.cid(.dagCBOR).text == row[5], "\(file)")
        #expect(receipt?.root.cid(.dagCBOR).text == row[6], "\(file)")
        #expect(receipt?.form.rawValue == row[7], "\(file)")
        #expect(receipt?.preimage == bytes, "\(file)")
        let mayBeCard = Receipt.mayBeCard(bytes.span)
        #expect(mayBeCard || receipt?.card == nil, "\(file)")
        if mayBeCard { cards += 1 }
      } else {
        #expect(errors == ["\(rule)@\(place)"], "\(file)")
        #expect(receipt == nil, "\(file)")
      }
      var strict = ReceiptDecoder(profile: .sync)
      let refused = strict.decode(bytes, signature: nil) == nil
      #expect(refused == (verdict != "valid" || row[8] != "-"), "\(file) under sync")
    }
    // Hardly any other receipt is decoded to find that it is no card.
    #expect(cards > 0 && cards < rows.count / 4)
  }

  @Test("every signature has its letter and rule, with the key or without")
  func signatures() throws {
    let rows = try Self.folder.table("SIGNED.tsv")
    #expect(rows.count >= 10)
    for row in rows {
      let (file, key, signature, letter, rule) = (row[0], row[1], row[2], row[3], row[4])
      var decoder = ReceiptDecoder()
      let read = signature == "-" ? nil : Signature(base64: Array(signature.utf8).span)
      #expect(signature == "-" || read != nil, "\(file) \(row[6])")
      let decoded = decoder.decode(try Self.folder.bytes(file), signature: read)
      let receipt = try #require(decoded, "\(file)")
      let verdict = receipt.verify(
        key: key == "-" ? nil : Hex.decode32(Array(key.utf8).span).map { PublicKey(bytes: $0) })
      #expect("\(verdict.letter)" == letter, "\(file) \(row[6])")
      if !verdict.isGood { #expect(verdict.reason.hasPrefix(rule), "\(file) \(row[6])") }
    }
  }

  /// A receipt of the public vectors.
  private struct Public {
    let name, hex, cid, signature: String
  }

  @Test(
    "the public receipts have their CIDs, and their signatures hold",
    .enabled(if: VectorFolder.isSharedPresent))
  func publicOnes() throws {
    let text = try VectorFolder.shared("../spec").text("receipts-vectors.json")
    func values(_ key: String) -> [String] {
      text.split(separator: "\"\(key)\": \"").dropFirst().map {
        String($0.prefix { $0 != "\"" })
      }
    }
    let digits = try #require(values("ed25519Public").first)
    let read = Hex.decode32(Array(digits.utf8).span)
    let key = try #require(read)
    let (names, hexes) = (values("name"), values("hex"))
    let (cids, signatures) = (values("cid"), values("signature"))
    #expect(names == ["V1", "V2", "V3", "V4"] && hexes.count == 4)
    for place in names.indices {
      let preimage = try #require(bytes(ofHex: hexes[place]))
      var decoder = ReceiptDecoder()
      let signature = Signature(base64: Array(signatures[place].utf8).span)
      let decoded = decoder.decode(preimage, signature: signature)
      let receipt = try #require(decoded, "\(names[place]): \(decoder.findings)")
      #expect(receipt.id.cid(.dagCBOR).text == cids[place])
      #expect(receipt.verify(key: PublicKey(bytes: key)).isGood, "\(names[place])")
      #expect(receipt.form == (names[place] == "V3" ? .docs : .client))
    }
  }

  private func bytes(ofHex text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: digits.count, by: 2) {
      let (high, low) = (Hex.value(digits[place]), Hex.value(digits[place + 1]))
      guard high < 16, low < 16 else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}
