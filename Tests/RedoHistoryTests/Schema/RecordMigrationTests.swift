// Migration of records: one UPDATE, after which all stands typed under ids; a second one has nothing to write.

import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("Migration of records")
struct RecordMigrationTests {
  @Test("values come typed under their ids, old keys are null")
  func moves() {
    let schemas = RecordSchemas([schema([field("a", .int), field("b", .date, order: 1)])])
    var task = RecordTask(#""a":5,"b":"2026-01-02","x":[1],"personId":"p""#)
    let before = task.shown(schemas)
    let written = task.migrate(schemas)
    #expect(
      written == [
        "a": "null", "b": "null", id("a"): #"{"type":"int","value":5}"#,
        id("b"): #"{"type":"date","value":"2026-01-02T00:00:00.000Z"}"#,
      ])
    #expect(task.shown(schemas) == before && task.broken(schemas) == ["record-unknown-key"])
    #expect(task.migrate(schemas).isEmpty)
    // Upper case is another key.
    var upper = RecordTask("\"\(id("a").uppercased())\":{\"type\":\"int\",\"value\":5}")
    #expect(upper.migrate(schemas).keys.sorted() == [id("a").uppercased(), id("a")].sorted())
  }

  @Test("what is no value of its field stays, and so does what would take its place")
  func wrong() {
    let shared = field("a", .string) { $0.created.at = WallTime(milliseconds: 1) }
    let second = field("a", .int, order: 1) { $0.created.at = WallTime(milliseconds: 2) }
    let schemas = RecordSchemas([schema([shared, second], keys: ["a"])])
    var task = RecordTask("\"a\":\"x\",\"\(id("a"))\":{\"type\":\"int\",\"value\":\"five\"}")
    #expect(task.migrate(schemas).isEmpty)
    var only = RecordTask(#""a":true"#)
    #expect(only.migrate(schemas).isEmpty)
    // The value of one twin makes room for that of the other.
    var both = RecordTask("\"a\":\"x\",\"\(id("a"))\":{\"type\":\"int\",\"value\":5}")
    let derived = UniqueID(hashing: Array("\(id("a")):int".utf8)).text
    #expect(
      both.migrate(schemas) == [
        "a": "null", id("a"): #"{"type":"string","value":"x"}"#,
        derived: #"{"type":"int","value":5}"#,
      ])
    #expect(both.migrate(schemas).isEmpty)
  }

