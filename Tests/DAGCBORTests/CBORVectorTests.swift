// Tests/Vectors/cbor: verdict, rule, offset and CID of every file.

import DAGCBOR
import RedoCrypto
import TestSupport
import Testing

@Suite("Own DAG-CBOR vectors")
struct CBORVectorTests {
  static let folder = VectorFolder.own("cbor")

  @Test(
    "every file has its verdict, and every valid one its CID, and comes out as it is when it is written again"
  )
  func files() throws {
    let rows = try Self.folder.table()
    #expect(rows.count >= 97)
    for row in rows {
      let (file, verdict, rule, offset, cid) = (row[0], row[1], row[2], row[3], row[4])
      let bytes = try Self.folder.bytes(file)
      do throws(CBORError) {
        let document = try CBORDocument(bytes)
        #expect(verdict == "valid", "\(file)")
        let digest = SHA256.digest(of: bytes.span)
        let found = CID(.dagCBOR, sha256: (0..<Digest.byteCount).map { digest.bytes[$0] })
        #expect(found.text == cid, "\(file)")
        var writer = CBORWriter()
        writer.value(document)
        #expect(writer.bytes == bytes, "\(file)")
      } catch {
        #expect(
          "invalid \(error.rule.rawValue) \(error.offset)" == "\(verdict) \(rule) \(offset)",
          "\(file)")
      }
    }
  }

  @Test("every rule has a vector that breaks it and a valid neighbour")
  func coverage() throws {
    let rows = try Self.folder.table()
    let broken = Set(rows.map { $0[2] })
    let neighbours = Set(
      rows.filter { $0[1] == "valid" }.map { row in
        String(row[0].dropFirst("valid/".count).prefix(while: { $0 != "." })).split(
          separator: "--")[0]
      }.map(String.init))
    for rule in CBORRule.allCases {
      #expect(broken.contains(rule.rawValue), "no vector breaks \(rule.rawValue)")
      #expect(neighbours.contains(rule.rawValue), "no valid neighbour for \(rule.rawValue)")
    }
  }
}
