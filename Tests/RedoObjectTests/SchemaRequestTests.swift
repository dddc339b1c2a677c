// Edits of schemas: what each changes, with which stamps, what is refused and where, and the laws that hold for all of them.

import RedoObject
import TestSupport
import Testing

@Suite("Edits of schemas")
struct SchemaRequestTests {
  private static func name(_ id: String) -> SchemaDefinition.Name {
    SchemaDefinition.Name(ByteText(id))
  }

  private static func options(_ body: (inout FieldOptions) -> Void) -> FieldOptions {
    var options = FieldOptions()
    body(&options)
    return options
  }

  private static func text(_ count: Int) -> ByteText {
    ByteText(String(repeating: "a", count: count))
  }

  private func result(
    _ request: SchemaRequest, _ heads: [SchemaDefinition], at seconds: Int64 = 100
  ) throws -> SchemaDefinition {
    let (edited, refused) = outcome(request, heads, at: seconds)
    return try #require(edited?.definition, "\(refused)")
  }

  // MARK: Schemas

  @Test("a new schema has the first version, its id for a name, and an icon")
  func new() throws {
    var options = SchemaOptions()
    options.description = ByteText("")
    let made = try result(.new(Self.name("vaccine"), options), [])
    #expect(
      String(decoding: made.canonical, as: UTF8.self) == """
        {"displayName":"vaccine","fields":[],"iconSystemName":"doc.text","id":"vaccine",\
        "isBuiltIn":false,"keys":[],"version":{"counter":1,\
        "deviceId":"bbbbbbbb-0000-4000-8000-000000000002","timestamp":"2026-01-02T10:01:40.000Z"}}
        """)
    options.displayName = ByteText("Vaccine")
    options.iconSystemName = ByteText("syringe")
    options.description = ByteText("Shots")
    let scoped = SchemaDefinition.Name(ByteText("vaccine"), scope: hashed("p"))
    let said = try result(.new(scoped, options), [])
    #expect(said.metadata.description == ByteText("Shots") && said.name == scoped)
    #expect(said.metadata.iconSystemName == ByteText("syringe"))
  }

  @Test(
    "what a new schema may not be",
    arguments: [
      ("", "schema-id-form@/id"), (" a", "schema-id-form@/id"), ("a\n", "schema-id-form@/id"),
      (String(repeating: "a", count: 201), "schema-id-form@/id"),
      ("redo.devices", "schema-reserved@/id"), ("redo.x", "schema-reserved@/id"),
    ])
  func newRefused(_ id: String, _ refused: String) {
    #expect(outcome(.new(Self.name(id), SchemaOptions()), []).refused == [refused])
  }

  @Test("what comes near is taken", arguments: ["redo", "redos.x", "x.redo.", "é", "a b", "../x"])
  func newTaken(_ id: String) throws {
    #expect(try result(.new(Self.name(id), SchemaOptions()), []).name.id == ByteText(id))
  }

  @Test("a schema is new once, and is edited only when it is there")
  func presence() {
    let here = definition()
    #expect(outcome(.new(here.name, SchemaOptions()), [here]).refused == ["present"])
    for request in [
      .set(SchemaOptions()), .merge([]), .splitField(ByteText("x")),
    ] as [SchemaRequest] {
      #expect(outcome(request, []).refused == ["absent"])
    }
  }

  @Test("what is said of a schema is of the edit's version; another edit keeps that of the heads")
  func metadata() throws {
    var options = SchemaOptions()
    options.displayName = ByteText("Impfung")
    let here = definition([field("dose")], counter: 7)
    let renamed = try result(.set(options), [here])
    #expect(renamed.metadata.displayName == ByteText("Impfung"))
    #expect(renamed.version == SchemaVersion(second(100), iPhone, 8))
    #expect(renamed.metaVersion == renamed.version && renamed.fields == here.fields)
    let hidden = try result(.show(ByteText("dose"), .hidden), [here])
    #expect(hidden.metaVersion == here.version && hidden.version.counter == 8)
    // So an offline edit of a field does not undo the name.
    let joined = try #require(renamed.joined(with: hidden))
    #expect(joined.metadata.displayName == ByteText("Impfung"))
    #expect(joined.stored("dose")?.visibility == .hidden)
    // Nothing changed: nothing written.
    #expect(outcome(.set(options), [renamed]).edited?.definition == nil)
    options.description = ByteText("x")
    let described = try result(.set(options), [renamed])
    options.description = ByteText("")
    #expect(try result(.set(options), [described]).metadata.description == nil)
    options.displayName = ByteText("")
    options.iconSystemName = Self.text(501)
    options.description = Self.text(10_001)
    #expect(
      outcome(.set(options), [here]).refused == [
        "schema-limit@/displayName", "schema-limit@/iconSystemName", "schema-limit@/description",
      ])
  }

  // MARK: Fields

  @Test("a new field comes last, with the defaults of import and stamps of its own")
  func addField() throws {
    let here = definition([field("dose", order: 4)])
    let id = hashed("random")
    let (edited, _) = outcome(.addField(.id(id), .int, Self.options { _ in }), [here])
    let made = try #require(edited?.definition)
    #expect(edited?.field == id && edited?.change == Schema.Change("add-field", .manual))
    let added = try #require(made.stored("random", .int))
    var wanted = SchemaField(FieldPair(id, .int), displayName: ByteText(id.text))
    wanted.displayOrder = 5
    wanted.created = FieldStamp(by: iPhone, at: second(100))
    wanted.updated = wanted.created
    #expect(added == wanted)
    #expect(added.capitalization == .sentences && added.visibility == .active)
    #expect(made.keys == [] && made.version == SchemaVersion(second(100), iPhone, 2))
    let first = try result(.addField(.id(id), .int, Self.options { _ in }), [definition()])
    #expect(first.fields[0].displayOrder == 1)
    let placed = try result(
      .addField(.id(id), .int, Self.options { $0.displayOrder = -3 }), [here])
    #expect(placed.fields.map(\.displayOrder) == [-3, 4])
    // After the greatest integer that JSON holds comes no greater one.
    let last = definition([field("dose", order: 9_007_199_254_740_991)])
    let after = try result(.addField(.id(id), .int, Self.options { _ in }), [last])
    #expect(after.fields.map(\.displayOrder) == [9_007_199_254_740_991, 9_007_199_254_740_991])
  }

  @Test("a text for an id becomes a key, and the id that it stands for in the schema")
  func keys() throws {
    #expect(NewFieldID(ByteText(iPad.text.uppercased())) == .id(iPad))
    let key = NewFieldID(ByteText("impact"))
    let made = try result(.addField(key, .int, Self.options { _ in }), [definition()])
    #expect(made.keys == [ByteText("impact")])
    #expect(made.fields.map(\.pair) == [FieldPair(hashed("vaccine:impact"), .int)])
    #expect(made.fields[0].displayName == ByteText("impact"))
    // Another type is another field; the same again is refused, whatever name of it is given.
    let two = try result(.addField(key, .string, Self.options { _ in }), [made])
    #expect(two.fields.count == 2 && two.keys.count == 1)
    for again in [key, .id(hashed("impact")), .id(hashed("vaccine:impact"))] {
      #expect(
        outcome(.addField(again, .int, Self.options { _ in }), [made]).refused
          == ["schema-field-duplicate@/fields/-"])
    }
    // A field under another name of a key that is new to the schema is that field.
    #expect(
      outcome(
        .addField(key, .string, Self.options { _ in }), [definition([field("impact")])]
      ).refused == ["schema-field-duplicate@/fields/-"])
    // Keys of the app are known without being listed.
    let known = try result(
      .addField(NewFieldID(ByteText("notes")), .string, Self.options { _ in }), [definition()])
    #expect(known.keys == [] && known.fields[0].pair.id == hashed("vaccine:notes"))
    let fixed = uuid("00000001-0001-0007-0000-000000000000")
    let other = try result(
      .addField(.id(fixed), .string, Self.options { _ in }), [definition()])
    #expect(other.fields[0].pair.id == hashed("vaccine:notes"))
    for key in ["", String(repeating: "k", count: 201)] {
      #expect(
        outcome(.addField(.key(ByteText(key)), .int, Self.options { _ in }), [definition()]).refused
          == ["schema-key-form@/keys/-"])
    }
    // The id of a twin names its type for ever.
    let twin = try #require(SchemaView(two).fields.first { $0.pair.id != hashed("vaccine:impact") })
    #expect(
      outcome(.addField(.id(twin.pair.id), .bool, Self.options { _ in }), [two]).refused
        == ["schema-field-duplicate@/fields/-"])
  }

  @Test("all members of a field are set, and those that may be absent are taken away")
  func setField() throws {
    let here = definition([field("dose"), field("lot", order: 2)])
    let set = Self.options {
      $0.displayName = ByteText("Dose")
      $0.isRequired = true
      $0.displayOrder = 9
      $0.placeholder = ByteText("1")
      $0.helpText = ByteText("how many")
      $0.isMultiline = true
      $0.capitalization = .words
      $0.type = .string
      $0.rules = [
        "minLength=1", "maxValue=1.50", "minDate=2026-01-02", "maxDate=2026-01-02T12:00:00+02:00",
        "pattern=^a=b\"$",
      ].map { ByteText($0) }
    }
    let made = try result(.setField(ByteText("dose"), set), [here])
    let after = try #require(made.stored("dose"))
    #expect(
      String(
        decoding: {
          var bytes: [UInt8] = []; after.append(to: &bytes); return bytes
        }(), as: UTF8.self)
          == """
          {"capitalizationMode":"words","createdAt":"2026-01-02T10:00:00.000Z",\
          "createdBy":"aaaaaaaa-0000-4000-8000-000000000001","displayName":"Dose","displayOrder":9,\
          "fieldType":"string","helpText":"how many","id":"\(hashed("dose").text)","isMultiline":true,\
          "isRequired":true,"placeholder":"1","updatedAt":"2026-01-02T10:01:40.000Z",\
          "updatedBy":"bbbbbbbb-0000-4000-8000-000000000002","validationRules":[\
          {"type":"minLength","value":1},{"type":"maxValue","value":1.5},\
          {"type":"minDate","value":"2026-01-02T00:00:00.000Z"},\
          {"type":"maxDate","value":"2026-01-02T10:00:00.000Z"},\
          {"type":"pattern","value":"^a=b\\"$"}],"visibility":"active"}
          """)
    #expect(made.stored("lot") == here.stored("lot"))
    let less = Self.options {
      $0.placeholder = ByteText("")
      $0.rules = ["minLength=2", "minLength=3", "maxValue=", "pattern="].map { ByteText($0) }
    }
    let fewer = try result(.setField(ByteText("Dose"), less), [made])
    #expect(fewer.stored("dose")?.placeholder == nil)
    #expect(
      fewer.stored("dose")?.rules.map { "\($0.kind) \(String(decoding: $0.value, as: UTF8.self))" }
        == [
          "minDate \"2026-01-02T00:00:00.000Z\"", "maxDate \"2026-01-02T10:00:00.000Z\"",
          "minLength 2", "minLength 3",
        ])
    let none = try result(
      .setField(ByteText("Dose"), Self.options { $0.dropsRules = true }), [fewer])
    #expect(none.stored("dose")?.rules == [])
    #expect(outcome(.setField(ByteText("Dose"), less), [here]).refused == ["unknown Dose"])
    #expect(
      outcome(.setField(ByteText("Dose"), Self.options { $0.isRequired = true }), [made])
        .edited?.definition == nil)
  }

  @Test("types and provenance are not set, and rules have their form")
  func setRefused() {
    let here = definition([field("dose"), field("lot", .int, order: 2)])
    let cases: [([String], (inout FieldOptions) -> Void)] = [
      (["schema-type-changed@/fields/1/fieldType"], { $0.type = .string }),
      (
        ["schema-provenance@/fields/1/createdBy", "schema-provenance@/fields/1/updatedAt"],
        { $0.provenance = [.createdBy, .updatedAt] }
      ),
      (["schema-limit@/fields/1/displayName"], { $0.displayName = Self.text(501) }),
      (["schema-limit@/fields/1/displayName"], { $0.displayName = ByteText("") }),
      (["schema-limit@/fields/1/helpText"], { $0.helpText = Self.text(10_001) }),
      (["schema-limit@/fields/1/placeholder"], { $0.placeholder = Self.text(10_001) }),
      (
        ["schema-field-form@/fields/1/displayOrder"],
        { $0.displayOrder = 9_007_199_254_740_992 }
      ),
      (
        ["schema-limit@/fields/1/validationRules"],
        { $0.rules = [ByteText("pattern=" + String(repeating: "a", count: 501))] }
      ),
      (
        ["schema-limit@/fields/1/validationRules"],
        { $0.rules = (0..<51).map { ByteText("minLength=\($0)") } }
      ),
    ]
    for (refused, body) in cases {
      let (edited, found) = outcome(.setField(ByteText("lot"), Self.options(body)), [here])
      #expect(edited == nil && found == refused)
    }
    for rule in [
      "minLength", "size=1", "minLength=1.5", "minLength=\"1\"", "minLength=x", "maxValue=true",
      "minDate=1", "minDate=2026-02-30", "minDate=2026-01-02 10:00",
      "maxDate=0001-01-01T00:00:00+01:00",
    ] {
      let set = Self.options { $0.rules = [ByteText(rule)] }
      #expect(
        outcome(.setField(ByteText("lot"), set), [here]).refused
          == ["schema-rule-form@/fields/1/validationRules"], "\(rule)")
    }
  }

  @Test("what is just within the limits is taken, and what others wrote beyond them stays editable")
  func limits() throws {
    let most = Self.options {
      $0.displayName = Self.text(500)
      $0.helpText = Self.text(10_000)
      $0.displayOrder = -9_007_199_254_740_991
      $0.rules =
        (0..<49).map { ByteText("minLength=\($0)") }
        + [ByteText("pattern=" + String(repeating: "a", count: 500))]
    }
    let here = definition([field("dose")])
    #expect(try result(.setField(ByteText("dose"), most), [here]).stored("dose")?.rules.count == 50)
    let big = definition([
      field("dose") {
        $0.displayName = Self.text(2000)
        $0.rules = Array(repeating: ValidationRule(.minLength, Array("1".utf8)), count: 60)
      }
    ])
    #expect(try result(.show(ByteText("dose"), .hidden), [big]).fields[0].rules.count == 60)
    let demanded = Self.options {
      $0.isRequired = true
      $0.rules = [ByteText("maxLength=3"), ByteText("maxLength=")]
    }
    #expect(
      try result(.setField(ByteText("dose"), demanded), [big]).fields[0].rules
        == big.fields[0].rules)
    let more = Self.options { $0.rules = [ByteText("maxLength=3")] }
    #expect(
      outcome(.setField(ByteText("dose"), more), [big]).refused
        == ["schema-limit@/fields/0/validationRules"])
    let many = definition((0..<1000).map { field("\($0)") })
    let add = SchemaRequest.addField(.id(hashed("new")), .int, Self.options { _ in })
    #expect(outcome(add, [many]).refused == ["schema-limit@/fields/-"])
    #expect(try result(.rename(ByteText("7"), to: ByteText("x")), [many]).fields.count == 1000)
    let keys = definition(keys: (0..<1000).map { "k\($0)" })
    let key = SchemaRequest.addField(.key(ByteText("new")), .int, Self.options { _ in })
    #expect(outcome(key, [keys]).refused == ["schema-limit@/keys/-"])
    let known = SchemaRequest.addField(.key(ByteText("k7")), .int, Self.options { _ in })
    #expect(try result(known, [keys]).keys.count == 1000)
  }

  @Test("a definition above a mebibyte is not edited")
  func size() throws {
    let parts = (0..<2).map { part in
      definition(
        (0..<60).map { number in
          field("\(part) \(number)") { $0.helpText = Self.text(9000) }
        })
    }
    #expect(outcome(.merge([]), parts).refused == ["schema-size@"])
    #expect(
      outcome(.show(ByteText("0 7"), .hidden), parts).refused == ["schema-size@"])
    #expect(try result(.show(ByteText("0 7"), .hidden), [parts[0]]).fields.count == 60)
  }

  @Test("visibility, and values that are shown elsewhere")
  func visibility() throws {
    let here = definition([
      field("a"), field("b", order: 2), field("n", .int, order: 3),
    ])
    for visibility in [FieldVisibility.hidden, .deprecated] {
      let made = try result(.show(ByteText("a"), visibility), [here])
      #expect(made.stored("a")?.visibility == visibility)
      #expect(try result(.show(ByteText("a"), .active), [made]).stored("a")?.visibility == .active)
    }
    let merged = try result(.mergeFields(source: ByteText("a"), target: ByteText("b")), [here])
    #expect(merged.stored("a")?.mergedInto == hashed("b") && merged.stored("b") == here.stored("b"))
    #expect(merged.stored("a")?.visibility == .active)
    let split = try result(.splitField(ByteText(hashed("a").text)), [merged])
    #expect(split.stored("a")?.mergedInto == nil)
    func refused(_ source: String, _ target: String) -> [String] {
      outcome(
        .mergeFields(source: ByteText(hashed(source).text), target: ByteText(hashed(target).text)),
        [merged]
      ).refused
    }
    #expect(refused("a", "n") == ["schema-type-changed@/fields/0/mergedInto"])
    #expect(refused("a", "a") == ["schema-merged-circle@/fields/0/mergedInto"])
    #expect(refused("b", "a") == ["schema-merged-circle@/fields/1/mergedInto"])
    #expect(refused("b", "z") == ["unknown \(hashed("z").text)"])
  }

  @Test("a field is looked up as records name it, else by a name, else by digits")
  func lookUp() {
    let id = hashed("vaccine:impact")
    let here = definition(
      [
        SchemaField(FieldPair(id, .string), displayName: ByteText("Impact")),
        field("x", name: "Notes"), field("y", name: "Notes", order: 2),
        field("z", name: "Lot", order: 3),
        field("h", name: "Lot", order: 4) { $0.visibility = .hidden },
        field("m", name: "Lot", order: 5) { $0.mergedInto = hashed("z") },
      ], keys: ["impact"])
    let view = SchemaView(here)
    func find(_ text: String) -> SchemaLookup { view.lookUp(ByteText(text)) }
    for name in [
      "impact", "Impact", id.text.uppercased(), hashed("impact").text, String(id.text.prefix(4)),
      String(id.text.prefix(11)).uppercased(), "vaccine:impact",
    ] {
      #expect(find(name) == .found(id), "\(name)")
    }
    #expect(find("Notes") == .ambiguous([hashed("x"), hashed("y")]))
    #expect(find("Lot") == .found(hashed("z")))
    #expect(find("lot") == .none)
    #expect(find(String(id.text.prefix(3))) == .none)
    #expect(find("") == .none)
    #expect(find("zzzz") == .none)
    let near = definition([
      SchemaField(
        FieldPair(uuid("abcdef00-0000-4000-8000-000000000001"), .string), displayName: ByteText("1")
      ),
      SchemaField(
        FieldPair(uuid("abcdef00-0000-4000-8000-000000000002"), .string), displayName: ByteText("2")
      ),
    ])
    #expect(
      outcome(.splitField(ByteText("ABCDEF")), [near]).refused == [
        "ambiguous ABCDEF", "abcdef00-0000-4000-8000-000000000001",
        "abcdef00-0000-4000-8000-000000000002",
      ])
  }

  // MARK: Heads

  /// Two heads that edited one field, and added one each.
  private static let forked = [
    definition(
      [field("dose", name: "Dose", at: 5), field("a", order: 2)], at: 5, counter: 4),
    definition(
      [field("dose", name: "Amount", by: iPhone, at: 7), field("b", order: 3)], by: iPhone, at: 7,
      counter: 2),
  ]

  @Test("an automatic merge is the join and nothing else")
  func automatic() throws {
    let (edited, _) = outcome(.merge([]), Self.forked)
    #expect(edited?.definition == SchemaDefinition.join(Self.forked))
    #expect(edited?.change == Schema.Change("merge", .automatic))
    #expect(places(edited?.warnings ?? []) == ["schema-field-diverged@/fields/0"])
    #expect(outcome(.merge([]), [Self.forked[0]]).edited?.definition == nil)
  }

  @Test("of more than 64 heads the first 64 are joined")
  func manyHeads() throws {
    var heads: [Schema] = []
    for number in 0..<65 {
      let parents = number == 0 ? [try schemaObject(definition())] : []
      heads.append(try schemaObject(definition([field("\(number)")]), after: parents))
    }
    let first = try #require(SchemaDefinition.nextToMerge(heads))
    // The one with the greatest logical time is left.
    #expect(Set(first.map(\.id)) == Set(heads.dropFirst().map(\.id)))
    #expect(zip(first, first.dropFirst()).allSatisfy { $0.id < $1.id })
    #expect(SchemaDefinition.nextToMerge(first) == nil)
  }

  @Test("a choice among heads is an edit, also of what counts already")
  func pick() throws {
    for (head, name) in ["Dose", "Amount"].enumerated() {
      let (edited, _) = outcome(
        .merge([SchemaPick(ByteText("Amount"), fromHead: Self.forked[head])]), Self.forked)
      let made = try #require(edited?.definition)
      let field = try #require(made.stored("dose"))
      #expect(field.displayName == ByteText(name))
      #expect(field.updated == FieldStamp(by: iPhone, at: second(100)))
      #expect(made.version == SchemaVersion(second(100), iPhone, 5))
      #expect(made.stored("a") != nil && made.stored("b") != nil)
      #expect(edited?.warnings == [] && edited?.change == Schema.Change("merge", .manual))
    }
    let lacking = outcome(
      .merge([SchemaPick(ByteText("a"), fromHead: Self.forked[1])]), Self.forked)
    #expect(lacking.refused == ["unknown a"])
    let single = outcome(
      .merge([SchemaPick(ByteText("Dose"), fromHead: Self.forked[0])]), [Self.forked[0]])
    #expect(single.edited != nil && single.edited?.definition == nil)
  }

  @Test("an edit joins the heads, and warns of a field whose other version is lost")
  func joins() throws {
    let (edited, _) = outcome(.show(ByteText("a"), .hidden), Self.forked)
    let made = try #require(edited?.definition)
    #expect(Self.forked.allSatisfy { $0.isContained(in: made) })
    #expect(edited?.warnings.map(\.detail) == ["Amount"])
    // A head that has the field as both had it before has not edited it.
    let old = definition([field("dose", name: "Dose", at: 5)])
    let known = try SchemaRequest.show(ByteText("a"), .hidden).apply(
      to: Self.forked, by: iPhone, now: second(100), base: { _, _ in old })
    #expect(known.warnings == [] && known.definition == made)
  }

  @Test("the clock set back, and its end")
  func clock() throws {
    let late = definition([field("dose", at: 500)], at: 900, counter: 9_007_199_254_740_991)
    let made = try result(.show(ByteText("dose"), .hidden), [late], at: -5)
    #expect(made.version.timestamp.milliseconds == second(900).milliseconds + 1)
    #expect(made.version.counter == 9_007_199_254_740_991)
    #expect(made.fields[0].updated.at.milliseconds == second(500).milliseconds + 1)
    func at(_ time: WallTime, _ fields: [SchemaField]) -> SchemaDefinition {
      SchemaDefinition(
        late.name, late.metadata, isBuiltIn: false, version: SchemaVersion(time, iPad, 1),
        fields: fields, keys: [])
    }
    let hide = SchemaRequest.show(ByteText("dose"), .hidden)
    let ended = at(.latest, [field("dose")])
    #expect(outcome(hide, [ended]).refused == ["schema-clock-range@/version/timestamp"])
    let endless = at(second(0), [field("dose") { $0.updated.at = .latest }])
    #expect(outcome(hide, [endless]).refused == ["schema-clock-range@/fields/0/updatedAt"])
    let near = at(
      SchemaVersion.clockEnd, [field("dose") { $0.updated.at = SchemaVersion.clockEnd }])
    let next = try result(hide, [near])
    #expect(next.version.timestamp.text == "9999-01-01T00:00:00.000Z")
    #expect(next.fields[0].updated.at.text == "9999-01-01T00:00:00.000Z")
    // A clock of the last year is taken for the end of the year before.
    let edited = try SchemaRequest.new(Self.name("v"), SchemaOptions()).apply(
      to: [], by: iPad, now: .latest)
    #expect(edited.definition?.version.timestamp == SchemaVersion.clockEnd)
  }

  // MARK: Import

  @Test("an import is the join with the file; what is here keeps who created it")
  func take() throws {
    let file = definition(
      [
        field("dose", name: "Dosis", by: iPhone, at: 50) {
          $0.created = FieldStamp(by: iPhone, at: second(40))
        },
        field("new", order: 9),
      ], keys: ["k"], by: iPhone, at: 50, counter: 3)
    let (edited, _) = outcome(.import(file, hidesAbsent: false), Self.forked)
    let made = try #require(edited?.definition)
    let dose = try #require(made.stored("dose"))
    #expect(dose.displayName == ByteText("Dosis"))
    #expect(dose.created == FieldStamp(by: iPad, at: second(0)))
    #expect(dose.updated == FieldStamp(by: iPhone, at: second(50)))
    #expect(made.fields.count == 4 && made.keys == [ByteText("k")])
    #expect(made.version == file.version && edited?.change == Schema.Change("import", .import))
    #expect(
      edited?.warnings.filter { $0.rule == .schemaFieldAbsent }.map(\.detail)
        == [hashed("a").text, hashed("b").text])
    // The same file again brings nothing.
    #expect(outcome(.import(file, hidesAbsent: false), [made]).edited?.definition == nil)
    // Into nothing it is what the file says.
    #expect(try result(.import(file, hidesAbsent: true), []) == file)
  }

  @Test("fields that a file lacks are hidden on request, by an edit")
  func hidesAbsent() throws {
    let file = definition([field("dose", name: "Dosis", at: 1)], counter: 30)
    let (edited, _) = outcome(.import(file, hidesAbsent: true), Self.forked)
    let made = try #require(edited?.definition)
    #expect(made.stored("a")?.visibility == .hidden && made.stored("b")?.visibility == .hidden)
    #expect(made.stored("b")?.updated == FieldStamp(by: iPhone, at: second(100)))
    #expect(made.stored("dose")?.displayName == ByteText("Amount"))
    #expect(made.version == SchemaVersion(second(100), iPhone, 31))
    #expect(edited?.warnings.contains { $0.rule == .schemaFieldAbsent } == false)
    // What is hidden already is not told again.
    #expect(outcome(.import(file, hidesAbsent: false), [made]).edited?.warnings == [])
  }

  @Test("what a file may not bring")
  func importRefused() {
    let other = definition(of: "note")
    #expect(
      outcome(.import(other, hidesAbsent: false), Self.forked).refused == ["schema-id-mismatch@/id"]
    )
    #expect(
      outcome(.import(definition(of: "redo.x"), hidesAbsent: false), []).refused
        == ["schema-reserved@/id"])
    let devices = definition([field("d")], of: "redo.devices")
    #expect(outcome(.import(devices, hidesAbsent: false), []).edited?.definition == devices)
    #expect(
      outcome(.rename(ByteText("d"), to: ByteText("x")), [devices]).refused
        == ["schema-reserved@/id"])
    let late = definition([field("dose") { $0.updated.at = .latest }])
    #expect(
      outcome(.import(late, hidesAbsent: false), [definition()]).refused
        == ["schema-clock-range@/fields/0/updatedAt"])
  }

  @Test("what brings two fields of one name is told once")
  func collisions() throws {
    let here = definition([field("x", name: "Notes"), field("y", name: "Lot", order: 2)])
    let (edited, _) = outcome(.rename(ByteText("Lot"), to: ByteText("Notes")), [here])
    #expect(edited?.warnings.map(\.rule) == [.schemaNameCollision])
    #expect(edited?.warnings.first?.detail == "Notes")
    let made = try #require(edited?.definition)
    #expect(outcome(.show(ByteText("x"), .active), [made]).edited?.warnings == [])
    var options = SchemaOptions()
    options.displayName = ByteText("other")
    #expect(outcome(.set(options), [made]).edited?.warnings == [])
  }
}
