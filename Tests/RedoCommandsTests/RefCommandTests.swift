// The lines of `redo update-ref --stdin`, and the order in which they may come: refusals first.

import RedoStore
import Testing

@testable import RedoCommands
@testable import RedoReadCommands
@testable import RedoWriteCommands
@testable import RedoRepository
@testable import RedoShell

@Suite("Lines of update-ref")
struct RefCommandTests {
  private static let zero = String(repeating: "0", count: 64)

  private func parse(_ line: String) throws -> RefCommand {
    try RefCommand.parse(line: Array(line.utf8)[...])
  }

  private func parse(fields: String...) throws -> RefCommand {
    var rest = fields.dropFirst().map { Array($0.utf8) }[...]
    return try RefCommand.parse(first: Array(fields[0].utf8)[...]) { () throws in
      rest.popFirst()
    }
  }

  private func change(
    _ verb: RefChange.Verb, _ name: String, _ new: String? = nil, _ old: String? = nil
  ) throws -> RefCommand {
    .change(try RefChange(verb: verb, name: try #require(RefName(name)), new: new, old: old))
  }

  @Test(
    "lines that are refused",
    arguments: [
      ("", "empty command in input"), (" update tags/a b", "whitespace before command"),
      ("\tupdate", "whitespace before command"), ("bogus", "unknown command: 'bogus'"),
      ("updat tags/a b", "unknown command"), ("update", "unknown command: 'update'"),
      ("Update tags/a b", "unknown command"), ("start now", "unknown command: 'start now'"),
      ("commit ", "unknown command"), ("option", "unknown command"),
      ("option deref", "option unknown: 'deref'"), ("update ", "update: missing <ref>"),
      ("update  tags/a b", "update: missing <ref>"),
      ("update tags/a", "update tags/a: missing <new>"),
      ("update tag b", "update: invalid name of a ref: 'tag'"),
      ("create a..b/c d", "create: invalid name of a ref"),
      ("update a@{/b c", "update: invalid name of a ref"),
      ("update tags/a b c d", "update tags/a: extra input: ' d'"),
      ("update tags/a b\tc", "update tags/a: extra input: '\\x09c'"),
      ("create tags/a b c", "create tags/a: extra input: ' c'"),
      ("delete tags/a b c", "delete tags/a: extra input: ' c'"),
      ("create tags/a", "create tags/a: missing <new>"),
      ("create tags/a \(zero)", "create tags/a: zero <new>"),
      ("create tags/a sha256:\(zero)", "create tags/a: zero <new>"),
      ("create tags/a ", "create tags/a: zero <new>"),
      ("delete tags/a \(zero)", "delete tags/a: zero <old>"),
      ("delete tags/a \"\"", "delete tags/a: zero <old>"),
      ("add tags/a b", "add tags/a: only one id can stand under this name"),
      ("remove tags/a b", "remove tags/a: only one id can stand under this name"),
      ("add heads/a \(zero)", "add heads/a: zero <new>"),
      ("add heads/a", "add heads/a: missing <new>"),
      ("remove heads/a b c", "remove heads/a: extra input"),
      ("update \"tags/a b", "badly quoted argument"),
      ("update \"tags/a\\x\" b", "badly quoted argument"),
      ("update \"tags/a\\40\" b", "badly quoted argument"),
      ("update \"tags/a\"b c", "unexpected character after a quoted argument"),
    ])
  func refused(_ line: String, _ message: String) {
    let error = refusal { () throws in _ = try parse(line) }
    #expect(error?.kind == .fatal && error?.message.hasPrefix(message) == true, "\(error as Any)")
  }

  @Test("bytes that are not UTF-8 are refused, never replaced")
  func notUTF8() {
    for line in [
      Array("update tags/".utf8) + [0xFF, 0x20, 0x61], Array("update tags/a ".utf8) + [0xFF],
    ] {
      #expect(
        refusal { () throws in _ = try RefCommand.parse(line: line[...]) } != nil)
    }
  }

  @Test("lines")
  func lines() throws {
    #expect(try parse("update tags/a b") == change(.update, "tags/a", "b"))
    #expect(try parse("update tags/a b c") == change(.update, "tags/a", "b", "c"))
    #expect(try parse("update tags/a b \(Self.zero)") == change(.update, "tags/a", "b", Self.zero))
    #expect(try parse("update tags/a b ") == change(.update, "tags/a", "b", ""))
    #expect(try parse("update tags/a  c") == change(.update, "tags/a", "", "c"))
    #expect(try parse("update \"tags/\\303\\251\" \"b\"") == change(.update, "tags/é", "b"))
    #expect(try parse("create tags/a b") == change(.create, "tags/a", "b"))
    #expect(try parse("delete tags/a") == change(.delete, "tags/a"))
    #expect(try parse("delete tags/a b") == change(.delete, "tags/a", nil, "b"))
    #expect(try parse("verify tags/a") == change(.verify, "tags/a"))
    #expect(try parse("verify tags/a b") == change(.verify, "tags/a", nil, "b"))
    #expect(try parse("add heads/a b") == change(.add, "heads/a", "b"))
    #expect(try parse("remove remotes/r/heads/a b") == change(.remove, "remotes/r/heads/a", "b"))
    for (text, command) in [
      ("start", RefCommand.start), ("prepare", .prepare), ("commit", .commit), ("abort", .abort),
      ("option no-deref", .option("no-deref")),
    ] {
      #expect(try parse(text) == command)
      #expect(try parse(fields: text) == command)
    }
  }

  @Test("fields that end in NUL")
  func fields() throws {
    #expect(try parse(fields: "update tags/a", "b", "") == change(.update, "tags/a", "b"))
    #expect(try parse(fields: "update tags/a", "b", "c") == change(.update, "tags/a", "b", "c"))
    #expect(try parse(fields: "update tags/a", "", "c") == change(.update, "tags/a", "", "c"))
    #expect(try parse(fields: "create tags/a", "b") == change(.create, "tags/a", "b"))
    #expect(try parse(fields: "delete tags/a", "") == change(.delete, "tags/a"))
    #expect(try parse(fields: "verify tags/a", "b") == change(.verify, "tags/a", nil, "b"))
    #expect(try parse(fields: "add heads/a", "b") == change(.add, "heads/a", "b"))
    for fields in [
      ["update tags/a", "b"], ["update tags/a"], ["create tags/a"], ["delete tags/a"],
      ["create tags/a", ""], ["update tags/a b", "c", "d"], ["update", "tags/a"], ["update "],
      [""], ["start "],
    ] {
      var rest = fields.dropFirst().map { Array($0.utf8) }[...]
      #expect(
        refusal { () throws in
          _ = try RefCommand.parse(first: Array(fields[0].utf8)[...]) { () throws in
            rest.popFirst()
          }
        }?.kind == .fatal, "\(fields)")
    }
  }

  @Test(
    "the order of commands",
    arguments: [
      ("uu", nil), ("suuc", nil), ("ssu", "cannot restart"), ("spu", "a prepared transaction"),
      ("spp", "a prepared transaction"), ("sps", "a prepared transaction"), ("spc", nil),
      ("spa", nil), ("scu", "the transaction is closed"), ("scc", "the transaction is closed"),
      ("aa", "the transaction is closed"), ("cp", "the transaction is closed"), ("scsc", nil),
      ("uscsa", nil), ("pc", nil), ("upu", "a prepared transaction"), ("c", nil), ("a", nil),
      ("sus", "cannot restart"),
    ] as [(String, String?)])
  func order(_ letters: String, _ message: String?) throws {
    var state = TransactionState.open
    let change = try change(.delete, "tags/a")
    let error = refusal { () throws in
      for letter in letters {
        switch letter {
        case "s": try state.take(.start)
        case "p": try state.take(.prepare)
        case "c": try state.take(.commit)
        case "a": try state.take(.abort)
        default: try state.take(change)
        }
      }
    }
    if let message {
      #expect(error?.message.hasPrefix(message) == true)
    } else {
      #expect(error == nil)
    }
  }
}
