// Tests/Vectors/schema: verdict, rule, place and id of every schema; what files of the public app come to.

import RedoObject
import TestSupport
import Testing

@Suite("Own schema vectors")
struct OwnSchemaVectorTests {
  static let folder = VectorFolder.own("schema")

  private static func place(_ finding: Finding) -> String {
    switch finding.place {
    case .whole: "''"
    case .offset(let offset): "\(offset)"
    case .pointer(let pointer): pointer.isEmpty ? "''" : pointer
    }
  }

  private static func bytes(_ file: String) throws -> [UInt8] {
    var text = try folder.bytes(file)
    if text.last == 0x0A { text.removeLast() }
    return text
  }

  @Test("every schema has its verdict, its rule at its place, its id and its hash")
  func schemas() throws {
    let rows = try Self.folder.table()
    #expect(rows.count >= 159)
    for row in rows {
      var decoder = SchemaDecoder()
      let text = try Self.bytes(row[0])
      let schema = decoder.decode(text)
      let found = decoder.findings.map { "\($0.rule.id) \(Self.place($0))" }
      if row[1] == "valid" {
        #expect(found == [], "\(row[0])")
        #expect(schema?.id.text == row[4], "\(row[0])")
        #expect(schema?.definition.hash.hex == row[5], "\(row[0])")
        #expect(schema?.verify().isGood == !row[0].contains("unsigned"), "\(row[0])")
      } else {
        #expect(found == ["\(row[2]) \(row[3])"], "\(row[0])")
        #expect(schema == nil, "\(row[0])")
      }
    }
  }

  @Test("a file of the app comes to its definitions, wherever it is read")
  func imports() throws {
    let rows = try Self.folder.table("IMPORT.tsv")
    #expect(rows.count == 14)
    for row in rows {
      let read = SchemaImport(try Self.folder.bytes(row[0]))
      #expect(read.definitions.map(\.hash.hex).joined(separator: ",") == row[1], "\(row[0])")
      let warnings = read.findings.map { "\($0.rule.id)@\(Self.place($0))" }.sorted()
      #expect((warnings.isEmpty ? "-" : warnings.joined(separator: ",")) == row[2], "\(row[0])")
      #expect(!read.isRefused && read.left.isEmpty, "\(row[0])")
      // Definitions in their own form come to themselves.
      for definition in read.definitions {
        #expect(SchemaImport(definition.canonical).definitions == [definition], "\(row[0])")
      }
    }
  }
}
