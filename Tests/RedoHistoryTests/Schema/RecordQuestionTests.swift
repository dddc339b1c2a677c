// Questions about records by the names of their fields, and values as people type them.

import CanonicalJSON
import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("Questions about records")
struct RecordQuestionTests {
  private static let other = "9c9b1b9e-0000-4000-8000-00000000000a"

  private static func schemas() -> RecordSchemas {
    RecordSchemas([
      schema([
        field("place", .string), field("days", .int, order: 1), field("when", .date, order: 2),
        field("old", .int, order: 3) { $0.visibility = .hidden },
        field(other, .int, order: 4) { $0.displayName = ByteText("days ago") },
      ]),
      schema([field("place", .int, in: "walk")], id: "walk"),
    ])
  }

  /// Whether a condition holds for a task, which may ask for all that it is about.
  private func holds(_ text: String, for task: RecordTask) throws -> Bool {
    let expression = try QueryExpression(text, of: .tasks) { text in
      WallTime.parse(Array("\(text)T00:00:00.000Z".utf8).span).map {
        $0.time...WallTime(milliseconds: $0.time.milliseconds + 86_399_999)
      }
    }
    let questions = try RecordQuestions(expression.recordNames, Self.schemas())
    let replayed = task.replayed
    let item = QueryItem(
      replayed.state, at: WallTime(milliseconds: 0),
      record: questions.values(of: replayed.state) { replayed.writes })
    return expression.holds(for: item)
  }

  @Test(
    "a field is asked for by its name or its id, whichever key it stands under",
    arguments: [
      (#"record."place" = "Rome""#, true), (#"record."place" ~ "om""#, true),
      (#"record."days" > 4 and record."days" <= 5"#, true), (#"record."days" = "5""#, false),
      (#"record."when" = "2026-01-02""#, true), (#"record."when" < "2026-01-02""#, false),
      (#"record."when" > "2026-01-01""#, true), (#"record."when" != "2026-01-02""#, false),
      (#"record."old" = 7"#, true), (#"record."days ago" = null"#, true),
      (#"record.place = "Rome""#, true), (#"record.days > record."old""#, false),
      (#"record."days" ~ "5""#, false),
    ])
  func conditions(_ text: String, _ isTrue: Bool) throws {
    let task = RecordTask(
      #""place":{"type":"string","value":"Rome"},"\#(id("days").uppercased())":5,"old":7,"#
        + #""when":"2026-01-02T10:00:00Z""#)
    #expect(try holds(text, for: task) == isTrue)
    let byID = text.replacing("\"days\"", with: "\"\(id("days"))\"")
    #expect(try holds(byID, for: task) == isTrue)
  }

  @Test("a task of another schema answers by that one, and one that is no record not at all")
  func otherSchemas() throws {
    let walk = RecordTask(#""place":3"#, schema: "walk")
    #expect(try holds(#"record."place" = 3"#, for: walk))
    #expect(try holds(#"record."days" = null"#, for: walk))
    let plain = RecordTask(#""place":3"#, schema: nil)
    #expect(try holds(#"record."place" = null"#, for: plain))
    #expect(try !holds(#"record."place" = 3"#, for: plain))
  }

  @Test("of several keys the one that was written last is asked about")
  func keys() throws {
    var task = RecordTask(#""days":1"#)
    task.update("\"\(id("days"))\":2")
    #expect(try holds(#"record."days" = 2"#, for: task))
    task.update(#""days":3"#)
    #expect(try holds(#"record."days" = 3"#, for: task))
  }

  @Test(
    "a name of several active fields of one schema is refused with their ids, one of none as well")
  func flaws() throws {
    let one = field("a", .int) { $0.displayName = ByteText("Same") }
    let two = field("b", .string, order: 1) { $0.displayName = ByteText("Same") }
    let schemas = RecordSchemas([schema([one, two])])
    #expect(
      throws: RecordQuestions.Flaw.ambiguous(
        ByteText("Same"), in: SchemaDefinition.Name(ByteText("trip")), [one.pair.id, two.pair.id])
    ) { try RecordQuestions([ByteText("Same")], schemas) }
    #expect(throws: RecordQuestions.Flaw.unknown(ByteText("Nobody"))) {
      try RecordQuestions([ByteText("Nobody")], schemas)
    }
    // One that is hidden gives way.
    var hidden = two
    hidden.visibility = .hidden
    _ = try RecordQuestions([ByteText("Same")], RecordSchemas([schema([one, hidden])]))
  }

  // MARK: Typed values

  private func typed(_ words: [(String, String)]) throws -> String {
    let schemas = Self.schemas()
    let name = ByteText("trip")
    let values = try schemas.values(
      typed: words.map { (ByteText($0.0), $0.1) }, name, person: nil)
    return string(
      RecordSchemas.content(schemas.members(creating: values, name, person: nil)))
  }

  @Test("what people type becomes typed values under ids")
  func typing() throws {
    #expect(
      try typed([("place", "Rome"), ("days", "5"), ("when", "2026-01-02")])
        == string(
          RecordSchemas.content([
            (name: Array("schemaId".utf8), value: Array("\"trip\"".utf8)),
            (
              name: Array(id("place").utf8),
              value: Array(#"{"type":"string","value":"Rome"}"#.utf8)
            ), (name: Array(id("days").utf8), value: Array(#"{"type":"int","value":5}"#.utf8)),
            (
              name: Array(id("when").utf8),
              value: Array(#"{"type":"date","value":"2026-01-02T00:00:00.000Z"}"#.utf8)
            ),
          ])))
    #expect(try typed([("place", "")]) == #"{"schemaId":"trip"}"#)
    #expect(throws: SchemaFault.fieldUnknown(ByteText("nobody"))) { try typed([("nobody", "1")]) }
    for (name, text) in [("days", "5.5"), ("days", "five"), ("when", "soon")] {
      #expect(throws: SchemaFault.self) { try typed([(name, text)]) }
    }
    #expect(throws: SchemaFault.self) { try typed([("days", "1"), ("days", "2")]) }
    #expect(throws: SchemaFault.absent) {
      try Self.schemas().values(typed: [], ByteText("other"), person: nil)
    }
  }

  @Test("a path of the state leads to the name of a field, whatever its key has in it")
  func paths() throws {
    let schemas = RecordSchemas([schema([field("a/b~c", .int)])])
    let task = RecordTask(#""a/b~c":1"#)
    let names = try #require(RecordNames(task.state, schemas))
    #expect(names.name(at: Array("/fields/a~1b~0c".utf8), nil)?.text.text == "a/b~c")
    #expect(names.name(at: Array("/fields/a~0b~1c".utf8), nil) == nil)
    #expect(names.name(at: Array("/title".utf8), nil) == nil)
    let typed = Array(#"{"type":"int","value":1}"#.utf8)
    #expect(string(names.value(of: Array("a/b~c".utf8), typed)) == "1")
  }
}
