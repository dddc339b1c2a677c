import RedoCommands
import RedoReadCommands
import RedoWriteCommands
import RedoRepository
import RedoShell
import Synchronization
import Testing

@testable import RedoCommands
@testable import RedoReadCommands
@testable import RedoWriteCommands
@testable import RedoRepository
@testable import RedoShell

/// The lines of a trace, kept in memory.
private final class Lines: Sendable {
  private let all = Mutex<[String]>([])
  private let ticks = Mutex<Int64>(0)

  var texts: [String] { all.withLock { $0 } }

  /// A trace whose clock advances by one microsecond at each reading.
  func trace(failing: Bool = false) -> Trace {
    Trace(
      processID: 7,
      clock: {
        self.ticks.withLock {
          $0 += 1000
          return $0
        }
      },
      sink: { line in
        if failing { return 28 }
        self.all.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
        return 0
      })
  }
}

@Suite("Trace")
struct TraceTests {
  @Test("start, regions that nest, counters and exit")
  func events() {
    let lines = Lines()
    var context = Context(arguments: ["echo", "-r", "x"], clock: { 0 }, trace: lines.trace())
    let trace = context.trace
    let ending = Shell.run(&context, as: "/usr/bin/redo", CommandSuite("redo", [EchoCommand.self]))
    #expect(ending == .exit(.ok))
    #expect(
      lines.texts == [
        #"{"argv":["redo","echo","-r","..."],"event":"start","pid":7,"#
          + #""time":"1970-01-01T00:00:00.000Z","version":"\#(Shell.version)"}"# + "\n",
        #"{"bytesRead":0,"bytesWritten":0,"event":"counters","objectsRead":0,"#
          + #""objectsWritten":0,"pid":7}"# + "\n",
        #"{"event":"exit","pid":7,"status":0,"us":1}"# + "\n",
      ])
    let value = trace.measure("outer") { trace.measure("inner") { 5 } }
    #expect(value == 5)
    #expect(
      lines.texts.suffix(2) == [
        #"{"at":3,"depth":1,"event":"region","name":"inner","pid":7,"us":1}"# + "\n",
        #"{"at":2,"depth":0,"event":"region","name":"outer","pid":7,"us":3}"# + "\n",
      ])
  }

  @Test("what throws is measured, too")
  func failure() {
    let lines = Lines()
    let trace = lines.trace()
    let error = refusal { () throws in
      try trace.measure("open") { () throws in throw CommandError.fatal("no") }
    }
    #expect(error == .fatal("no"))
    #expect(lines.texts.count == 1)
  }

  @Test("after a line that could not be written there is one warning, and the same ending")
  func failing() {
    let lines = Lines()
    var context = Context(arguments: ["echo", "x"], trace: lines.trace(failing: true))
    #expect(Shell.run(&context, as: "redo", CommandSuite("redo", [EchoCommand.self])) == .exit(.ok))
    #expect(context.output.text == "[x]\n")
    #expect(context.errors.text == "warning: the trace could not be written\n")
  }

  @Test("without a trace nothing is measured")
  func off() {
    #expect(Trace.off.measure("x") { 1 } == 1)
    #expect(!Trace.off.hasFailed)
    #expect(Trace.process("relative") { 0 }.problem?.contains("'relative'") == true)
    #expect(Trace.process("") { 0 }.problem == nil)
  }

  @Test(
    "only what cannot be secret stays of a word",
    arguments: [
      ("log", "log"), ("--format=%(id)", "--format=..."), ("--format", "--format"),
      ("-n5", "-n..."),
      ("-n", "-n"), ("-", "-"), ("--", "--"), ("", "..."), ("secret", "..."),
      ("0123abc", "0123abc"), ("0123ab", "..."), ("sha256:0123abcd", "sha256:0123abcd"),
      ("sha256:0123abcg", "..."), ("core.fsync=x", "..."), ("--=x", "--=..."),
    ])
  func words(word: String, shown: String) {
    #expect(Trace.harmless(word, CommandTable.suite) == shown)
  }
}

@Suite("Palette")
struct PaletteTests {
  private func isOn(
    _ words: [String], setting: String? = nil, isTerminal: Bool = true,
    _ variables: [String: String]
  ) throws -> Bool {
    let context = Context(environment: { variables[$0] }, isTerminal: { _ in isTerminal })
    guard case .run(let options) = try OptionParser.parse(words, [Palette.option]) else {
      return false
    }
    return try context.palette(options, setting: setting).isOn
  }

  @Test("option before NO_COLOR before the setting before the terminal")
  func order() throws {
    let xterm = ["TERM": "xterm"]
    let none = ["TERM": "xterm", "NO_COLOR": "1"]
    #expect(try isOn([], xterm))
    #expect(try !isOn([], isTerminal: false, xterm))
    #expect(try !isOn([], ["TERM": "dumb"]))
    #expect(try !isOn([], [:]))
    #expect(try !isOn([], none))
    #expect(try isOn([], ["TERM": "xterm", "NO_COLOR": ""]))
    #expect(try isOn([], setting: "always", isTerminal: false, [:]))
    #expect(try !isOn([], setting: "false", xterm))
    #expect(try !isOn([], setting: "always", none))
    #expect(try isOn(["--color"], isTerminal: false, none))
    #expect(try isOn(["--color=auto"], none))
    #expect(try !isOn(["--color=never"], setting: "always", xterm))
    #expect(try !isOn(["--color", "--no-color"], xterm))
    #expect(refusal { () throws in _ = try isOn(["--color=x"], [:]) }?.kind == .usage)
    #expect(
      refusal { () throws in _ = try isOn([], setting: "x", [:]) }?.kind == .fatal)
  }
}

@Suite("Show: the layout of members")
struct MemberLayoutTests {
  private func layout(_ json: String) -> String {
    var output: [UInt8] = []
    for member in JSONMembers(Array(json.utf8)[...]) { MemberLayout.append(member, to: &output) }
    return String(decoding: output, as: UTF8.self)
  }

  @Test(
    "texts as they read, other values as JSON",
    arguments: [
      (#"{"a":"b c"}"#, "\n    a: b c"),
      (#"{"a":"4"}"#, "\n    a: \"4\""),
      (#"{"a":"null"}"#, "\n    a: \"null\""),
      (#"{"a":""}"#, "\n    a: \"\""),
      (#"{"a":" b"}"#, "\n    a: \" b\""),
      (#"{"a":"[b"}"#, "\n    a: [b"),
      (#"{"a":4,"b":null}"#, "\n    a: 4\n    b: null"),
      (#"{"a":"b\nc"}"#, "\n    a:\n        b\n        c"),
      (#"{"a":"b\n\nc"}"#, "\n    a:\n        b\n\n        c"),
      (#"{"a":[1]}"#, "\n    a:\n        [\n          1\n        ]"),
      (#"{"a":{}}"#, "\n    a: {}"),
      (#"{"a\u001b":"\u001b"}"#, "\n    a\\x1b: \\x1b"),
      (#"[]"#, ""), (#"{"#, ""),
    ])
  func values(json: String, text: String) {
    #expect(layout(json) == text)
  }

  @Test("lines are cut at blanks")
  func wrapping() {
    #expect(MemberLayout.wrap("ab cd ef", 5) == ["ab cd", "ef"])
    #expect(MemberLayout.wrap("ab  cd", 4) == ["ab ", "cd"])
    #expect(MemberLayout.wrap("abcdef gh", 4) == ["abcdef", "gh"])
    #expect(MemberLayout.wrap("  ab cd", 5) == ["  ab", "  cd"])
    #expect(MemberLayout.wrap("", 5) == [""])
  }
}
