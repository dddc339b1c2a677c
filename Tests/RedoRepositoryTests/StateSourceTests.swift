// The nodes that are replayed: from a store, by its index or one by one, and from standard input.

import Foundation
import RedoHistory
import RedoObject
import RedoStore
import TestSupport
import Testing

@testable import RedoRepository

@Suite("The nodes of a replay")
struct StateSourceTests {
  /// The result of reading lines from standard input.
  private static func read(
    _ text: [UInt8], tasks: [String], _ store: VectorStore
  ) throws -> (count: Int, source: StateSource) {
    try Data(text).write(to: URL(filePath: store.path + "/input"))
    let file = try #require(FileHandle(forReadingAtPath: store.path + "/input"))
    defer { try? file.close() }
    let effects = store.effects(input: file.fileDescriptor) { 0 }
    let (log, source) = try StateSource.read(tasks: tasks, effects)
    return (log.count, source)
  }

  @Test("are those of the index, where the whole history is asked for")
  func indexed() throws {
    let store = try VectorStore("linear")
    var request = StateSource.Request()
    request.countsTips = true
    let found = try #require(try StateSource.indexed(request, store.effects))
    #expect(found.log.count == 18)
    #expect(found.source.tipCount == 3)
    request.revisions = [store.nodes[2].id.text]
    #expect(try StateSource.indexed(request, store.effects)?.log.count == nil)
    let loaded = try StateSource.load(request, needsReceived: false, store.effects)
    #expect(loaded.log.count == 3)
    #expect(loaded.source.hasReceived)
  }

  @Test("are those of some tasks")
  func tasks() throws {
    let store = try VectorStore("linear")
    var request = StateSource.Request()
    let task = try #require(store.nodes[0].taskID)
    request.tasks = [task.text]
    #expect(try StateSource.indexed(request, store.effects)?.log.count == nil)
    let loaded = try StateSource.load(request, needsReceived: true, store.effects)
    #expect(loaded.source.tasks == [task])
    #expect(loaded.source.tipCount == 1)
  }

  @Test("are lines of standard input, whose tasks are named by beginnings that fit one")
  func lines() throws {
    let store = try VectorStore()
    let bytes = try VectorFolder.own("log").bytes("linear.ndjson")
    #expect(try Self.read(bytes, tasks: [], store).count == 18)
    for (name, expected) in [("7a", 0), ("7a000000", 1), ("ffffffff", 2)] {
      switch fault(StateFault.self, { _ = try Self.read(bytes, tasks: [name], store) }) {
      case .shortTask: #expect(expected == 0)
      case .ambiguousTask: #expect(expected == 1)
      case .unknownTask: #expect(expected == 2)
      default: Issue.record("\(name)")
      }
    }
    let stranger = TaskID.random { 1 }
    let refusal = fault(StateFault.self) {
      _ = try Self.read(bytes, tasks: [stranger.text], store)
    }
    guard case .unusedTask(stranger) = refusal else {
      Issue.record()
      return
    }
  }

  @Test("are none where the input is no list of nodes, and what is wrong is told")
  func malformed() throws {
    let store = try VectorStore()
    let refusal = fault(StateFault.self) {
      _ = try Self.read(Array("no\n".utf8), tasks: [], store)
    }
    guard case .noNodes = refusal else {
      Issue.record()
      return
    }
    let told = store.log.events.compactMap { event in
      if case .replay(.refused(_, let line)) = event { line } else { nil }
    }
    #expect(told.count == 1)
  }
}

@Suite("Tallies of what has no effect")
struct SkipTallyTests {
  @Test("have the first of each reason, also of two parts")
  func union() throws {
    let ids = try VectorStore.nodes(of: "linear").map(\.id)
    let one = SkipTally(reason: .afterDelete, count: 2, first: ids[4], place: 4)
    let other = SkipTally(reason: .afterDelete, count: 3, first: ids[1], place: 1)
    let alone = SkipTally(reason: .actionUnknown, count: 1, first: ids[7], place: 7)
    let both = SkipTally.union([one, alone], [other])
    #expect(both.map(\.reason) == [.actionUnknown, .afterDelete])
    #expect(both.map(\.count) == [1, 5])
    #expect(both.map(\.first) == [ids[7], ids[1]])
  }
}
