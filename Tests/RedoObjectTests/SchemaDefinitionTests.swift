// Definitions of schemas: what is refused and where, the laws of their join, edits.

import CanonicalJSON
import RedoObject
import Testing

@Suite("Definitions of schemas")
struct SchemaDefinitionTests {
  private static let ada = "aaaaaaaa-0000-4000-8000-000000000001"
  private static let ben = "bbbbbbbb-0000-4000-8000-000000000002"

  private static func field(
    _ id: String, type: String = "string", order: Int = 1, _ more: String = ""
  ) -> String {
    """
    {"id":"\(id)","fieldType":"\(type)","displayName":"x","isRequired":false,"displayOrder":\(order),\
    "validationRules":[],"isMultiline":false,"capitalizationMode":"none","visibility":"active",\
    "createdBy":"\(ada)","createdAt":"2026-01-02T10:00:00.000Z","updatedBy":"\(ada)",\
    "updatedAt":"2026-01-02T10:00:00.000Z"\(more)}
    """
  }

  private static func definition(
    id: String = "vaccine", fields: String = field(ada), keys: String = "", more: String = "",
    counter: String = "3"
  ) -> String {
    """
    {"id":"\(id)","displayName":"Vaccine","iconSystemName":"syringe","isBuiltIn":false,"version":\
    {"timestamp":"2026-01-02T10:00:00.000Z","deviceId":"\(ada)","counter":\(counter)},\
    "fields":[\(fields)],"keys":[\(keys)]\(more)}
    """
  }

