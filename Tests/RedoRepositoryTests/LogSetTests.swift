// The nodes that a log walks.

import RedoHistory
import RedoObject
import RedoStore
import Testing

@testable import RedoRepository

@Suite("The nodes of a log")
struct LogSetTests {
  private static func ids(
    _ names: [String], _ store: VectorStore,
    _ point: (Graph, [Bool]?) throws -> [Bool]? = { _, _ in nil }
  ) throws -> Set<ObjectID> {
    let revisions = Revisions(try store.open(), now: 1_760_000_000_000)
    let set = try LogSet.read(
      names, revisions, usesCache: false, [.ids, .parents, .clocks], isFresh: false, point)
    for place in 0..<set.count { #expect(set.place(of: set[place]) == place) }
    return Set((0..<set.count).map { set.graph.id(at: set[$0]) })
  }

  @Test("are all, what revisions reach, or what ranges leave")
  func names() throws {
    let store = try VectorStore("linear")
    let ids = store.nodes.map(\.id)
    #expect(try Self.ids([], store) == Set(ids))
    #expect(try Self.ids([ids[2].text], store) == Set(ids[0...2]))
    #expect(try Self.ids(["\(ids[0].text)..\(ids[2].text)"], store) == Set(ids[1...2]))
    // Revisions that are only excluded are excluded from the whole history.
    #expect(try Self.ids(["^\(ids[5].text)"], store) == Set(ids[6...]))
  }

  @Test("are those that count at a point")
  func point() throws {
    let store = try VectorStore("linear")
    let found = try Self.ids([], store) { graph, _ in PointInTime.lamport(1).members(of: graph) }
    #expect(found == Set([0, 6, 12].map { store.nodes[$0].id }))
  }
}
