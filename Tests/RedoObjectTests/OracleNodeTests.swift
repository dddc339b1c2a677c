// The decoder and the Python oracle (node_rules.py, PyNaCl) on the same nodes: the vectors, and the
// vectors with one value changed at random.

import CanonicalJSON
import RedoObject
import TestSupport
import Testing

@Suite("Node oracle", .enabled(if: Oracle.isPresent, "SKIPPED: no python3 with rfc8785 and nacl"))
struct OracleNodeTests {
  /// Values that fit one member or another, or none.
  static let values: [String] = [
    "null", "true", "0", "1", "-1", "2.5", "1e21", "3", "65", "281474976710657", #""""#, #""x""#,
    #""2025-02-29T00:00:00.000Z""#, #""2025-03-01T08:00:00Z""#, #""MERGE""#, #""SNOOZE""#,
    #""DELETE""#, #""CREATE""#, #""COMPLETE_TODO""#, #""REMIND""#, "[]", "{}", #"{"fields":{}}"#,
    #"{"payload":{"title":"x"}}"#, #"{"payload":{"policy":{"defaultStrategy":1}}}"#,
    #"{"payload":{"resolutions":{"task":[{"path":"title","chosenParent":"x"}]}}}"#,
    #"{"payload":{"base":"sha256:0","resolutions":{"todos":[{"todoTaskId":1,"fields":[]}]}}}"#,
    #"{"fields":{"title":"x"},"conflictResolution":{}}"#, #"[""]"#,
    #"{"fields":{"todos":[{"notes":1}],"title":""}}"#, #"{"fields":{"deletedChain":["x"]}}"#,
    #""7A000000-0000-4000-8000-000000000001""#, #""00112233445566778899aabbccddeeff""#,
  ]

  /// A text in which the value of one token, wherever it is, is replaced.
  static func change(_ text: [UInt8], _ random: inout SeededRandom) throws -> [UInt8] {
    var scanner = Scanner()
    try scanner.scan(text.span)
    let range = scanner.root(of: text.span).value(at: random.below(scanner.count)).place
    let isName = range.upperBound < text.count && text[range.upperBound] == UInt8(ascii: ":")
    var changed = text
    changed.replaceSubrange(
      range, with: isName ? Array(#""notes""#.utf8) : Array(values[random.below(values.count)].utf8)
    )
    return changed
  }

  @Test("500 nodes have the oracle's letter, id, rule and place")
  func nodes() throws {
    let folder = VectorFolder.own("node")
    let valid = try folder.table().filter { $0[1] == "valid" }.map { try folder.lines($0[0]) }
      .filter { $0.count == 1 && $0[0].count < 10_000 }.map { $0[0] }
    for seed in SeededRandom.seeds("node oracle", fixed: 1..<3) {
      var random = SeededRandom(seed: seed)
      let texts = try (0..<500).map { index in
        let text = valid[random.below(valid.count)]
        return index % 5 == 0 ? text : try Self.change(text, &random)
      }
      let input = Array(texts.joined(separator: [0x0A])) + [0x0A]
      let answers = try Oracle.ask("verify_nodes.py", ["--explain"], input: input).lines
      try #require(answers.count == 500)
      var keys = SeenKeys()
      for (text, answer) in zip(texts, answers) {
        let found = Self.verdict(text, &keys)
        let expected = string(answer).split(separator: " ", omittingEmptySubsequences: false)
        #expect(
          found.first == String(expected[0]), "seed \(seed): \(string(text))\n\(string(answer))")
        if found.first == "B" {
          // Of several broken rules the oracle names the first in its own order.
          let place = "\(expected[3])@\(expected[4])"
          #expect(
            found.contains(place), "seed \(seed): \(string(text))\n\(string(answer))\n\(found)")
        } else {
          #expect(found[1] == String(expected[1]) && found[2] == String(expected[2]))
        }
      }
    }
  }

  /// Letter, id and form of a node that is not B; B and every broken rule of one that is.
  private static func verdict(_ text: [UInt8], _ keys: inout SeenKeys) -> [String] {
    let decoded = decode(text)
    guard let node = decoded.node else { return ["B"] + decoded.listed(.error) }
    keys.note(node)
    let verdict = node.verify(key: keys.key(of: node))
    switch verdict {
    case .bad(let finding): return ["B", place(finding)]
    case .good(let form): return ["G", node.id.text, form.rawValue]
    case .keyUnknown, .unsigned: return [String(verdict.letter), node.id.text, "-"]
    }
  }
}
