// The grammar of revisions and ranges: refusals first.

import Testing

@testable import RedoCommands
@testable import RedoReadCommands
@testable import RedoWriteCommands
@testable import RedoRepository
@testable import RedoShell

@Suite("Revisions")
struct RevisionTests {
  @Test(
    "what is no revision",
    arguments: [
      ("", "it names nothing"), ("~1", "it names nothing"), ("^", "it names nothing"),
      ("@{1}", "it names nothing"), ("a@{", "'@{' has no '}'"), ("a@{1", "'@{' has no '}'"),
      ("a@{}", "'' is neither a number nor an instant"),
      ("a@{-1}", "'-1' is neither a number nor an instant"),
      ("a@{last week}", "'last week' is neither a number nor an instant"),
      ("a@{99999999999999999999}", "a number is too large"),
      ("a~99999999999999999999", "a number is too large"), ("a~1x", "'x' stands where"),
      ("a^{node}", "'{node}' stands where"), ("a~-1", "'-1' stands where"),
      ("a~1@{2}", "'@{2}' stands where"), ("a@{1}b", "'b' stands where"),
    ])
  func refused(_ text: String, _ reason: String) {
    let error = refusal { () throws in _ = try Revision(text) }
    #expect(error?.kind == .fatal)
    #expect(error?.message.hasPrefix("not a valid revision '\(text)': \(reason)") == true)
  }

  @Test("names, the past, and steps")
  func parts() throws {
    func parts(_ text: String) throws -> (String, Revision.Past?, [Revision.Step]) {
      let revision = try Revision(text)
      #expect(revision.text == text)
      return (revision.name, revision.past, revision.steps)
    }
    #expect(try parts("abcd") == ("abcd", nil, []))
    #expect(try parts("heads/a-b") == ("heads/a-b", nil, []))
    #expect(try parts("a~") == ("a", nil, [.ancestor(1)]))
    #expect(try parts("a~0") == ("a", nil, [.ancestor(0)]))
    #expect(try parts("a^") == ("a", nil, [.parent(1)]))
    #expect(try parts("a^0") == ("a", nil, [.parent(0)]))
    #expect(try parts("a^2~3^^") == ("a", nil, [.parent(2), .ancestor(3), .parent(1), .parent(1)]))
    #expect(try parts("a@{0}") == ("a", .changes(0), []))
    #expect(try parts("tags/a@{12}~2") == ("tags/a", .changes(12), [.ancestor(2)]))
    #expect(try parts("a@{now-7d}^") == ("a", .moment("now-7d"), [.parent(1)]))
    #expect(try parts("a@{2024-05-01}") == ("a", .moment("2024-05-01"), []))
    #expect(try parts("a@b") == ("a@b", nil, []))
    #expect(try parts("@1714557600") == ("@1714557600", nil, []))
    #expect(try parts("2024-05-01T10:00:00.000Z").0 == "2024-05-01T10:00:00.000Z")
    #expect(try Revision("a").isPlain && !Revision("a^").isPlain && !Revision("a@{1}").isPlain)
  }

  @Test("ranges that lack an end", arguments: ["..", "a..", "..a", "...", "a...", "...a", "^"])
  func openRanges(_ text: String) {
    let error = refusal { () throws in _ = try RevisionRange(text) }
    #expect(error?.kind == .fatal)
  }

  @Test("ranges")
  func ranges() throws {
    #expect(try RevisionRange("a") == .include("a"))
    #expect(try RevisionRange("a.b") == .include("a.b"))
    #expect(try RevisionRange("^a") == .exclude("a"))
    #expect(try RevisionRange("^a^") == .exclude("a^"))
    #expect(try RevisionRange("a..b") == .difference(from: "a", to: "b"))
    #expect(try RevisionRange("a~1..b^2") == .difference(from: "a~1", to: "b^2"))
    #expect(try RevisionRange("a...b") == .symmetric("a", "b"))
  }
}

@Suite("Patterns of refs")
struct RefPatternTests {
  @Test(
    "names that do not match",
    arguments: [
      ("heads", "headsx/a"), ("heads/a", "heads/ab"), ("heads/", "head/s"), ("*", "heads/a"),
      ("heads/*", "heads"), ("heads/*", "remotes/x/heads/a"), ("heads/*", "heads/a/b"),
      ("heads/?", "heads/ab"), ("heads?a", "heads/a"), ("[!/]*", "a/b"), ("heads/[", "heads/["),
      ("heads/[a-c]", "heads/d"), ("heads/[!a-c]", "heads/b"), ("heads[/]a", "heads/a"),
      ("**/b", "a/bc"), ("a/**/c", "b/a/c"), ("heads/a\\*", "heads/ab"), ("heads/\\", "heads/\\"),
      ("HEADS/*", "heads/a"),
    ])
  func others(_ pattern: String, _ name: String) {
    #expect(!RefPattern(pattern).matches(Array(name.utf8)))
  }

  @Test(
    "names that match",
    arguments: [
      ("", "heads/a"), ("heads", "heads/a"), ("heads/", "heads/a"), ("heads/a", "heads/a"),
      ("heads/a", "heads/a/b"), ("heads/*", "heads/a"), ("*/*", "heads/a"), ("heads/a*", "heads/a"),
      ("heads/*b*d", "heads/abcd"), ("heads/?", "heads/a"), ("heads/[a-c]", "heads/b"),
      ("heads/[!a-c]", "heads/d"), ("heads/[^x]", "heads/d"), ("heads/[]]", "heads/]"),
      ("remotes/*/heads/*", "remotes/x/heads/a"), ("**", "a/b/c"), ("**/c", "a/b/c"),
      ("**/a/b", "a/b"), ("a/**/c", "a/c"), ("a/**/c", "a/x/y/c"), ("heads/**", "heads/a/b"),
      ("heads/a\\*", "heads/a*"), ("**/b*/c", "a/b1/b2/c"),
    ])
  func matching(_ pattern: String, _ name: String) {
    #expect(RefPattern(pattern).matches(Array(name.utf8)))
  }

  @Test("many stars cost no more than a polynomial")
  func stars() {
    let pattern = RefPattern(String(repeating: "a*", count: 40) + "b")
    #expect(!pattern.matches(Array(repeating: UInt8(ascii: "a"), count: 1000)))
    let deep = RefPattern(String(repeating: "**/", count: 12) + "b")
    #expect(!deep.matches(Array(String(repeating: "a/", count: 60).utf8)))
  }

  @Test("what all names that match begin with")
  func prefixes() {
    func prefix(_ texts: String...) -> String {
      String(decoding: RefPattern.commonPrefix(of: texts.map { RefPattern($0) }), as: UTF8.self)
    }
    #expect(prefix() == "" && prefix("*") == "" && prefix("heads/*") == "heads/")
    #expect(
      prefix("heads/ab", "heads/ac*") == "heads/a" && prefix("heads/é", "heads/è") == "heads/")
  }
}
