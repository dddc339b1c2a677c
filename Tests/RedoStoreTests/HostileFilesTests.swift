// Files whose hashes fit and whose numbers lead elsewhere: somebody wrote them to do harm.

import RedoCrypto
import RedoObject
import Testing

@testable import RedoStore

@Suite("Files with hostile numbers")
struct HostileFilesTests {
  private static let name = Digest(bytes: InlineArray(repeating: 3))

  /// The index of a pack of two frames and five nodes, its bytes changed.
  private static func index(
    in scratch: borrowing Scratch, _ change: (inout [UInt8]) -> Void
  ) throws -> PackIndex? {
    var builder = PackIndexBuilder()
    builder.add([id(1), id(2), id(3)])
    builder.add([id(4), id(5)])
    var payload = try builder.finish(name: name).payload()
    change(&payload)
    try CacheFile.write(payload, in: scratch.directory, folder: "cache", "index")
    return PackIndex.open(in: scratch.directory, "cache/index", name: name)
  }

  @Test(
    "an index of a pack with frames that there are not is damaged",
    arguments: [2, 1 << 31, 1 << 32 - 1])
  func frame(_ frame: Int) throws {
    let scratch = try Scratch()
    let found = try Self.index(in: scratch) { payload in
      for place in 1...5 {
        let start = payload.count - 6 * place
        for index in 0..<4 {
          payload[start + index] = UInt8(truncatingIfNeeded: frame >> (8 * index))
        }
      }
    }
    let index = try #require(found)
    #expect(throws: PackIndexDamage()) { _ = try index.place(of: id(1)) }
    #expect(throws: PackIndexDamage()) { _ = try index.idsByFrame() }
    #expect(throws: PackIndexDamage()) { try index.forEach { _, _ in } }
    #expect(try index.ids(prefix: []).count == 5)
  }

  @Test("an index that states more frames than nodes is none")
  func frames() throws {
    let scratch = try Scratch()
    #expect(try Self.index(in: scratch) { $0[3] = 0xFF } == nil)
    #expect(try Self.index(in: scratch) { _ in } != nil)
  }

  @Test("a time of receipt beyond the year 9999 counts as the last there is")
  func receipt() {
    #expect(Received.note(of: Received.forgetting) == .forgotten)
    #expect(
      Received.note(of: Received.forgetting - 1) == .received(WallTime.latest.milliseconds))
  }

  @Test("what inflates to far more than its file is hashed before it gets memory")
  func bomb() throws {
    let scratch = try Scratch()
    let store = try LooseStore(path: scratch.directory.path)
    let large = [UInt8](repeating: 7, count: 64 << 20)
    let own = ObjectID(digest: SHA256.digest(of: large.span))
    let object = StoredObject(id: own, kind: .blob, canonical: large, signature: nil)
    _ = try store.write([ObjectWrite(object, key: nil)])
    #expect(try store.read(own)?.canonical == large)
    var workspace = LooseStore.Workspace()
    #expect(store.contentID(of: own, &workspace) == own)
    // Under the name of another, as a node too.
    let bytes = try #require(try scratch.directory.readFile(Layout.loose(own)))
    let other = id(9)
    try scratch.directory.makeDirectory(String(Layout.loose(other).prefix(2)))
    try scratch.write(Layout.loose(other), bytes)
    #expect(throws: StoreError.self) { try store.read(other) }
    #expect(store.contentID(of: other, &workspace) == own)
  }
}
