// redo state --stdin in process, against the Python oracle of replay: the bytes of --json, whole and at points in
// time, for random histories.

import CanonicalJSON
import Glibc
import RedoCommands
import RedoReadCommands
import RedoWriteCommands
import RedoRepository
import RedoShell
import TestSupport
import Testing

@Suite("State oracle", .enabled(if: Oracle.isPresent, "SKIPPED: no python3 with rfc8785 and nacl"))
struct StateOracleTests {
  /// The members of an object.
  private static func members(_ text: [UInt8]) throws -> [String: [UInt8]] {
    let document = try JSONDocument(text)
    var found: [String: [UInt8]] = [:]
    var members = document.root.members
    while let member = members.next() { found[member.name.contentText] = member.value.bytes }
    return found
  }

  /// The elements of an array, in their order.
  private static func elements(_ text: [UInt8]?) throws -> [[UInt8]] {
    guard let text else { return [] }
    let document = try JSONDocument(text)
    var found: [[UInt8]] = []
    var elements = document.root.elements
    while let element = elements.next() { found.append(element.bytes) }
    return found
  }

  /// The text that a JSON string denotes.
  private static func string(_ text: [UInt8]) -> String {
    let content = Array(text.dropFirst().dropLast())
    return String(decoding: StringEscape.unescape(content.span), as: UTF8.self)
  }

  /// What the command prints for nodes, one per line.
  private func state(_ nodes: [[UInt8]], _ words: [String]) throws -> Outcome {
    try withStream(Array(nodes.joined(separator: [0x0A]))) { descriptor in
      var context = Context(arguments: ["state", "--stdin", "-q"] + words, input: descriptor)
      let ending = Shell.run(&context, as: "redo", CommandTable.suite)
      return Outcome(ending: ending, output: context.output.text, errors: context.errors.text)
    }
  }

  @Test("60 histories, through the command line")
  func states() throws {
    for seed in SeededRandom.seeds("state oracle", fixed: 20_000..<20_001) {
      let made = try Oracle.ask("make_history.py", ["--seed", "\(seed)", "--count", "30"])
      let answers = try Oracle.ask("replay.py", ["--cases"], input: made.output)
      try #require(made.lines.count == 30 && answers.lines.count == 30)
      for (line, answer) in zip(made.lines, answers.lines) {
        let given = try Self.members(line)
        // Broken nodes and received times cannot be expressed on standard input.
        guard try Self.elements(given["broken"]).isEmpty else { continue }
        let nodes = try Self.elements(given["nodes"])
        let states = try Self.elements(Self.members(answer)["states"]).map(Self.string)
        for (query, expected) in zip(try Self.elements(given["queries"]), states) {
          let asked = try Self.members(query)
          let policy = asked["policy"].map(Self.string) ?? "closed"
          if policy == "received" { continue }
          let point = asked["asOf"].map(Self.string)
          let words = point.map { ["--allow-empty", "--as-of=\($0)"] } ?? []
          let isTime = point.map { !$0.hasPrefix("sha256:") && !$0.hasPrefix("lamport:") } ?? false
          let found = try state(nodes, words + (isTime ? ["--policy=\(policy)"] : []))
          let name =
            "seed \(given["seed"].map { String(decoding: $0, as: UTF8.self) } ?? ""), \(words)"
          // Logical time 0 does not exist; the oracle uses it for the time before everything.
          if point == "lamport:0" {
            #expect(found.ending == .exit(.fatal), "\(name)")
            continue
          }
          #expect(found.output == expected, "\(name)")
          #expect(found.errors == "" && found.ending == .exit(.ok), "\(name)")
        }
      }
    }
  }
}
