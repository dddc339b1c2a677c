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
    func compare(_ first: CopySource, _ second: CopySource) throws -> CopyComparison {
      try CopyComparison(first, second, Self.noKeys, store.effects)
    }
    let all = try CopySource("all.redo", store.effects)
    let history = try compare(all, CopySource(try store.open()))
    #expect(history.differences.isEmpty)
    #expect(history.same == 18)
    let others = try compare(try CopySource("old.redo", store.effects), all)
    #expect(others.same == 8)
    #expect(others.differences.map(\.id) == store.nodes[8...].map(\.id).sorted())
    #expect(others.differences.allSatisfy { $0.side == .second })
    // A store is one by its directory; what is no node is told of.
    try store.write("{}\n", to: "lines")
    let lines = try compare(
      try CopySource(store.path, store.effects), try CopySource("lines", store.effects))
    #expect(lines.differences.count == 18)
    #expect(lines.differences.allSatisfy { $0.side == .first })
    #expect(
      lines.unread == [CopyComparison.Unread(name: "lines", unreadable: 0, unfit: 1)])
  }

  @Test("are not forgotten while they have the only copy, and can be brought back")
  func registered() throws {
    let store = try VectorStore("linear")
    try Self.make(.all, "a.redo", removes: true, in: store)
    var name = ""
    do {
      var held = try HeldArchives(try store.open(), store.effects)
      let refusal = fault(RegisteredFault.self) {
        name = try held.one("a.redo", SealKeys(), store.effects).hex
        _ = try held.forget("a.redo", isForced: false, store.effects)
      }
      guard case .onlyCopy(_, missing: 18) = refusal else {
        Issue.record()
        return
      }
      let archive = try held.one(String(name.prefix(8)), SealKeys(), store.effects)
      let directory = try held.restore(archive, SealKeys(), store.effects)
      #expect(directory.nodes == 18)
      #expect(held.register.archives.isEmpty)
    }
    #expect(try store.open().objects.listHere(withAlternates: false).count == 18)
    #expect(store.has("a.redo"))
  }
}
