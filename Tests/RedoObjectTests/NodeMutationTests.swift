// Damaged nodes: whatever the bytes, the decoder answers, and what it accepts is a node that is
// written and read back as the same.

import RedoObject
import TestSupport
import Testing

@Suite("Node mutations")
struct NodeMutationTests {
  @Test("flipped, inserted, deleted and copied bytes never bring the decoder down")
  func mutations() throws {
    let folder = VectorFolder.own("node")
    let texts = try folder.table().filter { $0[1] == "valid" }.map { try folder.bytes($0[0]) }
      .filter { $0.count < 3000 }
    for seed in SeededRandom.seeds("node mutations", fixed: 1..<3) {
      var random = SeededRandom(seed: seed)
      var accepted = 0
      for number in 0..<3000 {
        var text = texts[random.below(texts.count)]
        for _ in 0...random.below(3) { Mutation.apply(to: &text, &random) }
        let profile = Profile.allCases[number % 3]
        // The strict envelope judges what the other takes off.
        let envelope: NodeDecoder.Envelope = random.once(in: 2) ? .strip : .refuse
        let decoded = decode(text, profile: profile, envelope: envelope)
        #expect((decoded.node == nil) == !decoded.listed(.error).isEmpty, "seed \(seed)")
        guard let node = decoded.node else { continue }
        accepted += 1
        let again = decode(whole(node), profile: profile)
        #expect(again.node?.id == node.id && again.node?.body == node.body, "seed \(seed)")
        #expect(again.statedID == node.id, "seed \(seed)")
      }
      // Most of what is left alone by the id is white space, which costs nothing.
      #expect(accepted > 0, "seed \(seed): no mutated node is still valid")
    }
  }

  @Test("with the id left out, every change of a value is either refused or another node")
  func withoutID() throws {
    for seed in SeededRandom.seeds("node mutations without id", fixed: 1..<3) {
      var random = SeededRandom(seed: seed)
      var ids: Set<ObjectID> = []
      var bodies: Set<[UInt8]> = []
      for _ in 0..<3000 {
        var text = Array(nodeText().utf8)
        for _ in 0...random.below(2) { Mutation.apply(to: &text, &random) }
        guard let node = decode(text).node else { continue }
        ids.insert(node.id)
        bodies.insert(node.body)
      }
      #expect(ids.count == bodies.count && ids.count > 10, "seed \(seed)")
    }
  }
}
