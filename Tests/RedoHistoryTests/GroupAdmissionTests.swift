// Receipts that enter a history: which parents they need, and which heads a chain has afterwards.

import DAGCBOR
import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("Receipts that enter a history")
struct GroupAdmissionTests {
  /// A receipt of docs form, which says what it follows.
  private func receipt(
    _ text: String, after parent: Receipt? = nil, root: ObjectID? = nil, did: String = "did:buds:x"
  ) throws -> Receipt {
    var values = ["did": did, "receiptType": "org.example.note/v1"]
    if let parent {
      values["parentCID"] = parent.id.cidText(as: .receipt)
      values["rootCID"] = (root ?? parent.root).cidText(as: .receipt)
    }
    var writer = CBORWriter()
    writer.map(Array(values.keys) + ["payload"]) { key, writer in
      if let value = values[key] {
        writer.value(value)
      } else {
        writer.map(["text"]) { _, writer in writer.value(text) }
      }
    }
    var decoder = ReceiptDecoder()
    let decoded = decoder.decode(writer.bytes, signature: nil)
    return try #require(decoded, "\(decoder.findings)")
  }

  /// The rules that receipts break, by the receipt.
  private func problems(
    _ receipts: [Receipt], known: [(Receipt, isInHistory: Bool)] = []
  ) -> (rules: [ObjectID: [String]], admission: GroupAdmission) {
    var admission = GroupAdmission()
    for receipt in receipts { admission.add(.receipt(receipt)) }
    let links = known.map { ($0.0.id, GroupLink(.receipt($0.0), isInHistory: $0.isInHistory)) }
    let here = Dictionary(links) { first, _ in first }
    let found = admission.resolve { here[$0] }
    return (
      Dictionary(grouping: found, by: \.id).mapValues { $0.map(\.finding.rule.id) }, admission
    )
  }

  @Test(
    "parents come from the set in any order, from the history, or from the store, which then joins")
  func parents() throws {
    let root = try receipt("root")
    let second = try receipt("second", after: root)
    let third = try receipt("third", after: second)
    let (rules, admission) = problems([third, root, second])
    #expect(rules.isEmpty && admission.ids.count == 3)
    #expect(problems([third], known: [(second, true)]).rules.isEmpty)
    #expect(problems([third], known: [(second, true)]).admission.ids == [third.id])
    let joined = problems([third], known: [(second, false), (root, true)])
    #expect(joined.rules.isEmpty && joined.admission.ids == [third.id, second.id])
    #expect(
      problems([third], known: [(second, false)]).rules
        == [second.id: ["parent-missing"], third.id: ["parent-refused"]])
  }

  @Test("a parent that is missing, of another chain or of another author")
  func wrong() throws {
    let (root, other) = (try receipt("root"), try receipt("other"))
    let orphan = try receipt("orphan", after: try receipt("away"))
    let below = try receipt("below", after: orphan)
    let astray = try receipt("astray", after: root, root: other.id)
    let foreign = try receipt("foreign", after: root, did: "did:buds:y")
    #expect(
      problems([below, orphan, astray, foreign, root]).rules == [
        orphan.id: ["parent-missing"], below.id: ["parent-refused"],
        astray.id: ["receipt-root-mismatch"], foreign.id: ["receipt-author-change"],
      ])
  }

  @Test("a head is what nothing follows, by the definition")
  func heads() throws {
    for seed in SeededRandom.seeds("chains") {
      var random = SeededRandom(seed: seed)
      var all = [try receipt("root 0"), try receipt("root 1")]
      for number in 0..<40 {
        all.append(try receipt("\(number)", after: all[random.below(all.count)]))
      }
      // What came before has its parents; what comes is the rest, shuffled.
      let old = Array(all.prefix(random.below(all.count)))
      func heads(_ receipts: [Receipt], _ root: ObjectID) -> [ObjectID] {
        let followed = Set(receipts.compactMap(\.parent))
        return receipts.filter { $0.root == root && !followed.contains($0.id) }.map(\.id).sorted()
      }
      let new = Array(all.dropFirst(old.count)).shuffled(using: &random)
      let (rules, admission) = problems(new, known: old.map { ($0, true) })
      #expect(rules.isEmpty)
      let changes = admission.changes { group in
        if case .chain(let root) = group { heads(old, root) } else { [] }
      }
      for root in all.prefix(2).map(\.id) {
        let change = changes.first { $0.group == .chain(root) }
        #expect((change?.after ?? heads(old, root)) == heads(all, root), "seed \(seed)")
        #expect(change.map { $0.before == heads(old, root) } ?? true, "seed \(seed)")
      }
      let left = admission.excluding(Set(new.map(\.id)))
      #expect(left.ids.isEmpty)
    }
  }
}
