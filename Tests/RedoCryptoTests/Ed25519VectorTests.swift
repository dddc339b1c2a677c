// Which signatures hold: the set that every store must agree on, pinned by other projects' vectors.

import RedoCrypto
import TestSupport
import Testing

@Suite(
  "Shared Ed25519 vectors",
  .enabled(if: VectorFolder.isSharedPresent, "SKIPPED: ../shared/vectors is absent"))
struct Ed25519VectorTests {
  private struct KnownAnswer: Decodable {
    let name, seed, publicKey, message, signature: String
  }

  @Test("RFC 8032 section 7.1: seed to key, key and message to signature, and it holds")
  func knownAnswers() throws {
    let folder = VectorFolder.shared("ed25519-kat")
    let answers = try folder.json("rfc8032-7.1.json", as: [KnownAnswer].self)
    #expect(answers.count == 5)
    for answer in answers {
      let key = secretKey(seed: bytes(hex: answer.seed))
      let message = bytes(hex: answer.message)
      let point = key.publicKey
      let made = key.sign(message.span)
      #expect(point == publicKey(answer.publicKey), "\(answer.name)")
      #expect(made == signature(answer.signature), "\(answer.name)")
      #expect(holds(made, of: message, by: point), "\(answer.name)")
    }
  }

  private struct SpecialCase: Decodable {
    let message, pub_key, signature: String
  }

  @Test("of the twelve edge cases of ed25519-speccheck exactly number 3 is accepted")
  func specCheck() throws {
    let folder = VectorFolder.shared("ed25519-speccheck")
    let cases = try folder.json("cases.json", as: [SpecialCase].self)
    let rows = try folder.table()
    #expect(rows.count == 12 && cases.count == 12)
    for row in rows {
      let special = cases[try #require(Int(row[0]))]
      let isGood = holds(
        try #require(signature(special.signature)), of: bytes(hex: special.message),
        by: try #require(publicKey(special.pub_key)))
      #expect(isGood == (row[1] == "accept"), "case \(row[0])")
    }
  }

  private struct Wycheproof: Decodable {
    struct Group: Decodable {
      struct Key: Decodable { let pk: String }
      struct Test: Decodable {
        let tcId: Int
        let msg, sig, result: String
      }
      let publicKey: Key
      let tests: [Test]
    }
    let numberOfTests: Int
    let testGroups: [Group]
  }

  @Test("Wycheproof: valid signatures hold, invalid ones do not")
  func wycheproof() throws {
    let suite = try VectorFolder.shared("wycheproof")
      .json("ed25519_test.json", as: Wycheproof.self)
    var count = 0
    for group in suite.testGroups {
      let key = try #require(publicKey(group.publicKey.pk))
      for test in group.tests {
        count += 1
        // A signature of another length than 64 bytes has no form at all.
        let isGood = signature(test.sig).map { holds($0, of: bytes(hex: test.msg), by: key) }
        #expect((isGood ?? false) == (test.result == "valid"), "test \(test.tcId)")
      }
    }
    #expect(count == suite.numberOfTests)
  }
}
