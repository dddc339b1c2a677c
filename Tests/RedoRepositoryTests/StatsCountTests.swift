// Counting the objects of a store.

import RedoObject
import RedoStore
import Testing

@testable import RedoRepository

@Suite("A count of objects")
struct StatsCountTests {
  private static func count(_ store: VectorStore) throws -> StatsSummary {
    let opened = try store.open()
    return try StatsCount.run(opened, heads: try HistoryLoad.heads(opened))
  }

  @Test("has the nodes of the history, those outside of it, and their actions")
  func nodes() throws {
    let store = try VectorStore("linear")
    let strangers = try VectorStore.nodes(of: "order")
    _ = try store.open().objects.write(strangers.map { ObjectWrite($0, key: $0.publicKey) })
    let summary = try Self.count(store)
    #expect(summary.changes.count == 18)
    #expect(summary.outside.count == Set(strangers.map(\.id)).count)
    #expect(summary.tallies[.action]?["CREATE"]?.count == 3)
    #expect(summary.tallies[.month]?["2025-03"]?.count == 18)
    #expect(summary.missing == 0)
    #expect(summary.damage.isEmpty)
    let size = store.nodes.reduce(0) { $0 + StoredObject($1).wholeSize }
    #expect(summary.changes.size == size)
  }

  @Test("has the heads that are missing")
  func missing() throws {
    let store = try VectorStore("linear")
    try store.loseObjects()
    let summary = try Self.count(store)
    #expect(summary.changes.count == 0)
    #expect(summary.missing == 3)
  }
}
