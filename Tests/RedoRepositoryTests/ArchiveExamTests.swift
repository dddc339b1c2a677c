// Examining, comparing, forgetting and restoring archives.

import Foundation
import RedoCrypto
import RedoObject
import RedoStore
import Testing

@testable import RedoRepository

@Suite("Archives that are there")
struct ArchiveExamTests {
  private static func make(
    _ choice: ArchiveMaking.Request.Choice, _ path: String, removes: Bool = false,
    in store: VectorStore
  ) throws {
    var request = ArchiveMaking.Request(choice)
    request.path = path
    request.removes = removes
    _ = try ArchiveMaking.run(
      request, try store.open(), store.effects, write: { _ in }, tell: { _ in })
  }

  private static var noKeys: SealKeys {
    SealKeys(identities: [], passphrase: SealPassphrase(), keyPassphrase: PassphraseSource())
  }

  @Test("are sound, but need what they leave out")
  func sound() throws {
    let store = try VectorStore("linear")
    let range = "\(store.nodes[0].id.text)..\(store.nodes[2].id.text)"
    try Self.make(.revisions([range]), "some.redo", in: store)
    func examine(_ objects: ObjectStore?) throws -> (isSound: Bool, missing: [ObjectID]) {
      var missing: [ObjectID] = []
      let request = ArchiveExam.Request("some.redo", Self.noKeys, .v1, needsIn: objects)
      let isSound = try ArchiveExam.run(request, store.effects) { note in
        if case .missing(let id) = note { missing.append(id) }
      }
      return (isSound, missing)
    }
    #expect(try examine(nil) == (true, []))
    #expect(try examine(try store.open().objects) == (true, []))
    let other = try VectorStore()
    #expect(try examine(try other.open().objects) == (false, [store.nodes[0].id]))
  }

  @Test("differ from each other, and from the history")
  func comparison() throws {
    let store = try VectorStore("linear")
    try Self.make(.all, "all.redo", in: store)
    try Self.make(.before(store.nodes[8].wall.milliseconds), "old.redo", in: store)
    let history = try ArchiveComparison.run("all.redo", with: nil, Self.noKeys, store.effects)
    #expect(history.differences.isEmpty)
    #expect(history.same == 18)
    let others = try ArchiveComparison.run(
      "old.redo", with: "all.redo", Self.noKeys, store.effects)
    #expect(others.same == 8)
    #expect(others.differences.map(\.id) == store.nodes[8...].map(\.id).sorted())
    #expect(others.differences.allSatisfy { $0.side == .second })
  }

  @Test("are not forgotten while they have the only copy, and can be brought back")
  func registered() throws {
    let store = try VectorStore("linear")
    try Self.make(.all, "a.redo", removes: true, in: store)
    var name = ""
    do {
      var held = try HeldArchives(try store.open(), store.effects)
      let refusal = fault(RegisteredFault.self) {
        name = try held.one("a.redo", store.effects).hex
        _ = try held.forget("a.redo", isForced: false, store.effects)
      }
      guard case .onlyCopy(_, missing: 18) = refusal else {
        Issue.record()
        return
      }
      let archive = try held.one(String(name.prefix(8)), store.effects)
      let directory = try held.restore(archive, store.effects)
      #expect(directory.nodes == 18)
      #expect(held.register.archives.isEmpty)
    }
    #expect(try store.open().objects.listHere(withAlternates: false).count == 18)
    #expect(store.has("a.redo"))
  }
}
