// Schemas that enter a history: what they owe their parents, and which heads a name has afterwards.

import CanonicalJSON
import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("Schemas that enter a history")
struct SchemaAdmissionTests {
  private static let device = "3f2b8c1e-9d47-4a60-b5e1-7c0d2a9f6e84"
  private static let other = "a81c4e02-5b7d-4f39-8e16-2d90c3b7f5a4"

  /// A field, by its number; what is said of it can be changed.
  private struct Field {
    var number: Int
    var name = "Notes"
    var created = "2026-01-02T10:00:00.000Z"
    var updated = "2026-01-02T10:00:00.000Z"

    var json: String {
      let id = String(repeating: "\(number)", count: 8) + "-0000-4000-8000-000000000000"
      return """
        {"id":"\(id)","fieldType":"string","displayName":"\(name)","isRequired":false,
        "displayOrder":\(number),"validationRules":[],"isMultiline":false,"capitalizationMode":"none",
        "visibility":"active","createdBy":"\(SchemaAdmissionTests.device)","createdAt":"\(created)",
        "updatedBy":"\(SchemaAdmissionTests.device)","updatedAt":"\(updated)"}
        """
    }
  }

  /// A schema, of what can be wrong with it beside its parents.
  private func schema(
    _ fields: [Field], after parents: [Schema] = [], id: String = "visit", lamport: UInt64? = nil,
    time: String? = nil, counter: Int = 1, title: String = "Visit"
  ) throws -> Schema {
    let links = parents.map { "\"\($0.id.text)\"" }.sorted().joined(separator: ",")
    let greatest = parents.map(\.lamport.value).max() ?? 0
    let time = time ?? "2026-01-02T10:00:0\(min(9, greatest)).\(100 + counter)Z"
    let key = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"
    let text = """
      {"schema":1,"parents":[\(links)],
      "timestamp":{"lamport":\(lamport ?? greatest + 1),"wall":"2026-01-02T10:00:00.000Z"},
      "author":{"userId":"\(key.prefix(32))","deviceId":"\(Self.device)","publicKey":"\(key)"},
      "change":{"op":"set","source":"manual"},
      "definition":{"id":"\(id)","displayName":"\(title)","iconSystemName":"doc","isBuiltIn":false,
      "version":{"timestamp":"\(time)","deviceId":"\(Self.device)","counter":\(counter)},
      "fields":[\(fields.map(\.json).joined(separator: ","))],"keys":[]}}
      """
    var decoder = SchemaDecoder()
    let decoded = decoder.decode(Array(text.utf8))
    return try #require(decoded, "\(decoder.findings)")
  }

  private func problems(
    _ schemas: [Schema], known: [ObjectID: GroupLink] = [:]
  ) -> (rules: [ObjectID: [String]], admission: GroupAdmission) {
    var admission = GroupAdmission()
    for schema in schemas { admission.add(.schema(schema)) }
    let found = admission.resolve { known[$0] }
    // Whatever the profile, each of them is an error.
    #expect(found.allSatisfy { $0.isError(.v1) && $0.isError(.sync) })
    return (
      Dictionary(grouping: found, by: \.id).mapValues { $0.map(\.finding.summary) }, admission
    )
  }