  @Test("values are set under the ids of their fields, and take the place of no other")
  func settings() throws {
    let target = field("a", .int)
    let source = field("b", .int, order: 1) { $0.mergedInto = target.pair.id }
    let shared = field("c", .string, order: 2) { $0.created.at = WallTime(milliseconds: 1) }
    let second = field("c", .int, order: 3) {
      $0.created.at = WallTime(milliseconds: 2)
      $0.displayName = ByteText("number")
    }
    let definition = schema([target, source, shared, second], keys: ["a", "b", "c"])
    let schemas = RecordSchemas([definition])
    func set(_ task: inout RecordTask, _ id: UniqueID, _ text: String?) throws -> [String: String] {
      let (state, writes) = task.replayed
      let type = try #require(SchemaView(definition).field(id)?.pair.type)
      let value = try text.map { try #require(RecordValue(texts: [$0], as: type)) }
      let members = schemas.members(setting: [id: value], in: state) { writes }
      if !members.isEmpty { task.update(members) }
      return Dictionary(
        members.map { (string($0.name), string($0.value)) }, uniquingKeysWith: { first, _ in first }
      )
    }
    let (five, six) = (#"{"type":"int","value":5}"#, #"{"type":"int","value":6}"#)
    var task = RecordTask(#""a":5,"b":5"#)
    #expect(try set(&task, target.pair.id, "5").isEmpty)
    #expect(try set(&task, source.pair.id, "6") == [id("a"): six])
    #expect(task.shown(schemas) == ["a": "6"])
    #expect(try set(&task, target.pair.id, nil) == [id("a"): "null", id("b"): "null"])
    #expect(task.shown(schemas) == ["a": "null"])
    #expect(try set(&task, target.pair.id, nil).isEmpty)
    var twins = RecordTask("\"\(id("c"))\":5")
    let derived = UniqueID(hashing: Array("\(id("c")):int".utf8)).text
    let text = #"{"type":"string","value":"x"}"#
    #expect(try set(&twins, shared.pair.id, "x") == [id("c"): text, derived: five])
    #expect(twins.shown(schemas) == ["c": #""x""#, "number": "5"])
    var none = RecordTask(#""a":5"#, schema: nil)
    #expect(try set(&none, target.pair.id, "6").isEmpty)
  }

  @Test("a null that is written hides nothing that was there")
  func hidden() {
    let schemas = RecordSchemas([schema([field("a", .int)])])
    var task = RecordTask(#""a":1"#)
    let typed = #"{"type":"int","value":2}"#
    task.update("\"\(id("a"))\":\(typed)")
    #expect(task.migrate(schemas) == ["a": "null", id("a"): typed])
    #expect(task.shown(schemas) == ["a": "2"] && task.migrate(schemas).isEmpty)
    // A null under the name of two twins is for the first.
    let shared = field("b", .string) { $0.created.at = WallTime(milliseconds: 1) }
    let second = field("b", .int, order: 1) {
      $0.created.at = WallTime(milliseconds: 2)
      $0.displayName = ByteText("number")
    }
    let twins = RecordSchemas([schema([shared, second], keys: ["b"])])
    var both = RecordTask("\"\(id("b"))\":{\"type\":\"string\",\"value\":\"x\"},\"b\":5")
    #expect(both.migrate(twins).keys.sorted().count == 3)
    #expect(both.shown(twins) == ["b": #""x""#, "number": "5"])
    #expect(both.migrate(twins).isEmpty)
  }

  @Test("of several keys the one that counts is taken; one that no UPDATE sets is left")
  func shadows() {
    let schemas = RecordSchemas([schema([field("a", .int), field("guid", .int, order: 1)])])
    var task = RecordTask("\"\(id("a"))\":1")
    task.update(#""a":null"#)
    #expect(task.migrate(schemas) == [id("a"): "null"])
    #expect(task.migrate(schemas).isEmpty)
    var guid = RecordTask(#""guid":7"#)
    #expect(guid.migrate(schemas) == [id("guid"): #"{"type":"int","value":7}"#])
    #expect(guid.migrate(schemas).isEmpty)
  }

  @Test(
    "fields that were merged come to one value, as it is wanted",
    arguments: [
      (FieldType.string, #""x""#, #""y""#, "concatenate", #""x y""#),
      (.string, #""x""#, #""y""#, "concatenate:", #""xy""#),
      (.string, #""x""#, #""y""#, "concatenate:; ", #""x; y""#),
      (.string, #""""#, #""y""#, "concatenate", #""y""#),
      (.string, #""x""#, #""y""#, "source", #""y""#),
      (.string, #""x""#, #""y""#, "target", #""x""#),
      (.stringArray, #"["x","z"]"#, #"["y","x"]"#, "concatenate", #"["x","z","y"]"#),
      (.int, "1", "2", "source", "2"), (.int, "1", "2", "concatenate", nil),
      (.int, "1", "2", nil, nil), (.int, "null", "2", nil, "2"), (.int, "1", "1", nil, "1"),
    ] as [(FieldType, String, String, String?, String?)])
  func merged(
    _ type: FieldType, _ target: String, _ source: String, _ strategy: String?, _ wanted: String?
  ) throws {
    let one = field("a", type, order: 2)
    let other = field("b", type, order: 1) { $0.mergedInto = one.pair.id }
    let schemas = RecordSchemas([schema([one, other])])
    var task = RecordTask("\"a\":\(target),\"b\":\(source)")
    let chosen = try strategy.map { try #require(RecordMergeStrategy($0)) }
    let written = task.migrate(schemas, chosen)
    func typed(_ value: String) -> String { "{\"type\":\"\(type.rawValue)\",\"value\":\(value)}" }
    if let wanted {
      #expect(written[id("a")] == typed(wanted) && written["b"] == "null")
      #expect(written[id("b")] == nil && task.broken(schemas).isEmpty)
    } else {
      #expect(written[id("a")] == typed(target) && written[id("b")] == typed(source))
      #expect(task.broken(schemas) == ["record-merge-conflict"])
    }
    #expect(task.migrate(schemas, chosen).isEmpty)
    #expect(RecordMergeStrategy("both") == nil)
  }

  @Test(
    "migrated twice is migrated once, and shows what was shown",
    arguments: SeededRandom.seeds("record-migration", fixed: 1..<9))
  func twice(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let types: [FieldType] = [.string, .int, .double, .date, .stringArray]
    let values = [
      "null", "5", "1.5", #""x""#, #""2026-01-02""#, #"["x"]"#, #"{"type":"int","value":5}"#,
      #"{"type":"string","value":"x"}"#, #"{"type":"date","value":5}"#, "true",
      #"{"type":"int","value":"x"}"#,
    ]
    for _ in 0..<150 {
      var fields: [SchemaField] = []
      for number in 0..<6 {
        let name = ["a", "b", "c"][random.below(3)]
        fields.append(
          field(name, types[random.below(types.count)], order: Int64(number)) {
            $0.created.at = WallTime(milliseconds: Int64(random.below(3)))
            if random.once(in: 3) {
              $0.mergedInto = UniqueID(
                hashing: Array("trip:\(["a", "b", "c"][random.below(3)])".utf8))
            }
          })
      }
      let definition = schema(fields)
      let schemas = RecordSchemas([definition])
      let ids = SchemaView(definition).fields.map(\.pair.id.text)
      let keys = ["a", "b", "c", "nobody", id("a").uppercased()] + ids
      func members() -> String {
        var seen: Set<String> = []
        return (0..<4).map { _ in keys[random.below(keys.count)] }
          .filter { seen.insert($0).inserted }
          .map { "\"\($0)\":\(values[random.below(values.count)])" }.joined(separator: ",")
      }
      var task = RecordTask(members())
      for _ in 0..<random.below(3) { task.update(members()) }
      let strategy: RecordMergeStrategy? =
        [nil, .target, .source, .concatenate(separator: "-")][random.below(4)]
      let before = shownByID(task, schemas)
      let problems = Set(task.broken(schemas))
      _ = task.migrate(schemas, strategy)
      #expect(task.migrate(schemas, strategy).isEmpty)
      if !problems.contains("record-merge-conflict") {
        let after = shownByID(task, schemas)
        for (id, value) in before where value != "null" { #expect(after[id] == value) }
      }
    }
  }

  private func shownByID(_ task: RecordTask, _ schemas: RecordSchemas) -> [UniqueID: String] {
    let fields = task.record(schemas)?.fields ?? []
    return Dictionary(
      fields.map { ($0.id, string($0.value)) }, uniquingKeysWith: { first, _ in first })
  }
}
