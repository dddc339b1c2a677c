// Tidying a store up: nodes that nothing refers to go into an archive, all others stay.

import Foundation
import RedoObject
import RedoStore
import Testing

@testable import RedoRepository

@Suite("Tidying a store up")
struct StoreTidyingTests {
  /// An instant later than everything in the store.
  private static let never: Int64 = 9_000_000_000_000

  private static func expired(_ steps: [TidyStep]) -> Set<ObjectID> {
    Set(steps.compactMap { if case .expired(let id) = $0 { id } else { nil } })
  }

  private static func run(
    _ request: StoreTidying.Request, _ store: VectorStore
  ) throws -> [TidyStep] {
    var steps: [TidyStep] = []
    try StoreTidying.run(request, try store.open(), store.effects) { steps.append($0) }
    return steps
  }

  @Test("moves nodes that nothing knows of, once they are old enough, and no others")
  func expiry() throws {
    let store = try VectorStore("linear")
    let strangers = try VectorStore.nodes(of: "order")
    _ = try store.open().objects.write(strangers.map { ObjectWrite($0, key: $0.publicKey) })
    let ids = Set(strangers.map(\.id))
    let young = try Self.run(.init(before: 0, expireTo: "a.redo", isDryRun: true), store)
    #expect(Self.expired(young).isEmpty)
    let dry = try Self.run(.init(before: Self.never, expireTo: "a.redo", isDryRun: true), store)
    #expect(Self.expired(dry) == ids)
    #expect(!store.has("a.redo"))
    let done = try Self.run(.init(before: Self.never, expireTo: "a.redo"), store)
    #expect(Self.expired(done) == ids)
    #expect(store.has("a.redo"))
    let objects = try store.open().objects
    for id in ids { #expect(try !objects.contains(id)) }
    for node in store.nodes { #expect(try objects.contains(node.id)) }
  }

  @Test("moves nothing while something is damaged, which might name others")
  func damaged() throws {
    let store = try VectorStore("linear")
    let stranger = try #require(try VectorStore.nodes(of: "order").first)
    _ = try store.open().objects.write([ObjectWrite(stranger, key: nil)])
    let name = ".redo/objects/\(stranger.id.hex.prefix(2))/\(stranger.id.hex.dropFirst(2))"
    try #require(store.has(name))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: store.path + "/" + name)
    try store.write("no object", to: name)
    let steps = try Self.run(.init(before: Self.never, expireTo: "a.redo"), store)
    #expect(Self.expired(steps).isEmpty)
    #expect(steps.contains { if case .damaged(.unknownNodes) = $0 { true } else { false } })
    #expect(!store.has("a.redo"))
  }
}
