// Archives that a plan does not keep are removed, but only if their nodes are stored elsewhere.

import RedoObject
import RedoStore
import Testing

@testable import RedoRepository

@Suite("Pruning of archives")
struct ArchivePruningTests {
  private static var newest: RetentionPlan {
    var plan = RetentionPlan()
    plan.counts[.last] = 1
    return plan
  }

  private static func make(
    _ choice: ArchiveMaking.Request.Choice, _ path: String, in store: VectorStore
  ) throws {
    var request = ArchiveMaking.Request(choice)
    request.path = path
    _ = try ArchiveMaking.run(
      request, try store.open(), store.effects, write: { _ in }, tell: { _ in })
  }

  @Test("removes what the plan does not keep, and nothing in a dry run")
  func removes() throws {
    let store = try VectorStore("linear")
    for path in ["a.redo", "b.redo"] { try Self.make(.all, path, in: store) }
    for isDryRun in [true, false] {
      let outcome = try ArchivePruning.run(
        .init(["a.redo", "b.redo"], Self.newest, isDryRun: isDryRun), try store.open(),
        store.effects
      ) { _ in Issue.record() }
      #expect(outcome.isClean)
      #expect(outcome.archives.map(\.reasons) == [[.rule(.last)], []])
      #expect(outcome.archives.map(\.time) == [1_760_000_000_000, 1_760_000_000_000])
      #expect(store.has("a.redo"))
      #expect(store.has("b.redo") == isDryRun)
    }
  }

  @Test("keeps what an increment needs, and counts the store only when told to")
  func increments() throws {
    let store = try VectorStore("linear")
    try Self.make(.before(store.nodes[8].wall.milliseconds), "a.redo", in: store)
    var request = ArchiveMaking.Request(.all)
    request.path = "b.redo"
    request.since = ["a.redo"]
    _ = try ArchiveMaking.run(
      request, try store.open(), store.effects, write: { _ in }, tell: { _ in })
    let opened = try store.open()
    for storeCounts in [false, true] {
      let outcome = try ArchivePruning.run(
        .init(["b.redo", "a.redo"], Self.newest, isDryRun: true, storeCounts: storeCounts), opened,
        store.effects
      ) { _ in Issue.record() }
      #expect(outcome.isClean)
      #expect(
        outcome.archives.map(\.reasons)
          == [[.rule(.last)], storeCounts ? [] : [.prerequisite]])
    }
    var gap: (path: String, count: Int, id: ObjectID)?
    let alone = try ArchivePruning.run(
      .init(["b.redo"], Self.newest), opened, store.effects
    ) { obstacle in
      if case .gap(let path, let count, let id) = obstacle { gap = (path, count, id) }
    }
    #expect(!alone.isClean && store.has("b.redo"))
    #expect(gap?.path == "b.redo" && gap?.count == 1 && gap?.id == store.nodes[7].id)
  }

  @Test("keeps an archive whose nodes are nowhere else")
  func needed() throws {
    let store = try VectorStore("linear")
    try Self.make(.before(store.nodes[8].wall.milliseconds), "a.redo", in: store)
    try Self.make(.all, "b.redo", in: store)
    try store.loseObjects()
    var needs: [ArchivePruning.Need] = []
    let outcome = try ArchivePruning.run(
      .init(["a.redo", "b.redo"], Self.newest), try store.open(), store.effects
    ) { obstacle in
      if case .needed(_, let need) = obstacle { needs.append(need) }
    }
    #expect(needs == [.nodes(10)])
    #expect(!outcome.isClean)
    #expect(outcome.archives.map(\.reasons) == [[.rule(.last)], [.needed]])
    #expect(store.has("b.redo"))
  }

  @Test("keeps what the store reads, what it never received, and what is from the future")
  func unknown() throws {
    let store = try VectorStore("linear")
    try Self.make(.all, "a.redo", in: store)
    let other = try VectorStore()
    let unknown = try ArchivePruning.run(
      .init([store.path + "/a.redo"], Self.newest), try other.open(), other.effects
    ) { _ in Issue.record() }
    #expect(unknown.archives.map(\.reasons) == [[.unknown]])
    let early = store.effects { 1 }
    let future = try ArchivePruning.run(
      .init(["a.redo"], Self.newest), try store.open(), early
    ) { _ in Issue.record() }
    #expect(future.archives.map(\.reasons) == [[.future]])
  }

  @Test("keeps what it cannot read, unless whoever is told throws")
  func unreadable() throws {
    struct Enough: Error {}
    let store = try VectorStore("linear")
    try store.write("no archive", to: "a.redo")
    let outcome = try ArchivePruning.run(
      .init(["a.redo"], Self.newest), try store.open(), store.effects
    ) { _ in }
    #expect(outcome.archives.map(\.reasons) == [[.unreadable]])
    #expect(!outcome.isClean)
    let error = fault(Enough.self) {
      _ = try ArchivePruning.run(
        .init(["a.redo"], Self.newest), try store.open(), store.effects
      ) { _ in throw Enough() }
    }
    #expect(error != nil)
  }

  @Test("refuses a file that is named twice")
  func twice() throws {
    let store = try VectorStore("linear")
    try Self.make(.all, "a.redo", in: store)
    let refusal = fault(PruneFault.self) {
      _ = try ArchivePruning.run(
        .init(["a.redo", "./a.redo"], Self.newest), try store.open(), store.effects
      ) { _ in }
    }
    guard case .same("a.redo", "./a.redo") = refusal else {
      Issue.record()
      return
    }
  }
}
