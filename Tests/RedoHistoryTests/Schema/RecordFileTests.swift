// Records in files of the public app: read in each of its forms, taken in, written again.

import CanonicalJSON
import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("Files of records")
struct RecordFileTests {
  private static let ada = "AAAAAAAA-0000-4000-8000-00000000000A"
  private static let person = "BBBBBBBB-0000-4000-8000-00000000000B"
  private static let vaccine = schema(
    [
      field("vaccineName", .string, in: "vaccine"),
      field("dateAdministered", .date, in: "vaccine", order: 1),
      field("doseNumber", .int, in: "vaccine", order: 2),
      field("attachmentIds", .attachmentIds, in: "vaccine", order: 3),
      field("odd", .string, in: "vaccine", order: 4),
    ], id: "vaccine", name: "Vaccine", keys: ["odd"])

  private func members(
    _ text: String, _ schemas: RecordSchemas = RecordSchemas([vaccine])
  ) throws -> [String: String] {
    let file = RecordFile(Array(text.utf8))
    #expect(file.findings.isEmpty && file.left.isEmpty && file.entries.count == 1)
    let entry = try #require(file.entries.first)
    return Dictionary(
      schemas.members(of: entry).map { (string($0.name), string($0.value)) },
      uniquingKeysWith: { first, _ in first })
  }

