// What `redo schema check` finds, which definitions fit which records, and what is different between two of them.

import CanonicalJSON
import RedoObject
import Testing

@Suite("Checks and differences of schemas")
struct SchemaCheckTests {
  private func name(_ id: UniqueID) -> String {
    id == iPad ? "iPad" : id == iPhone ? "iPhone" : "mac"
  }

  /// The rows of a check: rule, fields by the words of some ids, text.
  private func rows(
    _ heads: [SchemaDefinition], counts: [UniqueID: Int] = [:],
    base: (Int, Int) -> SchemaDefinition? = { _, _ in nil }
  ) -> [[String]] {
    SchemaCheck(heads, deviceName: name).problems(counts: counts, base: base).map {
      $0.columns(of: SchemaDefinition.Name(ByteText("vaccine")))
    }
  }

  private func made(_ by: UniqueID) -> (inout SchemaField) -> Void { { $0.created.by = by } }

  @Test("each pair of active fields of one name, and where they come from")
  func collisions() {
    let fields = [
      field("a", name: "Notes", order: 1), field("b", name: "Notes", order: 2, made(iPhone)),
      field("c", name: "Notes", order: 3),
      field("h", name: "Notes", order: 4) { $0.visibility = .hidden },
      field("m", name: "Notes", order: 5) { $0.mergedInto = hashed("a") },
      field("n", name: "notes", order: 6),
      field("z", name: "Lot", order: 7) { $0.created = .none },
      field("y", name: "Lot", order: 8) { $0.created.by = .zero },
    ]
    func row(_ one: String, _ other: String, _ text: String) -> [String] {
      ["schema-name-collision", "vaccine", hashed(one).text, hashed(other).text, text]
    }
    #expect(
      rows([definition(fields)]) == [
        row("z", "y", "two fields named 'Lot' (built in and from an unknown device)"),
        row("a", "b", "two fields named 'Notes' (from iPad and iPhone)"),
        row("a", "c", "two fields named 'Notes' (both from iPad)"),
        row("b", "c", "two fields named 'Notes' (from iPhone and iPad)"),
      ])
    let found = SchemaCheck([definition(fields)], deviceName: name).problems()
    #expect(found.allSatisfy { $0.hint == "'rename' one of them, or 'merge-fields'" })
    // A schema cannot make rows without end.
    let hundred = (0..<100).map { field("\($0)", name: "Notes") }
    #expect(rows([definition(hundred)]).count == 4950)
    #expect(rows([definition(hundred + [field("x", name: "Notes")])]).count == 100)
  }

  @Test("twins, circles, and values of deprecated fields")
  func fields() {
    let here = definition([
      field("t", .int, name: "Impact") { $0.created.at = second(1) },
      field("t", name: "Zone"),
      field("a", order: 2) { $0.mergedInto = hashed("b") },
      field("b", order: 3) { $0.mergedInto = hashed("c") },
      field("c", order: 4) { $0.mergedInto = hashed("b") },
      field("s", order: 5) { $0.mergedInto = hashed("s") },
      field("v", .int, order: 6) { $0.mergedInto = hashed("b") },
      field("d", order: 7) { $0.visibility = .deprecated },
      field("e", order: 8) { $0.visibility = .deprecated },
      field("f", order: 9),
    ])
    let derived = hashed("\(hashed("t").text):int")
    let (least, most) = hashed("b") < hashed("c") ? ("b", "c") : ("c", "b")
    let circle = "'b', 'c' are merged into each other"
    #expect(
      rows([here], counts: [hashed("d"): 1, hashed("e"): 0, hashed("f"): 7]) == [
        [
          "schema-twins", "vaccine", hashed("t").text, derived.text,
          "'Zone' (string) and 'Impact' (int) have one id",
        ],
        ["schema-merged-circle", "vaccine", hashed(least).text, hashed(most).text, circle],
        ["schema-merged-circle", "vaccine", hashed("s").text, "-", "'s' is merged into itself"],
        [
          "schema-deprecated-data", "vaccine", hashed("d").text, "-",
          "1 record has a value of the deprecated field 'd'",
        ],
      ])
    #expect(
      rows([here], counts: [hashed("e"): 12]).last?.last
        == "12 records have values of the deprecated field 'e'")
    #expect(rows([definition([field("a"), field("b", order: 2)])]) == [])
  }

  @Test("edits that are lost, and fields that were created twice")
  func heads() {
    let base = definition([field("a"), field("b", order: 2), field("c", order: 3)])
    let one = definition(
      [
        field("a", name: "A1", at: 1), field("b", name: "B1", order: 2, at: 1),
        field("c", order: 3), field("k", order: 4),
      ], at: 1)
    let other = definition(
      [
        field("a", name: "A2", by: iPhone, at: 2), field("b", order: 2),
        field("c", order: 3, by: iPhone, at: 5),
        field("k", order: 4, by: iPhone, at: 2) { $0.created.by = iPhone },
      ], by: iPhone, at: 2)
    let lost = [
      "schema-field-diverged", "vaccine", hashed("a").text, "-",
      "of the edits of 'A2' that of iPhone counts, not that of iPad",
    ]
    let twice = [
      "schema-provenance-diverged", "vaccine", hashed("k").text, "-",
      "'k' was created by iPhone and by iPad",
    ]
    // Nobody knows whether the second head has seen the first name of 'b'.
    let unknown = [
      "schema-field-diverged", "vaccine", hashed("b").text, "-",
      "of the edits of 'B1' that of iPad counts, not that of iPad",
    ]
    #expect(rows([one, other]) == [lost, unknown, twice])
    #expect(rows([one, other]) { _, _ in base } == [lost, twice])
    #expect(rows([one]) == [] && rows([one, one]) == [])
  }

  // MARK: Compatibility

  private func compat(
    _ old: [SchemaField], _ new: [SchemaField], _ mode: SchemaCompatibility.Mode
  ) -> [String] {
    SchemaCompatibility.problems(old: definition(old), new: definition(new), mode: mode)
      .map(\.rule.id)
  }

  /// What a pair of definitions comes to: both directions, backward only, forward only.
  private func expect(
    _ old: [SchemaField], _ new: [SchemaField], both: [String] = [], backward: [String] = [],
    forward: [String] = [], told: [String] = [], _ line: SourceLocation = #_sourceLocation
  ) {
    #expect(
      compat(old, new, .backward).sorted() == (both + backward + told).sorted(),
      sourceLocation: line)
    #expect(
      compat(old, new, .forward).sorted() == (both + forward + told).sorted(), sourceLocation: line)
    #expect(
      compat(old, new, .full).sorted() == (both + backward + forward + told).sorted(),
      sourceLocation: line)
  }

  @Test("fields that are lost, retyped, added, required")
  func compatibilityOfFields() {
    let plain = field("a")
    let demanded = field("a") { $0.isRequired = true }
    let hidden = field("a") { ($0.isRequired, $0.visibility) = (true, .hidden) }
    let deprecated = field("a") { ($0.isRequired, $0.visibility) = (true, .deprecated) }
    expect([plain], [plain])
    expect([plain], [], both: ["compat-field-lost"])
    expect([plain], [field("a", .int)], both: ["compat-type"], told: ["compat-added"])
    expect([], [plain], told: ["compat-added"])
    expect([], [demanded], backward: ["compat-required"], told: ["compat-added"])
    expect([], [hidden], told: ["compat-added"])
    expect([plain], [demanded], backward: ["compat-required"])
    expect([demanded], [plain], forward: ["compat-optional"])
    expect([demanded], [hidden], forward: ["compat-required-hidden"], told: ["compat-hidden"])
    expect(
      [demanded], [deprecated], forward: ["compat-required-hidden"], told: ["compat-deprecated"])
    expect([hidden], [demanded], backward: ["compat-required"], told: ["compat-restored"])
    let target = field("b", order: 2)
    let merged = field("a") { ($0.isRequired, $0.mergedInto) = (true, hashed("b")) }
    expect(
      [demanded, target], [merged, target], forward: ["compat-required-hidden"],
      told: ["compat-hidden"])
    expect([plain], [field("a", name: "A")], told: ["compat-renamed"])
    expect(
      [plain], [field("a", order: 7) { $0.placeholder = ByteText("x") }], told: ["compat-text"])
    // Who changed it when says nothing of records.
    expect([plain], [field("a", by: iPhone, at: 9)])
    // A field is the same under another name of its key.
    let (old, new) = (
      definition([field("impact")]),
      definition([field("vaccine:impact", name: "impact")], keys: ["impact"])
    )
    #expect(SchemaCompatibility.problems(old: old, new: new, mode: .full) == [])
    let renamed = SchemaCompatibility.problems(
      old: definition(), new: definition(name: "Shot"))
    #expect(renamed.map(\.rule) == [.compatRenamed] && renamed[0].field == nil)
  }

  @Test("rules that are tighter or looser, of the types for which they are checked")
  func compatibilityOfRules() {
    func rules(_ type: FieldType, _ rules: String...) -> [SchemaField] {
      [
        field("a", type) {
          $0.rules = rules.map { text in
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            return ValidationRule(
              ValidationRule.Kind(rawValue: parts[0]) ?? .pattern, Array(parts[1].utf8))
          }
        }
      ]
    }
    func tighter(_ old: [SchemaField], _ new: [SchemaField]) {
      expect(old, new, backward: ["compat-rule-tighter"])
      expect(new, old, forward: ["compat-rule-looser"])
    }
    tighter(rules(.string), rules(.string, "minLength=1"))
    tighter(rules(.string, "minLength=9"), rules(.string, "minLength=10"))
    tighter(rules(.string, "maxLength=10"), rules(.string, "maxLength=9"))
    tighter(rules(.int, "minValue=-1"), rules(.int, "minValue=0"))
    tighter(rules(.double, "maxValue=1.5"), rules(.double, "maxValue=1"))
    tighter(
      rules(.date, "minDate=\"2026-01-02T10:00:00.000Z\""),
      rules(.date, "minDate=\"2026-01-02T10:00:00.001Z\""))
    tighter(rules(.string), rules(.string, "pattern=\"a\""))
    tighter(rules(.string, "pattern=\"a\""), rules(.string, "pattern=\"b\"", "pattern=\"a\""))
    expect(
      rules(.string, "pattern=\"a\""), rules(.string, "pattern=\"b\""), both: ["compat-pattern"])
    // Of several rules of a type the strictest counts.
    expect(rules(.string, "minLength=1", "minLength=5"), rules(.string, "minLength=5"))
    expect(rules(.string, "maxLength=5"), rules(.string, "maxLength=5", "maxLength=7"))
    expect(rules(.int), rules(.int, "minLength=1"), told: ["compat-text"])
    expect(rules(.bool), rules(.bool, "pattern=\"a\""), told: ["compat-text"])
    let text = SchemaCompatibility.problems(
      old: definition(rules(.string, "minLength=1")), new: definition(rules(.string, "minLength=2"))
    )
    #expect(text.map(\.text) == ["'a' had minLength 1 and has 2"])
  }

  // MARK: Differences

  @Test("differences, row by row")
  func differences() {
    let old = definition(
      [
        field("a", name: "Dose") { $0.rules = [ValidationRule(.minLength, Array("1".utf8))] },
        field("b", order: 2), field("gone", order: 3),
      ], keys: ["k"])
    let new = definition(
      [
        field("a", name: "Amount", by: iPhone, at: 4) {
          $0.rules = [ValidationRule(.minLength, Array("2".utf8))]
          $0.helpText = ByteText("x")
          $0.visibility = .deprecated
        },
        field("b", order: 2, at: 9) { $0.visibility = .hidden }, field("new", .int, order: 4),
      ], keys: ["l"], name: "Shot", at: 9)
    let (a, b) = (hashed("a").text, hashed("b").text)
    let rows = SchemaDifference.between(old, new).map(\.columns)
    #expect(
      rows.dropLast(2) == [
        ["renamed", "-", "displayName", "\"Vaccine\"", "\"Shot\""],
        ["key-removed", "-", "keys", "\"k\"", "-"],
        ["key-added", "-", "keys", "-", "\"l\""],
        ["renamed", a, "displayName", "\"Dose\"", "\"Amount\""],
        ["changed", a, "helpText", "-", "\"x\""],
        ["deprecated", a, "visibility", "\"active\"", "\"deprecated\""],
        ["rule-removed", a, "validationRules", "{\"type\":\"minLength\",\"value\":1}", "-"],
        ["rule-added", a, "validationRules", "-", "{\"type\":\"minLength\",\"value\":2}"],
        ["hidden", b, "visibility", "\"active\"", "\"hidden\""],
      ])
    #expect(
      rows.suffix(2).map { $0.prefix(3) } == [
        ["removed", hashed("gone").text, "-"], ["added", hashed("new").text, "-"],
      ])
    #expect(SchemaDifference.between(old, old) == [])
    var json: [UInt8] = []
    SchemaDifference.between(new, old).first { $0.change == .restored }?.appendJSON(to: &json)
    #expect(
      String(decoding: json, as: UTF8.self) == """
        {"change":"restored","displayName":"Dose","field":"\(a)","fieldType":"string",\
        "member":"visibility","new":"active","old":"deprecated"}
        """)
  }
}
