// Other projects' vectors: the DAG-CBOR fixtures of IPLD, DASL and atproto, and unsigned varints.

import DAGCBOR
import RedoCrypto
import TestSupport
import Testing

@Suite(
  "Shared DAG-CBOR vectors",
  .enabled(if: VectorFolder.isSharedPresent, "SKIPPED: ../shared/vectors is absent"))
struct SharedCBORTests {
  /// The bytes as they are written again; `nil` when they are refused.
  private func again(_ bytes: [UInt8], _ profile: CBORProfile) -> [UInt8]? {
    guard let document = try? CBORDocument(bytes, profile) else { return nil }
    var writer = CBORWriter()
    writer.value(document)
    return writer.bytes
  }

  private func cid(_ bytes: [UInt8]) -> CID {
    let digest = SHA256.digest(of: bytes.span)
    return CID(.dagCBOR, sha256: (0..<32).map { digest.bytes[$0] })
  }

  @Test("IPLD: read and written again they are the same bytes, and the file has their CID")
  func ipld() throws {
    let folder = VectorFolder.shared("ipld-codec-fixtures")
    let files = folder.files(".dag-cbor")
    #expect(files.count >= 100)
    for file in files {
      let bytes = try folder.bytes(file)
      #expect(again(bytes, .ipld) == bytes, "\(file)")
      let name = file.split(separator: "/").last?.split(separator: ".").first ?? ""
      #expect(cid(bytes).text == String(name), "\(file)")
    }
    struct Refused: Decodable {
      let name: String
      let hex: String
    }
    for row in try folder.json(
      "negative-fixtures/dag-cbor/decode/duplicate-keys.json", as: [Refused].self)
    {
      #expect(again(bytes(hex: row.hex), .ipld) == nil, "\(row.name)")
    }
  }

  @Test(
    "DASL: what its rows say; a zero with a sign and BLAKE3 are taken where all of IPLD is, and there alone"
  )
  func dasl() throws {
    struct Fixture: Decodable { let data: String }
    let folder = VectorFolder.shared("dasl-drisl")
    var profile = CBORProfile.strict
    profile.takesLargeIntegers = true
    var files: [String: [Fixture]] = [:]
    var count = 0
    for row in try folder.table() where row[5] == "yes" {
      let (file, index) = (row[0], try #require(Int(row[1])))
      if files[file] == nil {
        files[file] = try folder.json("fixtures/cbor/\(file)", as: [Fixture].self)
      }
      let bytes = bytes(hex: try #require(files[file]?[index].data))
      let isAccepted = row[6] == "accept"
      let isOurs = !row[3].hasPrefix("negative zero") && row[3] != "Big DASL CID"
      #expect(
        again(bytes, profile) == (isAccepted && isOurs ? bytes : nil),
        "\(file) \(index): \(row[3])")
      if isAccepted { #expect(again(bytes, .ipld) == bytes, "\(file) \(index): \(row[3])") }
      count += 1
    }
    #expect(count >= 80)
  }

  @Test("atproto: bytes of values, and their CIDs")
  func atproto() throws {
    struct Fixture: Decodable {
      let cbor_base64: String
      let cid: String
    }
    let folder = VectorFolder.shared("atproto-interop")
    let rows = try folder.json("data-model/data-model-fixtures.json", as: [Fixture].self)
    #expect(rows.count == 3)
    for row in rows {
      let bytes = try #require(base64(row.cbor_base64))
      #expect(again(bytes, .strict) == bytes)
      #expect(cid(bytes).text == row.cid)
    }
    // Of the spellings that atproto takes, those of version 1 in base 32 with the content that we write are CIDs.
    for line in try folder.lines("syntax/cid_syntax_invalid.txt") {
      let found = CID(text: line.span)
      #expect(found == nil, "\(String(decoding: line, as: UTF8.self))")
    }
  }

  /// The bytes of Base64, which may lack its padding.
  private func base64(_ text: String) -> [UInt8]? {
    var (bytes, held, bits): ([UInt8], UInt32, Int) = ([], 0, 0)
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    for byte in text.utf8 where byte != UInt8(ascii: "=") {
      guard let digit = letters.firstIndex(of: byte) else { return nil }
      held = (held << 6 | UInt32(digit)) & 0xFFFF
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      bytes.append(UInt8(truncatingIfNeeded: held >> UInt32(bits)))
    }
    return bytes
  }

  @Test("varints")
  func varints() throws {
    let rows = try VectorFolder.shared("varint").table("varint.tsv")
    #expect(rows.count == 13)
    for row in rows {
      let bytes = bytes(hex: row[0])
      var index = 0
      let value = Varint.read(bytes.span, &index)
      guard let expected = UInt64(row[1]) else {
        #expect(value == nil, "\(row)")
        continue
      }
      #expect(value == expected, "\(row)")
      var again: [UInt8] = []
      Varint.append(expected, to: &again)
      #expect(again == bytes, "\(row)")
    }
  }
}
