import RedoCommands
import RedoReadCommands
import RedoWriteCommands
import RedoRepository
import RedoShell
import Testing

@Suite("Options: what is refused")
struct ShellOptionRefusalTests {
  @Test(
    "each misuse has its message",
    arguments: [
      (["--bogus"], "unknown option 'bogus'"),
      (["--bogus=3"], "unknown option 'bogus'"),
      (["--no-json"], "unknown option 'no-json'"),
      (["-x"], "unknown switch 'x'"),
      (["-rx"], "unknown switch 'x'"),
      (["-é"], "unknown switch 'é'"),
      (["-r3"], "unknown switch '3'"),
      (["--max-count"], "option 'max-count' requires a value"),
      (["-n"], "switch 'n' requires a value"),
      (["--reverse=yes"], "option 'reverse' takes no value"),
      (["--no-reverse=yes"], "option 'no-reverse' takes no value"),
      (["--no-max-count=3"], "option 'no-max-count' takes no value"),
      (
        ["--no-"],
        "ambiguous option 'no-' (could be --no-max-count or --no-reverse or --no-quiet "
          + "or --no-batch or --no-profile or --no-stray-with-a-very-long-name)"
      ),
      (["--=3"], "unknown option ''"),
    ])
  func message(words: [String], message: String) {
    let error = refusal { () throws in
      _ = try OptionParser.parse(words, EchoCommand.options)
    }
    #expect(error?.kind == (message.hasPrefix("unknown") ? .unknownWord : .usage))
    #expect(error?.message == message)
  }

  @Test(
    "the nearest option is offered",
    arguments: [
      ("--revrese", "did you mean '--reverse'?"),
      ("--bacth=x", "did you mean '--batch'?"),
      ("--no-revers3", "did you mean '--no-reverse'?"),
      ("-reverse", "did you mean '--reverse' (with two dashes)?"),
      ("-rev3", nil),
      ("-profile", "did you mean '--profile' (with two dashes)?"),
      ("--stray-with-a-very-long-nam3", nil),
      ("--xyzzy", nil),
    ])
  func suggestion(word: String, hint: String?) {
    let error = refusal { () throws in
      _ = try OptionParser.parse([word], EchoCommand.options)
    }
    #expect(error?.hints == (hint.map { [$0] } ?? []))
  }

  @Test("a beginning that two options share is ambiguous")
  func ambiguous() {
    let specs = [OptionSpec("format", help: ""), OptionSpec("force", help: "")]
    let error = refusal { () throws in
      _ = try OptionParser.parse(["--fo"], specs)
    }
    #expect(error?.message == "ambiguous option 'fo' (could be --format or --force)")
  }

  @Test(
    "values that are no numbers",
    arguments: [
      ("x", "option '--max-count' expects a number, not 'x'"),
      ("", "option '--max-count' expects a number, not ''"),
      ("+1", "option '--max-count' expects a number, not '+1'"),
      (" 1", "option '--max-count' expects a number, not ' 1'"),
      ("99999999999999999999", "option '--max-count' expects a number, not '99999999999999999999'"),
      ("-1", "option '--max-count' expects a number from 0 to 9, not '-1'"),
      ("10", "option '--max-count' expects a number from 0 to 9, not '10'"),
    ])
  func numbers(text: String, message: String) throws {
    let options = try parse("-n", text)
    let error = refusal { () throws in
      _ = try options.integer(EchoCommand.maxCount, in: 0...9)
    }
    #expect(error == .usage(message))
  }

  @Test("values that are no sizes", arguments: ["", "k", "1x", "-1k", "1.5m", "9999999999g"])
  func sizes(text: String) throws {
    let options = try parse("--max-count=\(text)")
    #expect(
      refusal { () throws in _ = try options.sizeBytes(EchoCommand.maxCount) }?
        .kind == .usage)
  }

  @Test("a word outside a closed set")
  func choice() throws {
    let options = try parse("--profile=snyc")
    let error = refusal { () throws in
      _ = try options.choice(EchoCommand.profile, as: EchoCommand.Profile.self)
    }
    #expect(error?.message == "option '--profile' expects one of v1, sync, genesis, not 'snyc'")
    #expect(error?.hints == ["did you mean 'sync'?"])
  }

  @Test("two options of which one makes sense")
  func exclusive() throws {
    let options = try parse("-r", "--batch")
    let error = refusal { () throws in
      _ = try options.only(oneOf: [EchoCommand.reverse, EchoCommand.batch])
    }
    #expect(error == .usage("options '--reverse' and '--batch' cannot be used together"))
  }
}

