// What chains come to: which receipt is shown, what deletes a chain, and what has no effect.

import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("What chains of receipts come to")
struct ChainViewTests {
  private static let ada = "did:buds:ada"

  /// An id that sorts by its number.
  private static func id(_ number: Int) -> ObjectID {
    ObjectID(hex: Array((String(repeating: "0", count: 60) + String(number + 1000)).utf8).span)
      ?? Self.fallback
  }

  private static let fallback = StoredObject(blob: []).id

  private static func member(
    _ number: Int, after parent: Int? = nil, root: Int? = nil, did: String = ada,
    device: String? = "D1", isSession: Bool = true, effect: ChainMember.Effect = .none,
    isGood: Bool = true, isBound: Bool = false
  ) -> ChainMember {
    ChainMember(
      id: id(number), parent: parent.map(id), root: id(root ?? number), did: did, deviceID: device,
      isSession: isSession, effect: effect, isGood: isGood, isBound: isBound)
  }

  private static func findings(_ view: ChainView) -> [String] {
    view.findings.map { "\($0.id.hex.suffix(4)) \($0.finding.rule.id)" }
  }

  /// The view of some receipts; whatever their order, it is the same.
  private func view(_ members: [ChainMember]) -> ChainView {
    let view = ChainView(members)
    var random = SeededRandom(seed: 5)
    for _ in 0..<4 {
      let other = ChainView(members.shuffled(using: &random))
      #expect(other.chains == view.chains)
      #expect(Self.findings(other) == Self.findings(view))
    }
    return view
  }

  @Test(
    "shown is the deepest, then that of the greatest digest; of a session only what tells of one")
  func shown() {
    let line = [
      Self.member(1), Self.member(2, after: 1, root: 1), Self.member(3, after: 2, root: 1),
      Self.member(9, after: 1, root: 1),
    ]
    #expect(view(line).chains[Self.id(1)]?.shown == Self.id(3))
    #expect(view(line).chains[Self.id(1)]?.heads == [Self.id(3), Self.id(9)])
    #expect(view(line).chains[Self.id(1)]?.depth == 2)
    let equal = line + [Self.member(8, after: 9, root: 1)]
    #expect(view(equal).chains[Self.id(1)]?.shown == Self.id(8))
    let reaction = line + [Self.member(10, after: 3, root: 1, isSession: false)]
    #expect(view(reaction).chains[Self.id(1)]?.shown == Self.id(3))
    // What follows it counts at its depth.
    let further = reaction + [Self.member(11, after: 10, root: 1)]
    #expect(view(further).chains[Self.id(1)]?.shown == Self.id(11))
    let other = [
      Self.member(1, isSession: false), Self.member(2, after: 1, root: 1, isSession: false),
    ]
    #expect(view(other).chains[Self.id(1)]?.shown == Self.id(2))
  }

  @Test("what does not speak for its parent counts for nothing, nor what follows it")
  func unpinned() {
    let root = Self.member(1)
    for (child, speaks) in [
      (Self.member(2, after: 1, root: 1), true),
      (Self.member(2, after: 1, root: 1, isGood: false), false),
      (Self.member(2, after: 1, root: 1, device: "D2"), false),
      (Self.member(2, after: 1, root: 1, device: nil), false),
      (Self.member(2, after: 1, root: 1, device: "D2", isBound: true), true),
      (Self.member(2, after: 1, root: 1, device: "D2", isGood: false, isBound: true), false),
    ] {
      let view = view([root, child, Self.member(3, after: 2, root: 1)])
      let shown = speaks ? (child.deviceID == "D1" ? 3 : 2) : 1
      #expect(view.chains[Self.id(1)]?.shown == Self.id(shown))
      #expect(view.chains[Self.id(1)]?.heads == [Self.id(3)])
      if !speaks { #expect(Self.findings(view) == ["1002 receipt-unpinned"]) }
    }
    let stranger = view([root, Self.member(2, after: 1, root: 1, did: "did:buds:eve")])
    #expect(stranger.chains[Self.id(1)]?.shown == Self.id(1))
    #expect(Self.findings(stranger).isEmpty)
  }

  @Test("a tombstone holds for good, from whatever device speaks for what it deletes")
  func tombstones() {
    let chain = [Self.member(1), Self.member(2, after: 1, root: 1)]
    let inside =
      chain + [
        Self.member(3, after: 2, root: 1, isSession: false, effect: .deletesChain)
      ]
    #expect(view(inside).chains[Self.id(1)]?.tombstone == Self.id(3))
    #expect(view(inside).chains[Self.id(1)]?.shown == Self.id(2))
    let later = inside + [Self.member(4, after: 3, root: 1)]
    #expect(view(later).chains[Self.id(1)]?.tombstone == Self.id(3))
    let outside =
      chain + [
        Self.member(7, isSession: false, effect: .deletes(Self.id(2))),
        Self.member(6, isSession: false, effect: .deletes(Self.id(1))),
      ]
    #expect(view(outside).chains[Self.id(1)]?.tombstone == Self.id(6))
    #expect(view(outside).chains[Self.id(7)]?.tombstone == nil)
    // Before what it deletes has come, there is nothing to say of it.
    #expect(Self.findings(view([outside[2]])).isEmpty)
  }

  @Test("what somebody else deletes stays, also through a receipt of theirs in the chain")
  func foreign() {
    let eve = "did:buds:eve"
    let chain = [Self.member(1), Self.member(2, after: 1, root: 1, did: eve)]
    let view = view(
      chain + [
        Self.member(3, after: 1, root: 1, did: eve, isSession: false, effect: .deletesChain),
        Self.member(4, did: eve, isSession: false, effect: .deletes(Self.id(1))),
        // It speaks for a receipt of the chain, which does not count there.
        Self.member(5, did: eve, isSession: false, effect: .deletes(Self.id(2))),
        Self.member(6, device: "D2", isSession: false, effect: .deletes(Self.id(1))),
        Self.member(7, after: 1, root: 1, device: "D2", isSession: false, effect: .deletesChain),
      ])
    #expect(view.chains[Self.id(1)]?.tombstone == nil)
    #expect(
      Self.findings(view) == [
        "1003 tombstone-foreign", "1004 tombstone-foreign", "1005 receipt-unpinned",
        "1006 receipt-unpinned", "1007 receipt-unpinned",
      ])
  }

  @Test("a long chain takes no more memory than a wide one")
  func long() {
    let chain = (0..<100_000).map { number in
      ChainMember(
        id: Self.wide(number), parent: number == 0 ? nil : Self.wide(number - 1),
        root: Self.wide(0), did: Self.ada, deviceID: "D1", isSession: true, effect: .none,
        isGood: true, isBound: false)
    }
    let view = ChainView(chain)
    #expect(view.chains[Self.wide(0)]?.depth == 99_999)
  }

  private static func wide(_ number: Int) -> ObjectID {
    ObjectID(hex: Array((String(repeating: "0", count: 58) + String(number + 100_000)).utf8).span)
      ?? fallback
  }
}
