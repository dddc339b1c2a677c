// Messages about revisions, histories and points that are refused: words, exit status, and kind of error.

import RedoHistory
import RedoObject
@testable import RedoRepository
@testable import RedoShell
import RedoStore
import Testing

@Suite("Words: history")
struct FaultWordsHistoryTests {
  private static let id = StoredObject(blob: [1]).id
  private static let other = StoredObject(blob: [2]).id

  private func expect(
    _ fault: any WordedFault, _ message: String, hints: [String] = [], says: String? = nil,
    _ code: RedoError.Code, _ subject: String?, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = CommandError(fault)
    #expect(error == .fatal(message, hints: hints, code: says), sourceLocation: sourceLocation)
    #expect(error.ending == .exit(.fatal), sourceLocation: sourceLocation)
    #expect(RedoError(fault).code == code, sourceLocation: sourceLocation)
    #expect(RedoError(fault).subject == subject, sourceLocation: sourceLocation)
  }

  @Test("revisions that break the grammar")
  func malformed() {
    expect(
      RevisionFault.malformed("~1", .unnamed), "not a valid revision '~1': it names nothing",
      .malformed, "~1")
    expect(
      RevisionFault.malformed("a~x", .noStep("x")),
      "not a valid revision 'a~x': 'x' stands where '~' or '^' may stand", .malformed, "a~x")
    expect(
      RevisionFault.malformed("a@{b}", .malformedPast("b")),
      "not a valid revision 'a@{b}': 'b' is neither a number nor an instant",
      hints: [Moment.forms], .malformed, "a@{b}")
    expect(RevisionFault.lonelyCaret, "'^' has no revision after it", .malformed, "^")
    expect(
      RevisionFault.openRange("a.."), "the range 'a..' lacks an end",
      hints: ["a store has no current branch that could stand for it"], .malformed, "a..")
    expect(
      RevisionFault.malformedName("xyz"), "not a valid object name 'xyz'", .malformed, "xyz")
  }

  @Test("ancestors and pasts that there are not: one, and several")
  func counted() throws {
    let name = try #require(RefName("tags/a"))
    for (count, plural) in [(0, "s"), (1, ""), (2, "s")] {
      expect(
        RevisionFault.noParent(revision: "a^3", of: Self.id, parents: count),
        "'a^3' names nothing: '\(Self.id.text)' has \(count) parent\(plural)", .missing, "a^3")
      expect(
        RevisionFault.noAncestor(revision: "a~3", of: Self.id, ancestors: count),
        "'a~3' names nothing: '\(Self.id.text)' has only \(count) first ancestor\(plural)",
        .missing, "a~3")
      expect(
        RevisionFault.fewChanges(name, count: count),
        "the log of 'tags/a' has only \(count) change\(plural)", .missing, "tags/a")
    }
    expect(
      RevisionFault.absentThen(name, .instant(try #require(Moment(milliseconds: 0)))),
      "'tags/a' did not exist at 1970-01-01T00:00:00.000Z", .missing, "tags/a")
    expect(
      RevisionFault.absentThen(name, .revision("a@{1}")), "'tags/a' did not exist at 'a@{1}'",
      .missing, "tags/a")
  }

  @Test("an ambiguous name comes with its candidates, twenty at most")
  func ambiguous() throws {
    let store = try TemporaryStore()
    let objects = try store.open().objects
    let both = ObjectCandidates([Self.id, Self.other], objects)
    expect(
      RevisionFault.ambiguous("abcd", refs: RefCandidates([]), objects: both),
      "short id 'abcd' is ambiguous",
      hints: ["the candidates are", "  \(Self.id.text)", "  \(Self.other.text)"], .invalid, "abcd")
    expect(
      RevisionFault.severalObjects("a", both), "'a' stands for 2 objects",
      hints: ["the candidates are", "  \(Self.id.text)", "  \(Self.other.text)"], .invalid, "a")
    let names = try (0..<21).map { try #require(RefName("tags/\($0)")) }
    expect(
      RevisionFault.ambiguous(
        "a", refs: RefCandidates(names), objects: ObjectCandidates([Self.id], objects)),
      "name 'a' is ambiguous",
      hints: ["the candidates are"] + names.prefix(20).map { "  \($0.text)" }
        + ["  and more", "  \(Self.id.text)"], .invalid, "a")
    let many = ObjectCandidates([ObjectID](repeating: Self.id, count: 22), objects)
    #expect(
      CommandError(RevisionFault.severalObjects("a", many)).hints.last == "  and 2 more")
  }

  @Test("objects of a history that are no nodes")
  func objects() {
    expect(
      HistoryFault.missing(Self.id), "object '\(Self.id.text)' is missing",
      hints: [
        "'redo verify --repair-from=<source>' takes a good copy from another store, or a backup"
      ], says: "STORAGE_004", .missing, Self.id.text)
    expect(
      HistoryFault.kind(Self.id, .blob), "object '\(Self.id.text)' is a blob, not a node", .invalid,
      Self.id.text)
    expect(
      HistoryFault.invalid(Self.id, .node, nil), "object '\(Self.id.text)' is no valid node",
      .invalid, Self.id.text)
    let finding = Finding(.cborFloat, at: .offset(58))
    expect(
      HistoryFault.invalid(Self.id, .receipt, finding),
      "object '\(Self.id.text)' is no valid receipt: \(Diagnosis.text(finding))", .invalid,
      Self.id.text)
  }

  @Test("points in time")
  func points() {
    expect(
      PointFault.malformed("x"), "not a point in time: 'x'",
      hints: [Moment.forms, "or 'sha256:<id>', or 'lamport:<n>'"], .malformed, "x")
    expect(
      PointFault.empty("2020", .state), "no node precedes '2020'",
      hints: ["'--allow-empty' takes it for an empty state"], .missing, "2020")
    expect(PointFault.empty("2020", nil), "no node precedes '2020'", .missing, "2020")
    expect(
      PointFault.outside("ab"), "node 'ab' is not in the history", .missing, "ab")
  }

  @Test("which point was used")
  func used() {
    let point = UsedPoint(
      text: "lamport:3", counted: 2, total: 5, policy: nil, differences: [])
    #expect(MessageStream.lines(of: .point(point)) == ["as of lamport:3: 2 of 5 nodes"])
  }
}
