// What a commit is told about the record that it writes, and the title of a new one.

import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("Checks of records")
struct RecordCheckTests {
  private static func schemas(_ matcher: RecordSchemas.Matcher? = nil) -> RecordSchemas {
    RecordSchemas(
      [
        schema([
          field("place", .string, order: 1) {
            $0.isRequired = true
            $0.rules = [rule(.minLength, "2"), rule(.maxLength, "4"), rule(.minValue, "9")]
          },
          field("days", .int, order: 2) {
            $0.rules = [rule(.minValue, "1"), rule(.maxValue, "30.5"), rule(.maxLength, "1")]
          },
          field("cost", .double, order: 3) { $0.rules = [rule(.minValue, "0.5")] },
          field("from", .date, order: 4) {
            $0.isRequired = true
            $0.rules = [
              rule(.minDate, "\"2026-01-01T00:00:00.000Z\""),
              rule(.maxDate, "\"2026-12-31T00:00:00.000Z\""),
            ]
          },
          field("code", .string, order: 5) { $0.rules = [rule(.pattern, #""^a\\d""#)] },
          field("gone", .string, order: 6) {
            $0.isRequired = true
            $0.visibility = .hidden
            $0.rules = [rule(.maxLength, "1")]
          },
        ])
      ], matcher: matcher)
  }

  /// What is said of a content, upon a task or as a new one: `<rule> <key or field> <detail>`.
  private func said(
    _ members: String, upon task: RecordTask? = nil, _ schemas: RecordSchemas = schemas()
  ) throws -> [String] {
    let scanned = try Scanned(Array("{\(members)}".utf8))
    let content = scanned.members(of: 0).map {
      (name: Array($0.0.utf8), value: scanned.raw($0.1))
    }
    var record =
      task.map { task in WrittenRecord(task.replayed.state) { task.replayed.writes } }
      ?? WrittenRecord()
    return schemas.problems(writing: content, to: &record)
      .map { "\($0.rule.id) \($0.key.map(string) ?? $0.field?.text ?? "") \($0.detail)" }
  }

  @Test(
    "what is written is checked as the app checks it",
    arguments: [
      (#""place":"Rome""#, []), (#""place":"R""#, ["record-rule place minLength"]),
      (#""place":"Paris""#, ["record-rule place maxLength"]),
      // Four graphemes of many bytes.
      (#""place":"👩‍👩‍👧‍👦éäu""#, []), (#""place":"\r\n""#, ["record-rule place minLength"]),
      (#""place":5"#, ["record-type place string"]), (#""days":1"#, []),
      (#""days":0"#, ["record-rule days minValue"]),
      (#""days":{"type":"int","value":31}"#, ["record-rule days maxValue"]),
      (#""days":1.5"#, ["record-type days int"]),
      (#""days":{"type":"double","value":1}"#, ["record-type days int"]),
      (#""cost":{"type":"double","value":1}"#, []), (#""cost":0"#, ["record-rule cost minValue"]),
      (#""from":"2025-12-31""#, ["record-rule from minDate"]),
      (#""from":"2026-12-31T00:00:01Z""#, ["record-rule from maxDate"]),
      (#""from":{"type":"date","value":789000000}"#, []),
      (#""code":"b""#, []), (#""gone":"ab""#, ["record-rule gone maxLength"]),
      (#""nobody":{"type":"int"},"title":"x""#, []), (#""cost":null"#, []),
      (#""from":null"#, ["record-required \(id("from")) "]),
    ])
  func values(_ members: String, _ wanted: [String]) throws {
    let task = RecordTask(#""place":"Rome","from":"2026-05-05""#)
    #expect(try said(members, upon: task) == wanted)
  }

  @Test("patterns run only if they are wanted")
  func patterns() throws {
    let task = RecordTask("")
    let schemas = Self.schemas { pattern, text in pattern == #"^a\d"# && text.hasPrefix("a1") }
    #expect(try said(#""code":"a1x""#, upon: task, schemas).isEmpty)
    #expect(try said(#""code":"xa1""#, upon: task, schemas) == ["record-rule code pattern"])
    #expect(try said(#""code":"xa1""#, upon: task).isEmpty)
  }

  @Test(
    "required fields are asked for when a record is made, or gets another schema, and never again")
  func required() throws {
    let both = ["record-required \(id("place")) ", "record-required \(id("from")) "]
    #expect(try said(#""title":"x","schemaId":"trip""#) == both)
    #expect(try said(#""schemaId":"trip","place":"Rome""#) == [both[1]])
    #expect(try said(#""schemaId":"trip","place":"Rome","from":"2026-05-05""#).isEmpty)
    #expect(try said(#""title":"x","todos":[]"#).isEmpty)
    #expect(try said(#""schemaId":"other""#).isEmpty)
    let old = RecordTask(#""days":"wrong""#)
    #expect(try said(#""days":3"#, upon: old).isEmpty)
    #expect(try said(#""schemaId":"trip""#, upon: old).isEmpty)
    let other = RecordTask(#""place":5,"from":1"#, schema: "other")
    // Values that were there are not checked, but they are there.
    #expect(try said(#""schemaId":"trip""#, upon: other).isEmpty)
    #expect(try said(#""schemaId":"trip","from":null"#, upon: other) == [both[1]])
    // Another name of the field takes its value away as well.
    let full = RecordTask(#""place":"Rome","from":"2026-05-05""#)
    #expect(try said("\"\(id("place"))\":null", upon: full) == [both[0]])
    #expect(try said("\"\(id("place"))\":\"Oslo\",\"place\":null", upon: full).isEmpty)
  }

  @Test("a new record is called what its first active text says")
  func title() throws {
    let schemas = RecordSchemas([
      schema([
        field("hidden", .string, order: 1) { $0.visibility = .hidden },
        field("days", .int, order: 2), field("empty", .string, order: 3),
        field("place", .string, order: 4),
      ]),
      schema([], id: "bare", name: ""), schema([], id: "named", name: "Named"),
    ])
    func title(_ members: String) throws -> String {
      let scanned = try Scanned(Array("{\(members)}".utf8))
      return string(
        schemas.title(
          of: scanned.members(of: 0).map { (name: Array($0.0.utf8), value: scanned.raw($0.1)) }))
    }
    #expect(
      try title(
        #""schemaId":"trip","hidden":"h","days":3,"empty":"","place":{"type":"string","value":"R\n"}"#
      )
        == "R\n")
    #expect(try title(#""schemaId":"trip","hidden":"h""#) == "Trip")
    #expect(try title(#""schemaId":"named""#) == "Named")
    #expect(try title(#""schemaId":"bare""#) == "record")
    #expect(try title(#""schemaId":"nobody""#) == "record")
  }
}
