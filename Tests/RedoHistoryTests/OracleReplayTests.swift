// Replay and the Python oracle (replay.py, written from the protocol alone) on the same random histories:
// whole, at points in time under every policy, and in any order of input.

import CanonicalJSON
import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("Replay oracle", .enabled(if: Oracle.isPresent, "SKIPPED: no python3 with rfc8785 and nacl"))
struct OracleReplayTests {
  /// Cases and the oracle's answers.
  private static func cases(from seed: UInt64, count: Int) throws -> [(ReplayCase, Scanned)] {
    let made = try Oracle.ask("make_history.py", ["--seed", "\(seed)", "--count", "\(count)"])
    let answers = try Oracle.ask("replay.py", ["--cases"], input: made.output)
    try #require(made.lines.count == count && answers.lines.count == count)
    return try zip(made.lines, answers.lines).map { (try ReplayCase($0), try Scanned($1)) }
  }

  @Test("400 histories, 9 sets of each: the same bytes, the same reasons, in any order of input")
  func states() throws {
    let seed = SeededRandom.seeds("replay oracle", fixed: 1..<2)
    for (first, count) in zip(seed, seed.count == 1 ? [1] : [340, 60]) {
      var random = SeededRandom(seed: first)
      for (given, answer) in try Self.cases(from: first, count: count) {
        let log = given.log
        let whole = Replayed(log)
        let skips = answer.elements(answer.member("skips")).map { answer.string($0) }
        #expect(whole.skips == skips, "seed \(given.seed)")
        let states = answer.elements(answer.member("states")).map { answer.string($0) }
        try #require(states.count == given.queries.count)
        for (query, expected) in zip(given.queries, states) {
          let found = Replayed(log, query.cut(of: log))
          #expect(found.text == expected, "seed \(given.seed), \(query)")
        }
        var shuffled = given
        shuffled.nodes.shuffle(using: &random)
        #expect(Replayed(shuffled.log).text == whole.text, "seed \(given.seed), another order")
      }
    }
  }
}
