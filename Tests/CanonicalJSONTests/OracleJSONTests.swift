// The scanner and the Python oracle (strict_json.py, rfc8785) on the same random texts.

import CanonicalJSON
import TestSupport
import Testing

@Suite("JSON oracle", .enabled(if: Oracle.isPresent, "SKIPPED: no python3 with rfc8785 and nacl"))
struct OracleJSONTests {
  @Test("2,000 random texts have the oracle's canonical form")
  func canonicalForms() throws {
    for seed in SeededRandom.seeds("JSON oracle", fixed: 1..<2) {
      let texts = try Oracle.ask("fuzz_json.py", ["--seed", "\(seed)", "--count", "2000"])
      let answers = try Oracle.ask("canonicalize.py", ["--lines"], input: texts.output).lines
      try #require(answers.count == 2000)
      for (text, answer) in zip(texts.lines, answers) {
        #expect(canonicalize(text) == .accepted(answer), "seed \(seed): \(string(text))")
      }
    }
  }

  @Test("2,000 damaged texts are refused by the same rule at the same byte")
  func refusals() throws {
    for seed in SeededRandom.seeds("JSON oracle, damaged", fixed: 1..<2) {
      let arguments = ["--seed", "\(seed)", "--count", "2000", "--wrong", "1"]
      let texts = try Oracle.ask("fuzz_json.py", arguments)
      let answers = try Oracle.ask(
        "canonicalize.py", ["--lines", "--explain"], input: texts.output
      ).lines.map(string)
      try #require(answers.count == 2000)
      for (text, answer) in zip(texts.lines, answers) {
        let found = canonicalize(text)
        // Equal names are found after all else, unless they are neighbours: of a text with two
        // defects the scanner may name the second.
        if answer.hasPrefix("refused json-duplicate-name"), case .refused(let error) = found,
          error.rule != .duplicateName
        {
          continue
        }
        let prefix = if case .refused = found { "refused " } else { "" }
        #expect(prefix + found.description == answer, "seed \(seed): \(string(text))")
      }
    }
  }
}
