// Loose objects: what a damaged, foreign or unfinished file in an object's place does.

import Glibc
import RedoCrypto
import RedoObject
import Testing

@testable import RedoStore

@Suite("Loose objects")
struct LooseTests {
  /// A store with one object, and the file of it.
  private struct Fixture: ~Copyable {
    let scratch: Scratch
    let store: LooseStore
    let object: StoredObject
    var file: String { Layout.loose(object.id) }

    init(_ write: ObjectWrite, compressionLevel: Int = 1) throws {
      let scratch = try Scratch()
      let store = try LooseStore(
        path: scratch.path, compressionLevel: compressionLevel, syncPolicy: .none)
      let outcomes = try store.write([write])
      #expect(outcomes == [.new])
      self.scratch = scratch
      self.store = store
      object = write.object
    }

    /// Puts other bytes into the object's place.
    func replace(_ bytes: [UInt8]) throws {
      try scratch.directory.unlink(file)
      try scratch.write(file, bytes)
    }
  }

  private static let objects: [String: ObjectWrite] = [
    "signed node": Objects.node("Water the plants", .body),
    "unsigned node": Objects.node("Water the plants", .none),
    "blob": Objects.blob("some bytes, some bytes, some bytes and some more"),
    "empty blob": Objects.blob(""),
    "long blob": Objects.blob(String(repeating: "all work and no play ", count: 100)),
  ]

  @Test(
    "every single-bit change is found, or changes nothing",
    arguments: objects.keys.sorted(), [0, 1, 9])
  func singleBits(_ name: String, _ level: Int) throws {
    let fixture = try Fixture(try #require(Self.objects[name]), compressionLevel: level)
    let good = try fixture.scratch.read(fixture.file)
    var harmless = 0
    for place in good.indices {
      for bit in 0..<8 {
        var damaged = good
        damaged[place] ^= 1 << UInt8(bit)
        try fixture.replace(damaged)
        do throws(StoreError) {
          // The bits that only pad a deflate stream, and the hint of its level, say nothing.
          #expect(
            try fixture.store.read(fixture.object.id) == fixture.object,
            "\(name), level \(level): bit \(bit) of byte \(place) changes the object unseen")
          harmless += 1
        } catch {
          guard case .corrupt(fixture.object.id, _, _) = error else {
            Issue.record("\(name), level \(level): bit \(bit) of byte \(place): \(error)")
            continue
          }
        }
      }
    }
    // FLEVEL and FCHECK belong together, so no single bit of the header is free; at most 7 bits pad
    // the last byte of the stream.
    #expect(harmless <= 7, "\(name), level \(level): \(harmless) changes have no effect")
  }

