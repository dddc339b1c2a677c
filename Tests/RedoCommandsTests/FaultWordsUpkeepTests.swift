// Messages about imports, repairs, audits, wipes and refused nodes: words, exit status, and kind of error.

import RedoObject
@testable import RedoRepository
@testable import RedoShell
import RedoStore
import Testing

@Suite("Words: imports, repairs, audits, wipes")
struct FaultWordsUpkeepTests {
  private static let id = StoredObject(blob: [1]).id

  private func expect(
    _ fault: any WordedFault, _ expected: CommandError, _ code: RedoError.Code,
    _ subject: String?, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(CommandError(fault) == expected, sourceLocation: sourceLocation)
    #expect(CommandError(fault).ending == .exit(.fatal), sourceLocation: sourceLocation)
    #expect(RedoError(fault).code == code, sourceLocation: sourceLocation)
    #expect(RedoError(fault).subject == subject, sourceLocation: sourceLocation)
  }

  @Test("inputs that cannot be imported")
  func imports() {
    let missing = SystemError(code: 2, operation: "open", path: "/x/a")
    let denied = SystemError(code: 13, operation: "open", path: "/x/a")
    expect(
      ImportFault.unopened(path: "a", missing),
      .fatal("cannot open 'a': no such file or directory", code: "STORAGE_001"), .missing, "a")
    expect(
      ImportFault.unopened(path: "a", denied),
      .fatal("cannot open 'a': permission denied", code: "STORAGE_004"), .system, "a")
    expect(
      ImportFault.namedPipe(path: "a"),
      .fatal(
        "'a' is a named pipe, not a file",
        hints: ["'-' in its place is standard input, into which it can be piped"]),
      .unsupported, "a")
    expect(
      ImportFault.archive(name: "a"),
      .fatal(
        "'a' is an archive, which '--from' does not read",
        hints: ["an archive has the form of this version, and is imported as it is"],
        code: "STORAGE_003"), .unsupported, "a")
    let finding = Finding(.jsonByteOrderMark, at: .offset(0))
    expect(
      ImportFault.malformed(finding, name: "a"),
      .fatal(
        "'a': json-bom at byte 0: \(Rule.jsonByteOrderMark.meaning)",
        code: "STORAGE_003"), .malformed, "a")
    expect(
      ImportFault.damaged(finding, name: "a"),
      .fatal(
        "'a': json-bom at byte 0: \(Rule.jsonByteOrderMark.meaning)",
        hints: ["'--salvage' takes what is good and lists the rest"], code: "STORAGE_003"),
      .malformed, "a")
    #expect(
      MessageStream.lines(of: .importing(.empty(name: "a"))) == ["warning: 'a' has no changes"])
  }

  @Test("nodes that are refused, or odd")
  func nodes() {
    let finding = Finding(.parentMissing, detail: "x")
    let text = "'a', line '3': parent-missing: parent 'x' is not here"
    #expect(
      MessageStream.lines(of: .writing(.leftOut(finding, of: "a', line '3"))) == ["error: \(text)"])
    #expect(
      MessageStream.lines(of: .writing(.odd(finding, of: "a', line '3", count: 1)))
        == ["warning: \(text)"])
    #expect(
      MessageStream.lines(of: .writing(.odd(finding, of: "a', line '3", count: 2)))
        == ["warning: \(text); 2 times in all"])
    #expect(
      MessageStream.lines(of: .writing(.refused(finding, of: "a', line '3"))).first
        == "error: \(text)")
    #expect(
      MessageStream.lines(of: .writing(.refusedInAll(101)))
        == ["hint: 101 nodes are refused in all"])
  }

  @Test("repairs")
  func repairs() {
    let hints = [
      "a source is the path of a store, the name or URL of a remote, or a file or directory that 'redo import' reads"
    ]
    expect(
      RepairFault.noSource("a"),
      .fatal("'a' is neither a store, an export, an archive nor a remote", hints: hints),
      .unsupported, "a")
    expect(
      RepairFault.incomplete(Self.id),
      .fatal(
        "node '\(Self.id.text)' was received, and it or an ancestor is missing or damaged",
        hints: ["give '--repair-from=<source>' too, an empty file if there is no other copy"]),
      .missing, Self.id.text)
    func reason(_ rule: Rule, _ damage: RepairDamage?, _ remarks: [RepairRemark]) -> String {
      RepairRow(
        result: .unrepaired, id: nil, path: "", rule: rule, damage: damage, remarks: remarks
      ).reason
    }
    #expect(reason(.objectMissing, nil, []) == "object-missing")
    #expect(
      reason(.objectMissing, nil, [.absent]) == "object-missing; the source does not have it")
    func held(_ rule: String, _ detail: String) -> String {
      reason(.objectMissing, nil, [.damaged(.heldBack(rule: rule, detail: detail))])
    }
    #expect(
      held("signature-missing", "it follows x")
        == "object-missing; its copy has no signature, or follows one that has none; "
        + "'--allow-unsigned' takes it")
    #expect(
      held("object-corrupt", "") == "object-missing; it does not send its copy: object-corrupt")
    #expect(
      held("lamport-jump", "a\u{1b}b")
        == "object-missing; it does not send its copy: lamport-jump, a\\x1bb")
    #expect(
      reason(.objectCorrupt, .holds(Self.id), [.unnamed])
        == "object-corrupt: it holds '\(Self.id.text)'; nothing names it")
    #expect(
      reason(.packCorrupt, .pack(reasons: ["a", "b"], worse: 1), [.kept(3), .lost(2)])
        == "pack-corrupt: a; b; 1 of its nodes have a better copy elsewhere; 3 nodes are kept; "
        + "2 nodes are lost")
    #expect(
      reason(.refHead, .staleHeads(1), [])
        == "ref-head: 1 head is ancestors of others, and no heads any more")
    #expect(
      MessageStream.lines(of: .repairing(.changesLost))
        == [
          "warning: changes at the end may be lost; refs other than heads are as old as what is proved"
        ])
  }

  @Test("audits")
  func audits() {
    expect(
      AuditFault.noHome(path: "~/a"), .fatal("'~/a' needs 'HOME', which is not set"), .missing,
      "~/a")
    expect(
      AuditFault.skipListLine(3, path: "a"),
      .fatal("line 3 of the skip list 'a' is not an id"), .malformed, "a")
    let place = "line 2 of 'config'"
    #expect(
      MessageStream.lines(
        of: .unknownRule("object-mising", key: "verify.object-mising", place: place))
        == [
          "warning: no rule is called 'object-mising' ('verify.object-mising', \(place))",
          "hint: did you mean 'object-missing'?",
        ])
  }

  @Test("wipes")
  func wipes() {
    expect(
      WipeFault.brokenHistory(Self.id, .missing),
      .fatal(
        "the history is not whole: object '\(Self.id.text)' is missing",
        hints: ["'redo import' of another copy of the log heals it; '--all' does not need it"]),
      .missing, Self.id.text)
    #expect(
      WipeRemark.checkpoints(1).words
        == "1 checkpoint counts what is wiped; 'redo checkpoint create --new-log' begins a new log "
        + "without it")
    #expect(
      WipeFailure.archived(2, path: "a").words
        == "archive 'a' keeps 2 of these objects; it is only read")
    #expect(
      WipeFailure.damagedPack(.notPack, path: "a").words
        == "pack 'a' cannot be read: it does not begin as a pack does; it stays, and may have what "
        + "is wiped")
  }
}
