// The lines that people read about what is held back from an exchange: what it is, how many, and what helps.

import RedoObject
@testable import RedoRepository
import RedoShell
import Testing

@Suite("words of what is held back")
struct HeldBackWordsTests {
  private static let ids = (1...5).map { ObjectID(words: (0, 0, 0, $0)) }

  private func text(
    _ rule: String, _ count: Int, below: Int = 0, _ side: HeldBack.Side = .there(remote: "cloud")
  ) -> String {
    HeldBack(rule: rule, count: count, below: below, ids: Array(Self.ids.prefix(count)))
      .text(side) { "\($0) change\($0 == 1 ? "" : "s")" }
  }

  @Test("what is private stays, and is counted with what follows it")
  func kept() {
    let things = { (count: Int) in "\(count) receipt\(count == 1 ? "" : "s")" }
    let precise = Rule.receiptPrecise.id
    #expect(
      HeldBack(rule: precise, count: 1, below: 1).privateText(things)
        == "2 receipts stay here: they tell a precise place, or follow what does")
    #expect(
      HeldBack(rule: HeldBack.shared, count: 1, below: 0).privateText(things)
        == "1 receipt stays here: others have shared it, or what it follows")
    #expect(HeldBack(rule: precise, count: 1, below: 0).isPrivate)
    #expect(!HeldBack(rule: Rule.signatureMissing.id, count: 1, below: 0).isPrivate)
  }

  @Test("what has no signature is counted with what follows it, and an option takes or sends it")
  func unsigned() {
    let rule = Rule.signatureMissing.id
    #expect(
      text(rule, 1, below: 1)
        == "2 changes at 'cloud' are not taken: 1 has no signature (\(Self.ids[0].text)), 1 needs it; "
        + "'--allow-unsigned' takes them")
    #expect(
      text(rule, 1, .here(remote: "cloud"))
        == "1 change here is not sent to 'cloud': 1 has no signature (\(Self.ids[0].text)); "
        + "'--allow-unsigned' sends it")
    #expect(text(rule, 4).contains("(\(Self.ids[..<3].map(\.text).joined(separator: ", ")), ...)"))
    #expect(
      text(rule, 0, below: 2)
        == "2 changes at 'cloud' are not taken: 2 need such a one; '--allow-unsigned' takes them")
  }

  @Test(
    "what cannot be read here is repaired from elsewhere, what cannot be read there is sent again",
    arguments: [Rule.objectCorrupt, .objectMissing])
  func unreadable(rule: Rule) {
    #expect(
      text(rule.id, 1, below: 2, .here(remote: "cloud")).hasSuffix(
        "; 'redo verify --repair-from=<source>' takes a good copy from another store, or a backup"))
    #expect(
      text(rule.id, 2, .here(remote: "cloud")).hasSuffix(
        "; 'redo verify --repair-from=<source>' takes good copies from another store, or a backup"))
    #expect(text(rule.id, 1, .here(remote: "cloud")).contains(") [STORAGE_004]; "))
    #expect(!text(rule.id, 1).contains("STORAGE"))
    #expect(
      text(rule.id, 2).hasSuffix(
        "; 'redo push cloud' sends them again where this store has them"))
  }

  @Test("other rules are explained in a page; what a remote calls by another name is not")
  func others() {
    #expect(
      text(Rule.lamportJump.id, 2).hasSuffix(
        "2 break lamport-jump (\(Self.ids[0].text), \(Self.ids[1].text)); redo-rules(7) says more"))
    #expect(text("a-new-rule", 1).hasSuffix("1 breaks a-new-rule (\(Self.ids[0].text))"))
  }
}