  @Test(
    "what breaks a rule is refused there",
    arguments: [
      (definition(id: ""), Rule.schemaIDForm, "/id"),
      (definition(id: " a"), .schemaIDForm, "/id"),
      (definition(id: String(repeating: "a", count: 201)), .schemaIDForm, "/id"),
      (definition(more: ",\"scope\":\"A\""), .schemaIDForm, "/scope"),
      (definition(more: ",\"scope\":null"), .memberNull, "/scope"),
      (definition(more: ",\"colour\":1"), .memberUnknown, "/colour"),
      (definition(more: ",\"x\":[]"), .schemaForm, "/x"),
      (definition(counter: "9007199254740992"), .schemaVersionForm, "/version/counter"),
      (definition(counter: "-1"), .schemaVersionForm, "/version/counter"),
      (
        definition(
          more:
            ",\"metaVersion\":{\"timestamp\":\"2026-01-02T10:00:00.000Z\",\"deviceId\":\"\(ada)\",\"counter\":3}"
        ),
        .schemaVersionForm, "/metaVersion"
      ),
      (definition(fields: field(ada.uppercased())), .schemaFieldForm, "/fields/0/id"),
      (definition(fields: field(ada, type: "text")), .schemaFieldForm, "/fields/0/fieldType"),
      (definition(fields: field(ada, ",\"helpText\":1")), .schemaFieldForm, "/fields/0/helpText"),
      (definition(fields: field(ada) + "," + field(ada)), .schemaFieldDuplicate, "/fields/1"),
      (definition(fields: field(ben) + "," + field(ada)), .schemaOrder, "/fields/1"),
      (definition(keys: "\"\""), .schemaKeyForm, "/keys/0"),
      (definition(keys: "\"\(ada)\""), .schemaKeyForm, "/keys/0"),
      (definition(keys: "\"b\",\"a\""), .schemaOrder, "/keys/1"),
      (definition(keys: "\"a\",\"a\""), .schemaOrder, "/keys/1"),
    ])
  func refusals(_ text: String, _ rule: Rule, _ pointer: String) {
    guard case .failure(let findings) = SchemaDefinition.read(Array(text.utf8)) else {
      Issue.record("taken: \(text)")
      return
    }
    #expect(findings.all.map(\.rule) == [rule])
    if !pointer.isEmpty { #expect(findings.all.first?.place == .pointer(pointer)) }
  }

  @Test(
    "a rule for values has a bound of its type",
    arguments: [
      ("minLength", "1", true), ("minLength", "1.5", false), ("minLength", "\"1\"", false),
      ("maxValue", "1.5", true), ("maxValue", "true", false),
      ("minDate", "\"2026-01-02T10:00:00.000Z\"", true),
      ("minDate", "\"2026-01-02T10:00:00Z\"", false),
      ("pattern", "\"^a\"", true), ("pattern", "1", false), ("size", "1", false),
    ])
  func rules(_ kind: String, _ bound: String, _ isRight: Bool) {
    let text = Self.definition(
      fields: Self.field(Self.ada).replacing(
        "\"validationRules\":[]",
        with: "\"validationRules\":[{\"type\":\"\(kind)\",\"value\":\(bound)}]"))
    switch SchemaDefinition.read(Array(text.utf8)) {
    case .success(let definition):
      #expect(isRight)
      #expect((try? JSONDocument(Array(text.utf8)).canonical) == definition.canonical)
    case .failure(let findings):
      #expect(!isRight)
      #expect(findings.all.map(\.rule) == [.schemaRuleForm])
    }
  }

  // MARK: The laws of the join

  /// Definitions that have much in common.
  private struct Source {
    var random: SplitMix
    func uuid(_ number: Int) -> UniqueID { UniqueID(hashing: Array("\(number)".utf8)) }
    mutating func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
    mutating func time() -> WallTime { WallTime(milliseconds: 1_767_348_000_000 + Int64(pick(3))) }
    mutating func stamp() -> FieldStamp { FieldStamp(by: uuid(pick(2)), at: time()) }
    mutating func version() -> SchemaVersion {
      SchemaVersion(time(), uuid(pick(2)), Int64(pick(3)))
    }

    mutating func definition(named name: String = "s") -> SchemaDefinition {
      var fields: [SchemaField] = []
      for _ in 0..<pick(5) {
        let type: FieldType = pick(2) == 0 ? .string : .int
        var field = SchemaField(
          FieldPair(uuid(pick(3)), type), displayName: ByteText("\(pick(2))"))
        field.displayOrder = Int64(pick(2))
        field.visibility = pick(2) == 0 ? .active : .hidden
        field.created = stamp()
        field.updated = stamp()
        fields.append(field)
      }
      var metadata = SchemaDefinition.Metadata(
        displayName: ByteText("\(pick(2))"), iconSystemName: ByteText("i"))
      if pick(2) == 0 { metadata.description = ByteText("\(pick(2))") }
      let (one, other) = (version(), version())
      return SchemaDefinition(
        SchemaDefinition.Name(ByteText(name)), metadata, isBuiltIn: pick(4) == 0,
        version: max(one, other), metaVersion: min(one, other), fields: fields,
        keys: (0..<pick(3)).map { ByteText("\($0)") })
    }
  }

  private struct SplitMix {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  @Test("the join is commutative, associative and idempotent, and loses nothing")
  func laws() throws {
    var source = Source(random: SplitMix(state: 14))
    var differing = 0
    for _ in 0..<2000 {
      let (a, b, c) = (source.definition(), source.definition(), source.definition())
      let ab = try #require(a.joined(with: b))
      #expect(b.joined(with: a) == ab)
      #expect(a.joined(with: a) == a)
      #expect(a.isContained(in: ab) && b.isContained(in: ab))
      #expect(ab.joined(with: c) == b.joined(with: c).flatMap { a.joined(with: $0) })
      #expect(Set(ab.fields.map(\.pair)) == Set(a.fields.map(\.pair) + b.fields.map(\.pair)))
      if case .success(let read) = SchemaDefinition.read(ab.canonical) {
        #expect(read == ab)
      } else {
        Issue.record(
          "what is written cannot be read: \(String(decoding: ab.canonical, as: UTF8.self))")
      }
      if ab != a && ab != b { differing += 1 }
    }
    #expect(differing > 1000)
  }

  @Test("definitions of different names are not joined")
  func names() {
    var source = Source(random: SplitMix(state: 1))
    let one = source.definition()
    let other = SchemaDefinition(
      SchemaDefinition.Name(ByteText("s"), scope: .zero), one.metadata, isBuiltIn: false,
      version: one.version, fields: [], keys: [])
    #expect(one.joined(with: other) == nil)
  }

  @Test("definitions of several names are joined by name, in the order in which the names come")
  func joinsByName() throws {
    var source = Source(random: SplitMix(state: 5))
    for _ in 0..<50 {
      let all = (0..<5).map { _ in source.definition() }
      let joins = SchemaDefinition.joinedByName(all)
      var names: [SchemaDefinition.Name] = []
      for one in all where !names.contains(one.name) { names.append(one.name) }
      #expect(joins.map(\.name) == names)
      for join in joins {
        #expect(join == SchemaDefinition.join(all.filter { $0.name == join.name }))
      }
    }
    let (one, two) = (source.definition(), source.definition(named: "else"))
    #expect(SchemaDefinition.joinedByName([two, one, two]).map(\.name) == [two.name, one.name])
  }

  // MARK: Edits

  @Test("an edit exceeds all heads, also when the clock is set back, and undoes no rename")
  func edits() throws {
    var source = Source(random: SplitMix(state: 3))
    let past = WallTime(milliseconds: 0)
    for _ in 0..<200 {
      let heads = [source.definition(), source.definition()]
      let base = try #require(SchemaDefinition.join(heads))
      var edit = try #require(SchemaEdit(heads, by: source.uuid(9), now: past))
      #expect(edit.result == nil)
      let pair = FieldPair(source.uuid(77), .date)
      let added = edit.add(
        SchemaField(pair, displayName: ByteText("new")), hasPlace: false)
      #expect(added)
      let result = try #require(edit.result)
      #expect(heads.allSatisfy { $0.version < result.version && $0.isContained(in: result) })
      #expect(result.metadata == base.metadata && result.metaVersion == base.metaVersion)
      guard let shown = SchemaView(base).fields.first else { continue }
      var change = try #require(SchemaEdit(heads, by: source.uuid(9), now: past))
      let isThere = change.change(shown.pair.id) { $0.visibility = .deprecated }
      #expect(isThere)
      let after = try #require(change.result)
      #expect(base.isContained(in: after))
      let changed = try #require(SchemaView(after).field(shown.pair.id))
      #expect(changed.visibility == .deprecated && changed.updated.at > shown.updated.at)
      #expect(changed.created == shown.created)
      // Nothing changed: nothing to write.
      var none = try #require(SchemaEdit([after], by: source.uuid(9), now: past))
      let same = none.change(shown.pair.id) { $0.visibility = .deprecated }
      #expect(same && none.result == nil)
    }
  }

  @Test(
    "times of files are read in each of their forms",
    arguments: [
      ("\"2026-01-02\"", "2026-01-02T00:00:00.000Z"),
      ("\"2026-01-02T12:00:00.0005+02:00\"", "2026-01-02T10:00:00.001Z"),
      ("\"1999-01-02T10:00:00.0005Z\"", "1999-01-02T10:00:00.000Z"),
      ("757382400.5", "2025-01-01T00:00:00.500Z"), ("null", "0001-01-01T00:00:00.000Z"),
      ("\"now\"", nil), ("1e300", nil), ("true", nil),
    ] as [(String, String?)])
  func times(_ time: String, _ wanted: String?) {
    let text = """
      {"id":"s","displayName":"S","iconSystemName":"i","fields":[{"id":"a","fieldType":"int",\
      "createdAt":\(time)}]}
      """
    let read = SchemaImport(Array(text.utf8))
    #expect(read.definitions.first?.fields.first?.created.at.text == wanted)
    #expect(read.isRefused == (wanted == nil))
  }
}
