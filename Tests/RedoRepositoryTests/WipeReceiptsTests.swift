// Wipes of receipts: what goes with an author, and the heads of what stays.

import RedoCrypto
import RedoObject
import RedoStore
import TestSupport
import Testing

@testable import RedoRepository

@Suite("Wipes of receipts")
struct WipeReceiptsTests {
  @Test(
    "with an author goes what follows, by whomever, and nothing else; heads are what nothing follows"
  )
  func authors() throws {
    let all = try ReceiptsOfStoreTests.receipts()
    let (store, _) = try ReceiptsOfStoreTests.store(all, 7)
    var left = ReceiptsOfStoreTests.whole(all)
    let opened = try ReceiptsOfStoreTests.reopen(store)
    let authors = Set(left.compactMap { all[$0]?.did.text }).sorted().prefix(6)
    try #require(authors.count > 3)
    for author in authors {
      var gone: Set<ObjectID> = []
      var count = -1
      while count < gone.count {
        count = gone.count
        for id in left {
          guard let receipt = all[id] else { continue }
          let follows = receipt.parent.map(gone.contains) ?? false
          if receipt.did.text == author || follows { gone.insert(id) }
        }
      }
      var plan = try WipePlan(.authors([author]), opened)
      #expect(Set(plan.rows.map(\.entry.id)) == gone)
      let hold = try opened.holdObjects(.alone)
      #expect(try plan.carryOut(store.effects))
      extendLifetime(hold)
      left.subtract(gone)
      #expect(try Set(opened.objects.list(prefix: "")) == left)
      #expect(try Set(opened.receivedTimes().keys) == left)
      let parents = Set(left.compactMap { all[$0]?.parent })
      #expect(try Set(opened.heads(of: .receipt).ids) == left.subtracting(parents))
    }
  }

  @Test("a CID or the digits of an id are found in bytes of any kind, and nothing else is")
  func names() {
    let id = ObjectID(digest: SHA256.digest(of: [1, 2, 3].span))
    let other = ObjectID(digest: SHA256.digest(of: [1, 2, 4].span))
    let cid = id.cidText(as: .receipt)
    for text in [
      cid, "x \(cid)", "(\(cid))\n", "a\(cid)7", id.text, "object-\(id.text.dropFirst(7))-2026",
    ] {
      #expect(WipeText.names(Array(text.utf8), [], [id]), "\(text)")
      #expect(!WipeText.names(Array(text.utf8), [], [other]), "\(text)")
    }
    for text in [String(cid.dropLast()), cid.uppercased(), String(id.text.dropLast()), ""] {
      #expect(!WipeText.names(Array(text.utf8), [], [id]), "\(text)")
    }
  }
}
