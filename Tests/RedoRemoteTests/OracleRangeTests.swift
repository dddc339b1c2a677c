// The same comparison by a program that was written from redo-wire(5) alone: both sides say the same, byte for byte.

import RedoCrypto
import RedoObject
import RedoRemote
import TestSupport
import Testing

@Suite("Range oracle", .enabled(if: Oracle.isPresent, "SKIPPED: no python3 with rfc8785 and nacl"))
struct OracleRangeTests {
  /// What the oracle says with these nodes.
  private func ask(_ items: Set<Item>, _ salt: [UInt8], _ questions: [String]) throws -> [String] {
    var text = hex(salt) + "\n"
    for item in items {
      var id: [UInt8] = []
      item.place.id.appendRaw(to: &id)
      var fingerprint: [UInt8] = []
      fingerprint.append(item.fingerprint.digest.bytes.span)
      text += "\(item.place.lamport) \(item.place.wall) \(hex(id)) \(hex(fingerprint))\n"
    }
    text += "\n" + questions.map { $0 + "\n" }.joined()
    return try Oracle.ask("answer_ranges.py", input: Array(text.utf8)).lines.map { string($0) }
  }

  @Test("questions and answers", arguments: SeededRandom.seeds("range oracle", fixed: 1..<3))
  func same(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let sizes = [(0, 0, 9), (0, 9, 9), (300, 3, 30), (2000, 20, 0), (12, 1, 900), (0, 400, 300)]
    for (both, few, many) in sizes {
      for spread in [1, 40] {
        let common = random.items(both, spread: spread)
        let ours = common.union(random.items(few, spread: spread))
        let theirs = common.union(random.items(many, spread: spread))
        let words = (random.next(), random.next())
        var salt: [UInt8] = []
        for word in [words.0, words.1] {
          for shift in 0..<8 as Range<UInt64> {
            salt.append(UInt8(truncatingIfNeeded: word >> (8 * shift)))
          }
        }
        var next = [words.0, words.1].makeIterator()
        let digests = RangeDigests(salt: RangeSalt { next.next() ?? 0 })
        var initiator = RangeInitiator(MemoryRangeSource(ours), digests)
        let responder = RangeResponder(MemoryRangeSource(theirs), digests)
        var questions: [String] = []
        var answers: [String] = []
        while let message = try initiator.next() {
          let answer = try responder.answer(message)
          questions.append(hex(message.bytes))
          answers.append(hex(answer.bytes))
          try initiator.take(answer)
        }
        #expect(try ask(theirs, salt, questions) == answers)
        #expect(try ask(ours, salt, ["first"]) == [questions[0]])
      }
    }
  }
}