@Suite("Options: what is understood")
struct ShellOptionTests {
  @Test(
    "the ways to write an option",
    arguments: [
      (["--max-count=3"], "--max-count=3"),
      (["--max-count", "3"], "--max-count=3"),
      (["--max-count", "--quiet"], "--max-count=--quiet"),
      (["--max-count="], "--max-count="),
      (["--max-count=a=b"], "--max-count=a=b"),
      (["-n3"], "--max-count=3"),
      (["-n", "3"], "--max-count=3"),
      (["-20"], "--max-count=20"),
      (["-rqn3"], "--reverse --quiet --max-count=3"),
      (["-rqn", "3"], "--reverse --quiet --max-count=3"),
      (["--batch", "x"], "--batch [x]"),
      (["--batch=x"], "--batch=x"),
      (["--batch="], "--batch="),
      (["-b", "x"], "--batch [x]"),
      (["-bx"], "--batch=x"),
      (["--rev", "--pro", "v1"], "--reverse --profile=v1"),
      (["--no-reverse"], "--no-reverse"),
      (["--no-rev"], "--no-reverse"),
      (["--no-max-count"], "--no-max-count"),
      (["x", "-r", "y"], "--reverse [x] [y]"),
      (["-r", "--", "-q", "--"], "--reverse [-q] [--]"),
      (["--end-of-options", "-q"], "[-q]"),
      (["-", ""], "[-] []"),
    ])
  func spellings(words: [String], expected: String) throws {
    guard case .run(let options) = try OptionParser.parse(words, EchoCommand.options) else {
      Issue.record("help was asked for")
      return
    }
    let given = options.given.map { option in
      let name = option.isNegated ? "--no-\(option.spec.name)" : option.spec.spelling
      return option.value.map { "\(name)=\($0)" } ?? name
    }
    #expect((given + options.arguments.map { "[\($0)]" }).joined(separator: " ") == expected)
  }

  @Test("the last one holds")
  func order() throws {
    let options = try parse("-n1", "--reverse", "-n2", "--no-reverse", "-q")
    #expect(try options.integer(EchoCommand.maxCount) == 2)
    #expect(!options.has(EchoCommand.reverse))
    #expect(options.flag(EchoCommand.reverse) == false)
    #expect(options.flag(EchoCommand.quiet) == true)
    #expect(options.flag(EchoCommand.batch) == nil)
    #expect(options.values(EchoCommand.maxCount) == ["1", "2"])
    #expect(try parse("-n1", "--no-max-count", "-n2").values(EchoCommand.maxCount) == ["2"])
    #expect(try parse("-n1", "--no-max-count").value(EchoCommand.maxCount) == nil)
  }

  @Test("numbers, sizes and words")
  func values() throws {
    #expect(try parse("-n-3").integer(EchoCommand.maxCount, in: -9...9) == -3)
    #expect(try parse("-n64k").sizeBytes(EchoCommand.maxCount) == 65_536)
    #expect(try parse("-n0").sizeBytes(EchoCommand.maxCount) == 0)
    #expect(try parse("-n2G").sizeBytes(EchoCommand.maxCount) == 2_147_483_648)
    let options = try parse("--profile", "genesis")
    #expect(try options.choice(EchoCommand.profile, as: EchoCommand.Profile.self) == .genesis)
    #expect(try parse("-q").only(oneOf: [EchoCommand.reverse, EchoCommand.batch]) == nil)
    let only = try parse("-r", "-r").only(oneOf: [EchoCommand.reverse, EchoCommand.batch])
    #expect(only?.name == "reverse")
  }

  @Test(
    "words are suggested by slips, not by chance",
    arguments: [
      ("lgo", ["log"]), ("veri", ["verify"]), ("verfy", ["verify"]), ("lg", ["log"]),
      ("x", []), ("", []), ("zzzzzz", []), ("cat", ["cat-node"]),
    ])
  func suggestions(word: String, expected: [String]) {
    let known = ["cat-node", "import", "log", "verify"]
    #expect(Suggestion.nearest(to: word, among: known) == expected)
  }
}

@Suite("Values that may be left out")
struct ShellLenientEndTests {
  static let output = OptionSpec(
    "output", letter: "o", .required("file"), help: "write <file>", traits: .lenientEnd)
  static let quiet = OptionSpec("quiet", letter: "q", help: "say nothing")

  @Test(
    "at the end or before an option there is none, elsewhere the next word is it",
    arguments: [
      (["-o"], nil, 0), (["-o", "x"], "x", 0), (["-ox"], "x", 0), (["-o", "-q"], nil, 0),
      (["-o", "-"], "-", 0), (["--output"], nil, 0), (["--output", "x", "y"], "x", 1),
      (["--output=", "y"], "", 1), (["--output", "--quiet", "y"], nil, 1), (["-qo"], nil, 0),
    ] as [([String], String?, Int)])
  func lenient(words: [String], value: String?, arguments: Int) throws {
    guard case .run(let parsed) = try OptionParser.parse(words, [Self.output, Self.quiet]) else {
      Issue.record("nothing is run")
      return
    }
    #expect(parsed.has(Self.output))
    #expect(parsed.value(Self.output) == value)
    #expect(parsed.arguments.count == arguments)
  }
}
