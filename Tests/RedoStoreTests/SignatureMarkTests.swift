// The mark of signatures: it changes whenever another signature of some node may count, and only then.

import RedoObject
import Testing

@testable import RedoStore

@Suite("Mark of signatures")
struct SignatureMarkTests {
  private func write(_ store: ObjectStore, _ writes: [ObjectWrite]) throws {
    var transaction = ObjectTransaction(store)
    _ = try transaction.add(writes)
    _ = try transaction.commit()
  }

  @Test("new and known nodes leave it; a better signature, a healed node do not")
  func renewed() throws {
    let folder = try PackFolder()
    let store = try ObjectStore.open(path: folder.scratch.path, bulkLimit: 3)
    let none = try store.signatureMark()
    #expect(none.count == 32)
    try write(store, [Objects.node("loose", .none)])
    try write(store, (0..<5).map { Objects.node("packed \($0)", .none) })
    try write(store, [Objects.node("loose", .none), Objects.node("packed 1", .none)])
    #expect(try store.signatureMark() == none)
    var marks: Set<[UInt8]> = [none]
    func expectNew(_ what: Comment) throws {
      #expect(marks.insert(try store.signatureMark()).inserted, what)
    }
    try write(store, [Objects.node("loose", .digest)])
    try expectNew("a loose node is signed")
    try write(store, [Objects.node("packed 1", .digest)])
    try expectNew("a packed node is signed")
    try write(store, [Objects.node("packed 1", .body)])
    try expectNew("it is signed better")
    let now = try store.signatureMark()
    try write(store, [Objects.node("packed 1", .digest), Objects.node("loose", .none)])
    #expect(try store.signatureMark() == now, "worse signatures are not kept")

    let damaged = Objects.node("loose", .body)
    let name = Layout.loose(damaged.object.id)
    try folder.scratch.directory.unlink(name)
    try folder.scratch.write(name, [1, 2, 3])
    try write(store, [damaged])
    try expectNew("a node is healed")
  }

  @Test("that of an alternate counts, and where there is none nothing does")
  func alternates() throws {
    let own = try PackFolder()
    let other = try PackFolder()
    let alone = try ObjectStore.open(path: own.scratch.path)
    let store = try ObjectStore.open(
      path: own.scratch.path, alternatePaths: [other.scratch.path])
    #expect(try store.signatureMark() == alone.signatureMark())
    try write(try ObjectStore.open(path: other.scratch.path), [Objects.node("a", .none)])
    #expect(try store.signatureMark() == alone.signatureMark())
    try write(try ObjectStore.open(path: other.scratch.path), [Objects.node("a", .body)])
    #expect(try store.signatureMark() != alone.signatureMark())
  }
}
