// The views of records: they follow from the rows of schemas and fields, and an index with any other is not used.

import CanonicalJSON
import TestSupport
import Testing

@testable import RedoIndex

@Suite("Views of records")
struct RecordViewTests {
  /// A row of a table, with what it must have.
  private static func put(_ table: String, _ members: [String: String]) -> String {
    let row = members.sorted { $0.key < $1.key }
      .map { name, value -> String in
        var text: [UInt8] = []
        JSONWriter.appendString(value, to: &text)
        let isNumber = Int(value) != nil
        return "\"\(name)\":\(isNumber ? value : String(decoding: text, as: UTF8.self))"
      }
    return "{\"put\":\"\(table)\",\"row\":{\(row.joined(separator: ","))}}"
  }

  private static func schema(_ name: String) -> String {
    put(
      "schemas",
      [
        "name": name, "id": name, "display_name": name, "icon": "i", "built_in": "0",
        "version": "v", "heads": "1", "hash": "h", "json": "{}",
      ])
  }

  private static func field(
    _ name: String, _ id: String, of schema: String, place: Int, visibility: String = "active"
  ) -> String {
    put(
      "fields",
      [
        "schema": schema, "id": id, "type": "int", "display_name": name, "required": "0",
        "visibility": visibility, "place": "\(place)", "display_order": "0", "created_by": "d",
        "created_at": "t", "updated_by": "d", "updated_at": "t",
      ])
  }

  private static func record(_ guid: String, of schema: String, _ values: String) -> [String] {
    [
      put("tasks", ["guid": guid, "json": "{}"]),
      put(
        "records",
        [
          "guid": guid, "schema": schema, "schema_id": schema, "title": "t",
          "field_values": values, "unknown": "{}", "json": "{}",
        ]),
    ]
  }

  @Test("each schema has a view of its active fields, in their order, by their names")
  func columns() throws {
    let directory = TemporaryDirectory()
    let requests = Requests(directory)
    let rows =
      [Self.schema("trip"), Self.schema("redo.devices")] + [
        Self.field("Place", "a-1", of: "trip", place: 1),
        Self.field("place", "a-2", of: "trip", place: 2),
        Self.field("TITLE", "a-3", of: "trip", place: 0),
        Self.field("Gone", "a-4", of: "trip", place: 3, visibility: "hidden"),
        Self.field("x\"; DROP TABLE tasks; --", "a-5", of: "trip", place: 4),
        Self.field("it's\u{1}", "a-6", of: "trip", place: 5),
      ] + Self.record("g", of: "trip", #"{"a-1":5,"a-3":"x","a-4":7}"#)
    let said = try Conversation(
      [requests.open] + requests.change("rebuild", rows)
        + [
          #"{"sql":"SELECT * FROM record_trip"}"#,
          #"{"sql":"SELECT 1 FROM \"record_redo.devices\""}"#,
        ],
      in: directory)
    #expect(said.codes == ["db-missing", "done", "done", "done", "query"])
    let names =
      #""guid","title","person_id","TITLE (2)","Place","place (2)","x\"; DROP TABLE tasks; --","it's"#
      + "\u{FFFD}\""
    #expect(said.lines.contains("{\"columns\":[\(names)]}"))
    #expect(said.rows == [#"["g","t",null,"x",5,null,null,null]"#])
  }

  @Test("a view follows its schema when that changes; nothing else may add, change or drop one")
  func changes() throws {
    let directory = TemporaryDirectory()
    let requests = Requests(directory)
    let first =
      [Self.schema("trip"), Self.field("Place", "a-1", of: "trip", place: 0)]
      + Self.record("g", of: "trip", #"{"a-1":5}"#)
    func made() throws {
      let said = try Conversation(
        [requests.open] + requests.change("rebuild", first), in: directory)
      #expect(said.codes.last == "done")
    }
    try made()
    let update = [Self.field("Town", "a-1", of: "trip", place: 0), Self.schema("O'Brien")]
    let said = try Conversation(
      [requests.open] + requests.change("update", update)
        + [
          #"{"sql":"SELECT \"Town\" FROM record_trip"}"#,
          #"{"sql":"SELECT count(*) FROM \"record_O'Brien\""}"#,
          #"{"sql":"SELECT \"Place\" FROM record_trip"}"#,
        ], in: directory)
    #expect(said.rows == ["[5]", "[0]"])
    #expect(said.codes == ["done", "done", "done", "done", "done", "query"])
    for sql in [
      "DROP VIEW record_trip", "CREATE VIEW record_more AS SELECT 1",
      "DROP VIEW record_trip; CREATE VIEW record_trip AS SELECT 1",
      "UPDATE fields SET display_name = 'x'", "DELETE FROM schemas WHERE 0; DELETE FROM fields",
    ] {
      try made()
      try directory.run(sql, on: "index.sqlite")
      #expect(try Conversation([requests.open], in: directory).codes == ["db-foreign"], "\(sql)")
    }
  }

  @Test("a record goes with its task, and is not without its schema")
  func references() throws {
    let directory = TemporaryDirectory()
    let requests = Requests(directory)
    let rows = [Self.schema("trip")] + Self.record("g", of: "trip", "{}")
    let said = try Conversation(
      [requests.open] + requests.change("rebuild", rows)
        + requests.change("update", [#"{"delete":"tasks","key":{"guid":"g"}}"#])
        + [#"{"sql":"SELECT count(*) FROM records"}"#]
        + requests.change("update", Self.record("h", of: "nobody", "{}")), in: directory)
    #expect(said.rows == ["[0]"])
    #expect(said.codes.last == "constraint")
  }
}
