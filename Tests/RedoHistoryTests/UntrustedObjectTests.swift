// What the trust file keeps out of a history, and what stays good of a revoked key whichever way it comes.

import RedoCrypto
import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("Objects at the door")
struct UntrustedObjectTests {
  private static let ada = String(repeating: "ad", count: 32)
  private static let bob = String(repeating: "b0", count: 32)
  private static let absent = "sha256:" + String(repeating: "5", count: 64)

  private func key(_ hex: String) throws -> PublicKey {
    try #require(Signer(hex: Array(hex.utf8).span)?.key)
  }

  private func list(_ lines: String...) throws -> TrustList {
    try TrustText(Array(lines.joined(separator: "\n").utf8)).list
  }

  /// The letters of nodes under a trust file, each `-` where it may come in, `f` where it follows another.
  private func letters(
    _ list: TrustList, _ nodes: [(Node, by: PublicKey)], in order: [Int]? = nil
  ) -> String {
    var admission = Admission(profile: .v1)
    var suspects = TrustSuspects(list)
    for place in order ?? Array(nodes.indices) {
      admission.add(nodes[place].0, record: place)
      suspects.note(nodes[place].0.id, by: nodes[place].by, at: nodes[place].0.wall)
    }
    let reached = suspects.anchors.mapValues { admission.reached(from: $0) }
    let rows = admission.untrusted(suspects.untrusted(reached: reached))
    let found = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
    return nodes.map { node, _ in
      guard let row = found[node.id] else { return "-" }
      return row.ancestor == nil ? String(row.answer.standing.letter) : "f"
    }.joined()
  }

  @Test("letters are those of reports; what follows waits too, and nothing else")
  func answers() throws {
    var maker = NodeMaker()
    let (ada, bob) = (try key(Self.ada), try key(Self.bob))
    let first = maker.node(task: 1)
    let second = maker.node(task: 1, parents: [first.id], lamport: 2)
    let third = maker.node(task: 2, parents: [second.id], lamport: 3)
    let fourth = maker.node(task: 3, lamport: 1)
    let nodes = [(first, by: ada), (second, by: bob), (third, by: ada), (fourth, by: ada)]
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
      #expect(letters(try list(Self.ada), nodes, in: order) == "-Uf-")
      #expect(letters(try list(Self.ada, Self.bob), nodes, in: order) == "----")
      #expect(letters(try list(Self.ada, "\(Self.bob) revoked"), nodes, in: order) == "-Rf-")
      let before = "\(Self.bob) valid-before=1969-01-01T00:00:00.000Z"
      #expect(letters(try list(Self.ada, before), nodes, in: order) == "-Xf-")
      #expect(letters(try list(Self.bob), nodes, in: order) == "UfUU")
      #expect(letters(try list("\(Self.ada) role=auditor", Self.bob), nodes, in: order) == "UfUU")
    }
  }

  @Test("what stays good of a revoked key is found among what comes, over the nodes of others, too")
  func stays() throws {
    var maker = NodeMaker()
    let (ada, bob) = (try key(Self.ada), try key(Self.bob))
    let first = maker.node(task: 1)
    let second = maker.node(task: 1, parents: [first.id], lamport: 2)
    let third = maker.node(task: 1, parents: [second.id], lamport: 3)
    let late = maker.node(task: 1, parents: [third.id], lamport: 4)
    let beside = maker.node(task: 2)
    let nodes = [
      (first, by: bob), (second, by: ada), (third, by: bob), (late, by: bob), (beside, by: bob),
    ]
    for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0]] {
      let kept = "\(Self.bob) revoked,valid-through=\(third.id.text)"
      #expect(letters(try list(Self.ada, kept), nodes, in: order) == "---RR")
      let less = "\(Self.bob) revoked,valid-through=\(first.id.text)"
      #expect(letters(try list(Self.ada, less), nodes, in: order) == "--RRR")
      // The anchor is not here: nothing shows that anything stays.
      let gone = "\(Self.bob) revoked,valid-through=\(Self.absent)"
      #expect(letters(try list(Self.ada, gone), nodes, in: order) == "RfRRR")
    }
  }

  @Test("they are counted by letter, those that follow apart, and each unknown key once")
  func counts() throws {
    var maker = NodeMaker()
    let ids = (0..<4).map { _ in maker.node(task: 1).id }
    let signer = Signer.key(try key(Self.bob))
    func answer(_ reason: Standing.Reason) -> TrustSuspects.Answer {
      TrustSuspects.Answer(
        signer: signer, standing: Standing(reason: reason, line: nil, role: nil))
    }
    let count = UntrustedCount([
      UntrustedObject(ids[0], answer(.untrusted)), UntrustedObject(ids[1], answer(.untrusted)),
      UntrustedObject(ids[2], answer(.revoked)),
      UntrustedObject(ids[3], answer(.untrusted), following: ids[0]),
    ])
    #expect(count.letters == ["U": 2, "R": 1] && count.following == 1 && count.total == 4)
    #expect(count.unknown == [signer])
  }
}
