// Which nodes the heads reach, while the history grows and refs are moved by hand: what is noted from one run to the next
// never says more than the refs and the nodes do.

import RedoHistory
import RedoObject
import RedoStore
import TestSupport
import Testing

@testable import RedoRepository

@Suite("Note about heads")
struct HeadsNoteTests {
  /// The nodes that the heads reach, with the files of the index and without.
  private func members(_ store: TemporaryStore, usesCache: Bool) throws -> [ObjectID] {
    let history = try HistoryGraph.open(store.open(), usesCache: usesCache, .all)
    return (0..<history.graph.count).filter { history.members?[$0] ?? true }
      .map { history.graph.id(at: $0) }
  }

  /// Whether it is known without reading the refs that the heads reach everything.
  private func isKnown(_ store: TemporaryStore) throws -> Bool {
    let opened = try store.open()
    let snapshot = try opened.snapshot()
    let index = GraphIndex(opened, usesCache: true)
    guard let graph = try index.current(snapshot) else { return false }
    return try index.isComplete(graph, snapshot.chain) || index.staysComplete(graph, snapshot)
  }

  @Test("commits keep it known")
  func commits() throws {
    let store = try TemporaryStore()
    try store.redo("key", "generate")
    try store.fill(3)
    _ = try members(store, usesCache: true)
    try store.fill(2)
    #expect(try isKnown(store))
    let line = try store.redo("commit", "-q", "create", "--title=a", "--format=%(task)")
    let task = line.dropLast()
    for title in ["b", "c"] {
      try store.redo("commit", "-q", "update", "--task=\(task)", "--title=\(title)")
      #expect(try isKnown(store))
    }
    #expect(try members(store, usesCache: true).count == 13)
  }

  @Test("a head that is taken away, put elsewhere or put back")
  func moved() throws {
    let store = try TemporaryStore()
    try store.redo("key", "generate")
    try store.fill(3)
    let ids = try members(store, usesCache: true)
    let row = try #require(try store.redo("show-ref", "--heads").split(separator: "\n").first)
    let words = row.split(separator: " ").map(String.init)
    let (head, name) = (words[0], words[1])
    try store.redo("update-ref", "-d", name, head)
    #expect(try !isKnown(store))
    #expect(try members(store, usesCache: true).count < ids.count)
    #expect(try members(store, usesCache: true) == members(store, usesCache: false))
    // It went and came: as it was.
    try store.redo("update-ref", name, head)
    #expect(try members(store, usesCache: true) == ids)
  }

  @Test("whatever happens", arguments: SeededRandom.seeds("heads note", fixed: 1..<4))
  func random(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let store = try TemporaryStore()
    try store.redo("key", "generate")
    try store.fill(2)
    var known = 0
    /// What has ever been a head, by name.
    var seen: [String: [String]] = [:]
    for _ in 0..<25 {
      let rows = try store.redo("show-ref", "--heads").split(separator: "\n")
        .map { $0.split(separator: " ").map(String.init) }
      for row in rows { seen[row[1], default: []].append(row[0]) }
      let row = rows.isEmpty ? nil : rows[random.below(rows.count)]
      switch random.below(6) {
      case 0: try store.fill(1)
      case 1, 2:
        guard let row else { continue }
        try store.redo(
          "commit", "-q", "update", "--task=\(row[1].split(separator: "/")[1])", "--title=x")
      case 3:
        guard let row, rows.count > 1 else { continue }
        try store.redo("update-ref", "-d", row[1], row[0])
      case 4:
        let names = seen.keys.sorted()
        let name = names[random.below(names.count)]
        let ids = seen[name, default: []]
        try store.redo("update-ref", name, ids[random.below(ids.count)])
      default:
        _ = try members(store, usesCache: true)
      }
      let whole = try members(store, usesCache: false)
      if try isKnown(store) {
        known += 1
        #expect(try HistoryGraph.open(store.open(), usesCache: true).graph.count == whole.count)
      }
      // Only now and then, so that several changes come between two looks.
      if random.once(in: 3) { #expect(try members(store, usesCache: true) == whole) }
    }
    // With a seed of its own it may happen that every look comes after a change.
    if seed < 4 { #expect(known > 0) }
  }
}