  @Test("a child has all that its parents have, and says who added what as they do")
  func kept() throws {
    let root = try schema([Field(number: 2), Field(number: 3)])
    let longer = try schema([Field(number: 2), Field(number: 3), Field(number: 4)], after: [root])
    let newer = Field(number: 2, name: "Dose", updated: "2026-01-02T10:00:00.001Z")
    let changed = try schema([newer, Field(number: 3)], after: [root], counter: 2)
    let joined = try schema(
      [newer, Field(number: 3), Field(number: 4)], after: [longer, changed], counter: 3)
    #expect(problems([joined, changed, root, longer]).rules.isEmpty)

    let shorter = try schema([Field(number: 2)], after: [root], counter: 4)
    let older = try schema(
      [Field(number: 2, name: "A", updated: "2026-01-02T09:59:59.999Z"), Field(number: 3)],
      after: [root], counter: 5)
    let earlier = try schema(
      [Field(number: 2), Field(number: 3)], after: [root], time: "2026-01-01T00:00:00.000Z",
      counter: 6)
    let half = try schema(
      [newer, Field(number: 3)], after: [longer, changed], counter: 7)
    let foreign = try schema(
      [
        Field(
          number: 2, created: "2026-01-02T10:00:00.001Z", updated: "2026-01-02T10:00:00.001Z"),
        Field(number: 3),
      ], after: [root], counter: 8)
    let (rules, _) = problems([root, longer, changed, shorter, older, earlier, half, foreign])
    #expect(
      rules == [
        shorter.id: ["schema-lost at /definition/fields"],
        older.id: ["schema-lost at /definition/fields/0"],
        earlier.id: [
          "schema-lost at /definition/version", "schema-lost at /definition/metaVersion",
        ],
        half.id: ["schema-lost at /definition/fields"],
        foreign.id: ["schema-provenance at /definition/fields/0/createdAt"],
      ])
  }

  @Test("no stamp ends the clock, unless a parent's has, or has all but one millisecond")
  func clocks() throws {
    let late = "9999-06-01T00:00:00.000Z"
    let root = try schema([Field(number: 2)])
    let end = try schema([Field(number: 2)], after: [root], time: late)
    let field = try schema([Field(number: 2, updated: late)], after: [root], counter: 2)
    let new = try schema([Field(number: 2), Field(number: 3, updated: late)], after: [root])
    let first = try schema([Field(number: 2)], time: late)
    let (rules, _) = problems([root, end, field, new, first])
    #expect(
      rules == [
        end.id: ["schema-clock-range at /definition/version/timestamp"],
        field.id: ["schema-clock-range at /definition/fields/0/updatedAt"],
        new.id: ["schema-clock-range at /definition/fields/1/updatedAt"],
        first.id: ["schema-clock-range at /definition/version/timestamp"],
      ])
    // What a history has, however it came there, can go on.
    let known = [first.id: GroupLink(.schema(first), isInHistory: true)]
    let same = try schema([Field(number: 2)], after: [first], time: late, counter: 2)
    let next = try schema(
      [Field(number: 2)], after: [first], time: "9999-06-01T00:00:00.001Z", counter: 2)
    let jump = try schema(
      [Field(number: 2)], after: [first], time: "9999-06-01T00:00:00.002Z", counter: 2)
    #expect(
      problems([same, next, jump], known: known).rules
        == [jump.id: ["schema-clock-range at /definition/version/timestamp"]])
  }

  @Test("lamports grow, and not by too much; parents are schemas of the same name")
  func lamports() throws {
    let root = try schema([Field(number: 2)], lamport: 7)
    let flat = try schema([Field(number: 2)], after: [root], lamport: 7, counter: 2)
    let far = try schema([Field(number: 2)], after: [root], lamport: 1_000_008, counter: 2)
    let just = try schema([Field(number: 2)], after: [root], lamport: 1_000_007, counter: 2)
    let stranger = try schema([Field(number: 2)], id: "vaccine")
    let astray = try schema([Field(number: 2)], after: [stranger], counter: 2)
    let orphan = try schema([Field(number: 2)], after: [just], counter: 3)
    let below = try schema([Field(number: 2)], after: [orphan], counter: 4)
    let blind = try schema([Field(number: 2)], after: [far], counter: 5)
    let (rules, _) = problems([below, root, flat, far, stranger, astray, orphan, blind])
    #expect(
      rules == [
        flat.id: ["lamport-not-increasing at /timestamp/lamport"],
        far.id: ["lamport-jump at /timestamp/lamport"],
        astray.id: ["schema-parent at /parents/0"], orphan.id: ["parent-missing at /parents/0"],
        below.id: ["parent-refused at /parents/0"], blind.id: ["parent-refused at /parents/0"],
      ])
    #expect(
      problems([flat], known: [root.id: .other]).rules == [flat.id: ["schema-parent at /parents/0"]]
    )
    // Of what is elsewhere nothing is known, so that nothing is wrong.
    #expect(problems([flat], known: [root.id: .unknown]).rules.isEmpty)
  }

  @Test("parents in the store, outside of its history, join with all that they follow")
  func joins() throws {
    let root = try schema([Field(number: 2)])
    let one = try schema([Field(number: 2), Field(number: 3)], after: [root])
    let two = try schema([Field(number: 2), Field(number: 4)], after: [root], counter: 2)
    let both = try schema(
      [Field(number: 2), Field(number: 3), Field(number: 4)], after: [one, two], counter: 3)
    let known = [
      one.id: GroupLink(.schema(one), isInHistory: false),
      two.id: GroupLink(.schema(two), isInHistory: true),
      root.id: GroupLink(.schema(root), isInHistory: true),
    ]
    let (rules, admission) = problems([both], known: known)
    #expect(rules.isEmpty && Set(admission.ids) == [both.id, one.id])
    let changes = admission.changes { _ in [two.id] }
    #expect(changes.map(\.group) == [.schema(root.definition.name)])
    #expect(changes.map(\.before) == [[two.id]] && changes.map(\.after) == [[both.id]])
  }
}