  @Test("a content as an object, and as Foundation writes a dictionary by UUIDs")
  func content() throws {
    let name = #"{"type":"string","value":"MMR"}"#
    let wanted = [
      "schemaId": #""vaccine""#, id("vaccineName", in: "vaccine"): name,
      id("dateAdministered", in: "vaccine"):
        #"{"type":"date","value":"2025-01-01T00:00:00.500Z"}"#,
    ]
    let date = #"{"type":"date","value":757382400.5}"#
    let fixed = "00000001-0001-0001-0000-000000000000"
    #expect(
      try members(
        "{\"schemaId\":\"vaccine\",\"fields\":{\"vaccineName\":\(name),\"dateAdministered\":\(date)}}"
      ) == wanted)
    #expect(
      try members(
        "{\"schemaId\":\"vaccine\",\"fields\":[\"\(fixed)\",\(name),\"dateAdministered\",\(date)]}")
        == wanted)
    // The schema is known even where it is not there.
    #expect(
      try members(
        "{\"schemaId\":\"vaccine\",\"fields\":[\"\(fixed)\",\(name),\"dateAdministered\",\(date)]}",
        RecordSchemas([])) == wanted)
  }

  @Test("keys become UUIDs: of the schema, else of the text alone")
  func keys() throws {
    let value = #"{"type":"int","value":1}"#
    let bare = UniqueID(hashing: Array("mine".utf8)).text
    #expect(try members("{\"fields\":{\"mine\":\(value)}}") == [bare: value])
    #expect(
      try members("{\"schemaId\":\"vaccine\",\"fields\":{\"mine\":\(value),\"\(Self.ada)\":null}}")
        == ["schemaId": #""vaccine""#, id("mine", in: "vaccine"): value])
    #expect(
      try members("{\"fields\":{\"\(Self.ada)\":\(value)}}") == [Self.ada.lowercased(): value])
    // Of two keys of one field the id counts, else the least key.
    let dose = id("doseNumber", in: "vaccine")
    func doses(_ one: String, _ other: String) throws -> String? {
      try members(
        """
        {"schemaId":"vaccine","fields":{"\(one)":{"type":"int","value":1},\
        "\(other)":{"type":"int","value":2}}}
        """)[dose]
    }
    #expect(try doses("doseNumber", dose) == #"{"type":"int","value":2}"#)
    #expect(
      try doses("doseNumber", "00000001-0001-0005-0000-000000000000")
        == #"{"type":"int","value":2}"#)
    // What is no value of its field stands as it is, under the id of the field.
    #expect(
      try members("{\"schemaId\":\"vaccine\",\"fields\":{\"doseNumber\":\"two\"}}")[dose]
        == #""two""#)
  }

  private static let backup = """
    {"id":"\(ada)","personId":"\(person)","schemaId":"vaccine","createdAt":757382400,\
    "updatedAt":"2025-02-01T00:00:00Z","version":3,"previousVersionId":null,"fields":{\
    "vaccineName":{"type":"string","value":"MMR"},\
    "dateAdministered":{"type":"date","value":"2025-01-01"},\
    "attachmentIds":{"type":"attachmentIds","value":["\(ada)"]}}}
    """

  @Test(
    "a record of a backup, alone, among others, in a backup",
    arguments: [
      backup, "[\(backup)]", "{\"records\":[\(backup)]}",
      "{\"encrypted\":false,\"data\":{\"records\":[\(backup)],\"schemas\":[]}}",
    ])
  func backups(_ text: String) throws {
    let entry = try #require(RecordFile(Array(text.utf8)).entries.first)
    #expect(entry.id?.text == Self.ada.lowercased())
    #expect(entry.person?.text == Self.person.lowercased())
    #expect(entry.schemaID == ByteText("vaccine"))
    #expect(
      try members(text) == [
        "schemaId": #""vaccine""#, "personId": "\"\(Self.person.lowercased())\"",
        "createdAt": #""2025-01-01T00:00:00.000Z""#, "updatedAt": #""2025-02-01T00:00:00.000Z""#,
        id("vaccineName", in: "vaccine"): #"{"type":"string","value":"MMR"}"#,
        id("dateAdministered", in: "vaccine"):
          #"{"type":"date","value":"2025-01-01T00:00:00.000Z"}"#,
        id("attachmentIds", in: "vaccine"):
          "{\"type\":\"attachmentIds\",\"value\":[\"\(Self.ada.lowercased())\"]}",
      ])
  }

  @Test(
    "what is no record is refused there",
    arguments: [
      ("5", "record-form at /fields"), ("{}", "record-form at /fields"),
      (#"{"encrypted":true,"ciphertext":""}"#, "record-form at /encrypted"),
      (#"[{"fields":5}]"#, "record-form at /0/fields"),
      // A record of FHIR.
      (
        #"{"data":{"records":[{"id":"x","recordType":"immunization"}]}}"#,
        "record-form at /data/records/0/fields"
      ),
      (#"{"data":{"records":5}}"#, "record-form at /data/records"),
      (#"{"fields":{},"id":"x"}"#, "record-form at /id"),
      (#"{"fields":{},"schemaId":5}"#, "record-form at /schemaId"),
      (#"{"fields":{},"personId":"x"}"#, "record-form at /personId"),
      (#"{"fields":{},"updatedAt":"now"}"#, "record-form at /updatedAt"),
      (#"{"fields":["a"]}"#, "record-form at /fields/0"),
      (#"{"fields":[1,2]}"#, "record-form at /fields/0"),
      (#"{"fields":["a",{}]}"#, "record-form at /fields/1"),
      (#"{"fields":{"a/b":{"type":"fhir","value":1}}}"#, "record-form at /fields/a~1b/type"),
      (#"{"fields":{"a":{"type":"int","value":"1"}}}"#, "record-form at /fields/a/value"),
      (#"{"fields":{},}"#, "json-syntax at byte 13"),
    ])
  func refusals(_ text: String, _ wanted: String) {
    let file = RecordFile(Array(text.utf8))
    #expect(file.findings.map(\.summary) == [wanted])
    #expect(file.findings.allSatisfy { $0.rule.severity == .error })
  }

  @Test("what cannot be read is left out on request")
  func salvage() throws {
    let text = #"{"fields":{"a":{"type":"fhir","value":1},"b":{"type":"int","value":1}}}"#
    let file = RecordFile(Array(text.utf8), salvages: true)
    #expect(file.findings.isEmpty)
    #expect(file.left.map(\.summary) == ["record-form at /fields/a/type"])
    let entry = try #require(file.entries.first)
    #expect(RecordSchemas([]).members(of: entry).count == 1)
  }

  @Test("of a record that is here what differs is taken, if the file's is later")
  func changes() throws {
    let schemas = RecordSchemas([Self.vaccine])
    let entry = try #require(RecordFile(Array(Self.backup.utf8)).entries.first)
    func changes(_ task: RecordTask, _ entry: RecordFile.Entry = entry) -> [String: String] {
      let (state, writes) = task.replayed
      return Dictionary(
        schemas.changes(by: entry, to: state) { writes }.map {
          (string($0.name), string($0.value))
        },
        uniquingKeysWith: { first, _ in first })
    }
    let head =
      "\"personId\":\"\(Self.person.lowercased())\",\"createdAt\":\"2025-01-01T00:00:00.000Z\""
    var task = RecordTask(
      head + #","updatedAt":"2025-01-15","vaccineName":"MMR","doseNumber":2"#, schema: "vaccine")
    #expect(
      changes(task) == [
        "updatedAt": #""2025-02-01T00:00:00.000Z""#,
        id("dateAdministered", in: "vaccine"):
          #"{"type":"date","value":"2025-01-01T00:00:00.000Z"}"#,
        id("attachmentIds", in: "vaccine"):
          "{\"type\":\"attachmentIds\",\"value\":[\"\(Self.ada.lowercased())\"]}",
      ])
    task.update(#""updatedAt":"2025-02-01""#)
    #expect(changes(task).isEmpty)
    // Without a time of its own it is as old as its nodes, which are of March.
    #expect(changes(RecordTask("", schema: "vaccine")).isEmpty)
    let undated = try #require(RecordFile(Array(#"{"fields":{}}"#.utf8)).entries.first)
    #expect(changes(RecordTask("", schema: "vaccine"), undated).isEmpty)
  }

  private func line(
    _ task: RecordTask, _ reader: RecordFile.Reader, left: [String] = [],
    _ schemas: RecordSchemas = RecordSchemas([vaccine])
  ) -> String {
    let (state, writes) = task.replayed
    var output: [UInt8] = []
    let problems = schemas.appendFile(of: state, for: reader, { writes }, to: &output)
    #expect(problems?.map(\.rule.id) == left)
    #expect((try? JSONDocument(output).isCanonical) == true)
    return string(output)
  }

  @Test("a record is written with UUIDs; for the app with the ids and dates that it knows")
  func export() throws {
    let value = #"{"type":"attachmentIds","value":["aaaaaaaa-0000-4000-8000-00000000000a"]}"#
    let task = RecordTask(
      """
      "vaccineName":"MMR","dateAdministered":757382400.5,"attachmentIds":\(value),"odd":"o",\
      "personId":"\(Self.person)","updatedAt":"2026-01-02T10:00:00.250Z","doseNumber":null
      """, schema: "vaccine")
    let ids = ["attachmentIds", "dateAdministered", "odd", "vaccineName"].map {
      id($0, in: "vaccine")
    }
    let own = [
      ids[0]: value, ids[1]: #"{"type":"date","value":"2025-01-01T00:00:00.500Z"}"#,
      ids[2]: #"{"type":"string","value":"o"}"#, ids[3]: #"{"type":"string","value":"MMR"}"#,
    ]
    let fields = own.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
    #expect(
      line(task, .redo) == """
        {"createdAt":"2025-03-01T08:00:00.000Z","fields":{\(fields.joined(separator: ","))},\
        "id":"\(LogMaker.task(1))","personId":"\(Self.person.lowercased())","schemaId":"vaccine",\
        "updatedAt":"2026-01-02T10:00:00.250Z","version":1}
        """)
    let odd = "\"\(ids[2].uppercased())\":{\"type\":\"string\",\"value\":\"o\"}"
    let fixed = """
      "00000001-0001-0001-0000-000000000000":{"type":"string","value":"MMR"},\
      "00000001-0001-0002-0000-000000000000":{"type":"date","value":"2025-01-01"},\
      "00000001-0001-0008-0000-000000000000":{"type":"attachmentIds","value":["\(Self.ada)"]}
      """
    #expect(
      line(task, .app) == """
        {"createdAt":"2025-03-01T08:00:00Z","fields":{\(fixed),\(odd)},\
        "id":"\(LogMaker.task(1).uppercased())","personId":"\(Self.person)","schemaId":"vaccine",\
        "updatedAt":"2026-01-02T10:00:00Z","version":1}
        """)
  }

  @Test("what no field counts for keeps its value; for the app by the type that can read it")
  func unknown() {
    let key = id("mine", in: "vaccine")
    let task = RecordTask(#""mine":5,"none":null"#, schema: "vaccine")
    #expect(line(task, .redo).contains("\"fields\":{\"\(key)\":5}"))
    #expect(
      line(task, .app).contains(
        "\"fields\":{\"\(key.uppercased())\":{\"type\":\"int\",\"value\":5}}"))
    let odd = RecordTask(#""mine":{"a":1},"doseNumber":"two""#, schema: "vaccine")
    #expect(line(odd, .redo).contains(#":"two""#))
    #expect(
      line(odd, .app, left: ["record-type", "record-unknown-key"]).contains(#""fields":{}"#))
    let state = RecordTask(#""a":1"#, schema: nil).state
    var output: [UInt8] = []
    let none = RecordSchemas([]).appendFile(of: state, for: .redo, { [:] }, to: &output)
    #expect(none == nil && output.isEmpty)
  }

  @Test(
    "what is written is taken in again as it was, by redo's file and by the app's",
    arguments: SeededRandom.seeds("record-files"))
  func roundTrip(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let schemas = RecordSchemas([Self.vaccine])
    let values = [
      #""vaccineName":"a\u0000é""#, #""dateAdministered":"2026-01-02""#, #""doseNumber":3"#,
      "\"attachmentIds\":[\"\(Self.ada)\"]", #""odd":"""#,
      #""mine":{"type":"stringArray","value":["x"]}"#, #""list":["y"]"#,
    ]
    for _ in 0..<40 {
      let chosen = values.filter { _ in random.once(in: 2) }.joined(separator: ",")
      let task = RecordTask(chosen, schema: "vaccine")
      let first = line(task, .redo)
      for reader in [RecordFile.Reader.redo, .app] {
        let file = RecordFile(Array(line(task, reader).utf8))
        let entry = try #require(file.entries.first)
        #expect(file.findings.isEmpty && entry.id == task.state.id)
        let content = string(RecordSchemas.content(schemas.members(of: entry)))
        let again = RecordTask(
          String(content.dropFirst().dropLast()), schema: nil)
        // The app's file types what no field counts for.
        let typed = first.replacing("[\"y\"]", with: #"{"type":"stringArray","value":["y"]}"#)
        #expect(line(again, .redo) == (reader == .app ? typed : first))
      }
    }
  }
}
