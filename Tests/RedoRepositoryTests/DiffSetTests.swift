// Two points of a history, and the tasks that differ between them.

import RedoHistory
import RedoObject
import RedoStore
import Testing

@testable import RedoRepository

@Suite("Two points of a history")
struct DiffSetTests {
  private static func set(
    _ left: String, _ right: String?, _ store: VectorStore, allowsEmpty: Bool = false
  ) throws -> DiffSet {
    let opened = try store.open()
    let revisions = Revisions(opened, now: 1_760_000_000_000)
    let points = (
      try DiffPoint(left, revisions), try right.map { try DiffPoint($0, revisions) } ?? .present
    )
    return try DiffSet(
      points, .closed, allowsEmpty: allowsEmpty, opened, usesCache: false, isFresh: false)
  }

  private static func differences(_ set: DiffSet) throws -> Int {
    var count = 0
    try set.compare {
      $0.task
    } body: { _ in
      count += 1
      return true
    }
    return count
  }

  @Test("differ in the tasks that nodes between them are about")
  func tasks() throws {
    let store = try VectorStore("linear")
    var set = try Self.set("2025-03-01T08:05:30Z", nil, store)
    #expect(set.left.count { $0 } == 6)
    #expect(set.right.count { $0 } == 18)
    let isWhole = set.findTasks()
    #expect(isWhole)
    #expect(set.tasks.count == 2)
    #expect(set.check())
    #expect(try Self.differences(set) == 2)
    let known = try #require(store.nodes[6].taskID)
    try set.keep([known])
    #expect(try Self.differences(set) == 1)
    let stranger = TaskID.random { 1 }
    let refusal = fault(DiffFault.self) { try set.keep([stranger]) }
    guard case .unusedTask(stranger) = refusal else {
      Issue.record()
      return
    }
  }

  @Test("are instants, logical times, and what revisions reach")
  func points() throws {
    let store = try VectorStore("linear")
    #expect(try Self.set("lamport:2", nil, store).left.count { $0 } == 6)
    #expect(try Self.set(store.nodes[2].id.text, nil, store).left.count { $0 } == 3)
    for text in ["lamport:0", "lamport:", "lamport:x", "lamport:281474976710657"] {
      let refusal = fault(DiffFault.self) { _ = try Self.set(text, nil, store) }
      guard case .noLogicalTime(text) = refusal else {
        Issue.record("\(text)")
        return
      }
    }
    let early = fault(DiffFault.self) { _ = try Self.set("2025-01-01", nil, store) }
    guard case .nothingPrecedes("2025-01-01") = early else {
      Issue.record()
      return
    }
    #expect(try !Self.set("2025-01-01", nil, store, allowsEmpty: true).left.contains(true))
    let snapshot = fault(SnapshotNameFault.self) { _ = try Self.set("snapshot:abcd", nil, store) }
    guard case .unknown("abcd") = snapshot else {
      Issue.record()
      return
    }
    let short = fault(SnapshotNameFault.self) { _ = try Self.set("snapshot:abc", nil, store) }
    guard case .short("abc", 4) = short else {
      Issue.record()
      return
    }
  }
}
