// The same comparison by a program that was written from redo-wire(5) alone: both sides say the same, byte for byte.

import RedoCrypto
import RedoObject
import RedoRemote
import TestSupport
import Testing

@Suite("Range oracle", .enabled(if: Oracle.isPresent, "SKIPPED: no python3 with rfc8785 and nacl"))
struct OracleRangeTests {
  /// What the oracle says with these nodes.
  private func ask(
    _ version: UInt8, _ items: Set<Item>, _ salt: [UInt8], _ questions: [String]
  ) throws -> [String] {
    var text = "\(version) \(hex(salt))\n"
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
        for version in [1, 2] as [UInt8] {
          var next = [words.0, words.1].makeIterator()
          let digests = RangeDigests(salt: RangeSalt { next.next() ?? 0 }, version: version)
          try compare(ours, theirs, digests, salt, keeping: false)
          if version > 1 { try compare(ours, theirs, digests, salt, keeping: true) }
        }
      }
    }
  }

  /// Compares as two stores do, which keep the digests of what they have or not, and asks the oracle for the same.
  private func compare(
    _ ours: Set<Item>, _ theirs: Set<Item>, _ digests: RangeDigests, _ salt: [UInt8], keeping: Bool
  ) throws {
    var (source, other) = (MemoryRangeSource(ours), MemoryRangeSource(theirs))
    if keeping {
      source.tree = RangeTree(of: source)
      other.tree = RangeTree(of: other)
    }
    let top = source.tree?.top
    var initiator =
      top.map { RangeInitiator($0, digests) } ?? RangeInitiator(source, digests)
    let responder = RangeResponder(other, digests)
    var questions: [String] = []
    var answers: [String] = []
    while let message = try initiator.next() {
      let answer = try responder.answer(message)
      questions.append(hex(message.bytes))
      answers.append(hex(answer.bytes))
      if initiator.needsSource(for: answer) {
        let isSame = initiator.use(source)
        #expect(isSame)
      }
      try initiator.take(answer)
    }
    let version = digests.version
    #expect(try ask(version, theirs, salt, questions) == answers)
    #expect(try ask(version, ours, salt, ["first"]) == [questions[0]])
    if let top {
      var root: [UInt8] = []
      root.append(top.root.bytes.span)
      #expect(try ask(version, ours, salt, ["root"]) == [hex(root)])
    }
  }
}