  @Test("every truncation and every surplus is found", arguments: objects.keys.sorted())
  func lengths(_ name: String) throws {
    let fixture = try Fixture(try #require(Self.objects[name]))
    let good = try fixture.scratch.read(fixture.file)
    for bytes in good.indices.map({ Array(good[..<$0]) }) + [good + [0], good + good] {
      try fixture.replace(bytes)
      #expect(throws: StoreError.self) { try fixture.store.read(fixture.object.id) }
    }
  }

  @Test("another object's file is not this object")
  func swapped() throws {
    let fixture = try Fixture(Objects.blob("one"))
    let other = Objects.blob("two")
    #expect(try fixture.store.write([other]) == [.new])
    try fixture.replace(try fixture.scratch.read(Layout.loose(other.object.id)))
    #expect(throws: StoreError.self) { try fixture.store.read(fixture.object.id) }
    // The label is not hashed: readers of a node check that it fits the bytes.
    #expect(try fixture.store.read(other.object.id) == other.object)
  }

  @Test("a stream that fills exactly the room that zlib asks for is whole")
  func exactRoom() {
    // Of so few bytes with long codes zlib makes a block as it is, behind five bytes, and does not say that it is the end.
    let bytes: [UInt8] = [
      0xA0, 0x96, 0x96, 0x96, 0x96, 0x96, 0x96, 0x96, 0x97, 0xA9, 0x96, 0xA9, 0x96, 0x96, 0x96,
    ]
    var deflater = Deflater(for: .codes)
    for _ in 0..<2 {
      let compressed = deflater.compress(bytes.span)
      #expect(compressed.count == 20 && Array(compressed.suffix(15)) == bytes)
    }
  }

  @Test(
    "a node is looked for: of a file that claims to be a huge blob no more than the header is read")
  func claimsBlob() throws {
    let fixture = try Fixture(Objects.node("Water the plants", .body))
    let store = ObjectStore(primary: fixture.store)
    var workspace = LooseStore.Workspace()
    // 64 MiB of zeros in 64 KiB, the end of which is damaged: whoever inflates it all finds that.
    let size = 64 << 20
    var deflater = Deflater(level: 9, isForShort: false)
    let bytes = Array("blob \(size)\0".utf8) + [UInt8](repeating: 0, count: size)
    var file = deflater.compress(bytes.span)
    file[file.count - 1] ^= 1
    try fixture.replace(file)
    func reason(_ read: () throws(StoreError) -> StoredObject?) -> String? {
      do throws(StoreError) {
        _ = try read()
        return nil
      } catch {
        guard case .corrupt(fixture.object.id, _, let reason) = error else { return "\(error)" }
        return reason
      }
    }
    #expect(
      reason { () throws(StoreError) in try store.readNode(fixture.object.id, &workspace) }
        == "the header claims a blob of \(size) bytes in place of a node")
    #expect(
      reason { () throws(StoreError) in try store.read(fixture.object.id, &workspace) }
        == "the compressed data is cut off")
    // A small one is read as it is, and the reader sees what it is.
    let blob = Objects.blob(String(repeating: "all work and no play ", count: 100))
    #expect(try fixture.store.write([blob]) == [.new])
    #expect(try store.readNode(blob.object.id, &workspace) == blob.object)
  }

  @Test("only regular files are objects")
  func kinds() throws {
    let fixture = try Fixture(Objects.blob("one"))
    let path = fixture.scratch.path + "/" + fixture.file
    let aside = fixture.scratch.path + "/aside"
    #expect(unsafe rename(path, aside) == 0)
    #expect(try fixture.store.read(fixture.object.id) == nil)
    #expect(try !fixture.store.contains(fixture.object.id))
    for make in [
      { unsafe symlink(aside, path) }, { unsafe mkfifo(path, 0o644) },
      { unsafe mkdir(path, 0o755) },
    ] {
      #expect(make() == 0)
      #expect(throws: StoreError.self) { try fixture.store.read(fixture.object.id) }
      #expect(try !fixture.store.contains(fixture.object.id))
      #expect(unsafe remove(path) == 0)
    }
  }

  @Test("temporaries and other names are never objects")
  func names() throws {
    let fixture = try Fixture(Objects.blob("one"))
    let shard = Layout.shard(fixture.object.id)
    let bytes = try fixture.scratch.read(fixture.file)
    let hex = fixture.object.id.hex.dropFirst(2)
    for name in ["tmp_obj_0123456789abcdef", hex.uppercased(), hex.dropLast() + "", hex + "0", "x"]
    {
      try fixture.scratch.write("\(shard)/\(name)", bytes)
    }
    #expect(try fixture.store.list(prefix: "") == [fixture.object.id])
  }

  @Test("a corrupt node is healed by the same node, and the file is private to nobody: 0444")
  func heals() throws {
    let write = Objects.node("Water the plants", .body)
    let fixture = try Fixture(write)
    try fixture.replace([])
    #expect(try fixture.store.write([write]) == [.healed])
    #expect(try fixture.store.read(write.object.id) == write.object)
    #expect(try fixture.scratch.directory.status(fixture.file)?.mode == 0o444)
  }

  @Test("a transaction that is given up leaves nothing")
  func givenUp() throws {
    let scratch = try Scratch()
    let store = try LooseStore(path: scratch.path, syncPolicy: .none)
    do {
      var transaction = LooseTransaction(store)
      var compressor = store.makeCompressor()
      var workspace = LooseStore.Workspace()
      for number in 0..<20 {
        transaction.add(
          try store.stage(
            Objects.blob("\(number)"), &compressor, &workspace, isSingle: false, behind: .none))
      }
      #expect(try store.list(prefix: "") == [])
    }
    for shard in try scratch.directory.list() {
      #expect(try scratch.directory.openSubdirectory(shard).list() == [])
    }
  }
}
