// Public keys and R of small order: with S = 0 such a signature fits many messages, or all of them,
// so that anybody could have "signed" anything. No node is good by one.

import RedoCrypto
import RedoObject
import TestSupport
import Testing

@Suite("Signatures of small order")
struct SmallOrderTests {
  /// The encodings of the eight points whose order divides 8: the identity, -1, two of order 4, four of
  /// order 8; then those that RFC 8032 does not allow: an x of 0 with the other sign, a y beyond p.
  static let points = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "0100000000000000000000000000000000000000000000000000000000000080",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  ]

  private func node(_ key: String, signature: String, title: String) -> String {
    """
    {"action":"CREATE","author":{"deviceId":"d","publicKey":"\(key)","userId":"\(key.prefix(32))"},\
    "data":{"fields":{"title":"\(title)"}},"parents":[],"signature":"\(signature)",\
    "taskId":"7a000000-0000-4000-8000-000000000001",\
    "timestamp":{"lamport":1,"wall":"2025-03-01T08:00:00.000Z"},"version":1}
    """
  }

  @Test(
    "R and key of small order, S = 0: bad for every pair, whatever is signed", arguments: points)
  func everyPair(key: String) throws {
    for point in Self.points {
      // Of eight messages one in eight fits a key of order 8 by chance.
      for number in 0..<16 {
        let text = node(
          key, signature: point + String(repeating: "0", count: 64), title: "t\(number)")
        let node = try #require(decode(text).node)
        #expect(!node.verify().isGood, "\(key) \(point) \(number)")
        #expect(node.verify().letter == "B")
      }
    }
  }

  @Test("the digest is no way around it")
  func digest() throws {
    let identity = Self.points[0]
    let signature = identity + String(repeating: "0", count: 64)
    let node = try #require(decode(node(identity, signature: signature, title: "t")).node)
    let key = try #require(node.publicKey)
    let form = Node.form(
      of: try #require(node.signature), body: node.body.span, id: node.id, key: key)
    #expect(form == nil)
    guard case .bad(let finding) = node.verify() else {
      Issue.record("it is not bad")
      return
    }
    #expect(finding.rule == .signatureBad)
  }
}
