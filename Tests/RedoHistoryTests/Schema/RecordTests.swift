// Records: which key counts for which field, what is shown, what is wrong, and the line of `state --records`.

import CanonicalJSON
import Foundation
import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("Records")
struct RecordTests {
  @Test("the line of a record, byte for byte")
  func line() throws {
    let definition = schema([
      field("place", .string, order: 1) { $0.isRequired = true },
      field("days", .int, order: 2),
      field("cost", .double, order: 3) { $0.isRequired = true },
      field("old", .string, order: 4) { $0.visibility = .deprecated },
    ])
    let schemas = RecordSchemas([definition])
    let task = RecordTask(
      #""days":"five","none":null,"createdAt":"2026-01-02","extra":[1],"old":"x","place":{"type":"string","value":"Rome"}"#
    )
    var line: [UInt8] = []
    let record = try #require(task.record(schemas))
    record.appendJSON(to: &line)
    let ids = ["place", "days", "cost", "old"].map { id($0) }
    #expect(
      string(line) == """
        {"fields":[{"id":"\(ids[0])","key":"place","name":"place","problems":[],"type":"string",\
        "value":"Rome","visibility":"active"},{"id":"\(ids[1])","key":"days","name":"days",\
        "problems":["record-type"],"type":"int","value":"five","visibility":"active"},\
        {"id":"\(ids[2])","key":null,"name":"cost","problems":["record-required"],"type":"double",\
        "value":null,"visibility":"active"},{"id":"\(ids[3])","key":"old","name":"old",\
        "problems":["record-deprecated"],"type":"string","value":"x","visibility":"deprecated"}],\
        "guid":"\(LogMaker.task(1))","schema":"\(definition.hash.text)","schemaId":"trip",\
        "title":"A trip","unknown":{"extra":[1]}}
        """)
    #expect(try JSONDocument(line).isCanonical)
    #expect(
      record.problems.map { $0.finding().summary } == [
        "record-type at /fields/days", "record-required at /fields/\(ids[2])",
        "record-deprecated at /fields/old", "record-unknown-key at /fields/extra",
      ])
  }

  @Test("a task is a record if it has the text schemaId; whose it is chooses the schema")
  func choice() throws {
    let ada = UniqueID(hashing: [1])
    let schemas = RecordSchemas([
      schema([field("a", .int)]), schema([field("a", .string)], scope: ada),
    ])
    func type(_ members: String) -> FieldType? {
      RecordTask(members).record(schemas)?.fields.first?.type
    }
    #expect(type(#""a":null"#) == .int)
    #expect(type("\"a\":null,\"personId\":\"\(ada.text.uppercased())\"") == .string)
    #expect(type("\"a\":null,\"personId\":\"\(UniqueID.zero.text)\"") == .int)
    #expect(RecordTask(#""a":1"#, schema: nil).record(schemas) == nil)
    #expect(RecordTask(#""a":1,"schemaId":5"#, schema: nil).record(schemas) == nil)
    let missing = try #require(
      RecordTask(#""b":2,"a":1,"c":null"#, schema: "other").record(schemas))
    #expect(missing.schema == nil && missing.fields.isEmpty)
    #expect(missing.unknown.map { string($0.name) } == ["a", "b"])
    #expect(
      missing.problems.map { $0.finding().summary } == ["record-schema-missing at /fields/schemaId"]
    )
    #expect(missing.problems.first?.detail == "other")
  }

  @Test("of several keys of one field the one counts that was written last, null too")
  func shadows() throws {
    let schemas = RecordSchemas([schema([field("a", .int)])])
    let (qualified, bare) = (id("a"), UniqueID(hashing: Array("a".utf8)).text)
    // Of one node the id, else the least key.
    var task = RecordTask("\"a\":1,\"\(qualified)\":2,\"\(bare)\":3")
    #expect(task.shown(schemas) == ["a": "2"])
    #expect(task.broken(schemas) == ["record-key-shadowed", "record-key-shadowed"])
    #expect(RecordTask("\"a\":1,\"\(bare)\":3").shown(schemas) == ["a": bare < "a" ? "3" : "1"])
    task.update(#""a":4"#)
    #expect(task.shown(schemas) == ["a": "4"])
    task.update("\"\(bare)\":null")
    let record = try #require(task.record(schemas))
    #expect(record.fields.map { string($0.value) } == ["null"])
    #expect(
      record.problems.compactMap { $0.key.map(string) }.sorted() == [qualified, "a"].sorted())
    // A null that is older keeps nothing back.
    var migrated = RecordTask(#""a":1"#)
    migrated.update("\"a\":null,\"\(qualified)\":{\"type\":\"int\",\"value\":1}")
    #expect(migrated.shown(schemas) == ["a": "1"] && migrated.broken(schemas).isEmpty)
  }

  @Test("a merge writes; a second CREATE, and what an automatic merge says, do not")
  func writes() {
    var maker = LogMaker()
    let first = maker.add("CREATE", #""title":"A","schemaId":"trip","a":1"#)
    let left = maker.add("UPDATE", #""b":1"#, [first])
    let right = maker.add("UPDATE", #""a":2"#, [first])
    let merge = maker.add("MERGE", #""b":3"#, [left, right].sorted())
    let side = maker.add("UPDATE", #""c":1"#, [right])
    let all = maker.add(
      "MERGE", "", [merge, side].sorted(),
      data: #"{"conflictResolution":{"source":"automatic"},"fields":{"a":9}}"#)
    let again = maker.add("CREATE", #""title":"B","a":7"#, [all])
    let log = maker.log
    let cut = Cut(whole: log)
    var replay = Replay(log, cut, TaskNodes(log, cut))
    _ = replay.state(of: 0)
    let written = replay.lastWrites(of: 0)
    #expect(replay.skips.map(\.position) == [log.position(of: again)])
    #expect(written[Array("a".utf8)] == log.position(of: right))
    #expect(written[Array("b".utf8)] == log.position(of: merge))
    #expect(written[Array("schemaId".utf8)] == log.position(of: first))
  }

  @Test("of twins a typed value goes to that of its type, bare JSON to the first that can read it")
  func twins() {
    let shared = field("impact", .string) { $0.created.at = WallTime(milliseconds: 1) }
    let second = field("impact", .int, order: 1) {
      $0.created.at = WallTime(milliseconds: 2)
      $0.displayName = ByteText("Score")
    }
    let schemas = RecordSchemas([schema([shared, second], keys: ["impact"])])
    func shown(_ json: String, key: String = "impact") -> [String: String] {
      RecordTask("\"\(key)\":\(json)").shown(schemas)
    }
    #expect(shown(#"{"type":"int","value":5}"#) == ["Score": "5"])
    #expect(shown("5") == ["Score": "5"])
    #expect(shown(#""5""#) == ["impact": #""5""#])
    #expect(shown("true") == ["impact": "true"])
    #expect(shown(#"{"type":"int","value":"5"}"#) == ["Score": #"{"type":"int","value":"5"}"#])
    // No typed value: it has a member too many.
    let many = #"{"type":"int","value":5,"x":1}"#
    #expect(shown(many) == ["impact": many])
    // The name that is made of an id and a type always means that type.
    let derived = UniqueID(hashing: Array("\(id("impact")):int".utf8)).text
    #expect(shown(#""5""#, key: derived) == ["Score": #""5""#])
  }

  @Test("a member of a record names its field, whichever key counts")
  func members() {
    let schemas = RecordSchemas([schema([field("a", .int)])])
    let state = RecordTask("\"a\":1,\"\(id("a"))\":2").state
    func name(_ key: String, in state: TaskState) -> String? {
      RecordNames(state, schemas)?.name(of: Array(key.utf8), [0x31])?.text.text
    }
    #expect(name("a", in: state) == "a" && name(id("a").uppercased(), in: state) == "a")
    #expect(name("b", in: state) == nil && name("schemaId", in: state) == nil)
    let other = RecordTask(#""a":1"#, schema: nil).state
    #expect(name("a", in: other) == nil && RecordNames(other, schemas) == nil)
    #expect(schemas.view(ByteText("trip"), person: .zero) != nil)
    #expect(schemas.view(ByteText("other"), person: nil) == nil)
  }

  @Test("values of a field that was merged are shown where it was merged into")
  func merged() throws {
    let target = field("a", .string, order: 2)
    let source = field("b", .string, order: 1) {
      $0.mergedInto = target.pair.id
      $0.isRequired = true
    }
    let schemas = RecordSchemas([schema([target, source])])
    #expect(RecordTask(#""b":"x""#).shown(schemas) == ["a": #""x""#])
    #expect(RecordTask(#""a":null,"b":"x""#).shown(schemas) == ["a": #""x""#])
    #expect(RecordTask(#""a":"x","b":{"type":"string","value":"x"}"#).broken(schemas).isEmpty)
    let both = RecordTask(#""a":"y","b":"x""#)
    #expect(both.shown(schemas) == ["a": #""y""#])
    #expect(both.broken(schemas) == ["record-merge-conflict"])
    #expect(try #require(RecordTask("").record(schemas)).fields.isEmpty)
  }

  @Test(
    "a schema of many fields finds each by each of its names, and the end of a long way of merges")
  func large() throws {
    let count = 1000
    let fields = (0..<count).map { number in
      field("f\(number)", .string, order: Int64(number)) {
        if number > 0 { $0.mergedInto = UniqueID(hashing: Array("trip:f\(number - 1)".utf8)) }
      }
    }
    let view = SchemaView(schema(fields))
    #expect(view.home(of: fields[count - 1].pair.id) == fields[0].pair.id)
    for number in [0, 1, 500, 999] {
      let wanted = fields[number].pair.id
      let bare = UniqueID(hashing: Array("f\(number)".utf8))
      let made = UniqueID(hashing: Array("\(bare.text):string".utf8))
      for key in ["f\(number)", wanted.text, wanted.text.uppercased(), bare.text, made.text] {
        #expect(view.resolve(ByteText(key), .string) == wanted, "\(key)")
      }
    }
    #expect(view.resolve(ByteText("f1000"), .string) == nil)
  }

  @Test(
    "keys of the public vectors, and the ids that the app gave",
    .enabled(if: VectorFolder.isSharedPresent)
  )
  func vectors() throws {
    let bytes = try VectorFolder.shared("../spec").bytes("schema-vectors.json")
    let vectors = try #require(
      try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    let values: [FieldType: String] = [.string: #""a""#, .int: "1"]
    var count = 0
    func check(_ definition: Any?, _ keys: Any?) throws {
      let definition = try Self.definition(definition)
      let schemas = RecordSchemas([definition])
      for key in try #require(keys as? [[Any]]) {
        let name = try #require(key[0] as? String)
        let type = try #require(FieldType(rawValue: key[1] as? String ?? ""))
        let json = "{\"type\":\"\(type.rawValue)\",\"value\":\(values[type] ?? "null")}"
        let record = try #require(
          RecordTask("\"\(name)\":\(json)", schema: definition.name.id.text).record(schemas))
        let found = record.fields.first { $0.key.map(string) == name }
        #expect(found?.id.text == key[2] as? String, "\(name)")
        #expect(record.unknown.map { string($0.name) } == (found == nil ? [name] : []))
        count += 1
      }
    }
    for vector in try #require(vectors["names"] as? [[String: Any]]) {
      try check(vector["definition"], vector["keys"])
    }
    let phases = try #require(vectors["phases"] as? [[String: Any]])
    let resolve = try #require(vectors["resolve"] as? [String: Any])
    try check(phases[2]["definition"], resolve["keys"])
    #expect(count == 69)
    let builtIn = try #require(vectors["builtIn"] as? [[Any]])
    for (number, schema) in builtIn.enumerated() {
      let name = try #require(schema[0] as? String)
      let view = SchemaView(RedoHistoryTests.schema([], id: name))
      for (place, key) in try #require(schema[1] as? [String]).enumerated() {
        let digits = [number + 1, place + 1].map { "000\(String($0, radix: 16))".suffix(4) }
        let fixed = view.fixedID(of: UniqueID(hashing: Array("\(name):\(key)".utf8)))
        #expect(fixed?.text == "00000001-\(digits[0])-\(digits[1])-0000-000000000000")
      }
    }
  }

  static func definition(_ value: Any?) throws -> SchemaDefinition {
    let text = try JSONSerialization.data(withJSONObject: try #require(value))
    return try SchemaDefinition.read(Array(text)).get()
  }

  @Test(
    "merged fields of the public vectors", .enabled(if: VectorFolder.isSharedPresent),
    arguments: ["mergedInto", "mergedIntoTwin"])
  func homes(_ name: String) throws {
    let bytes = try VectorFolder.shared("../spec").bytes("schema-vectors.json")
    let vectors = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    let vector = try #require(vectors?[name] as? [String: Any])
    let definition = try Self.definition(vector["definition"])
    let schemas = RecordSchemas([definition])
    for (text, home) in try #require(vector["shownUnder"] as? [String: String]) {
      let key = UniqueID(hashing: Array(text.utf8))
      let type = SchemaView(definition).field(key)?.pair.type ?? .string
      let value = RecordValue(texts: ["5"], as: type)
      let json = try #require(value.map { string($0.typed) })
      let task = RecordTask("\"\(key.text)\":\(json)", schema: definition.name.id.text)
      #expect(task.record(schemas)?.fields.first?.id.text == home, "\(text)")
    }
  }
}
