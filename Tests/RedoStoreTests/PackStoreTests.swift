// Packs among other places of objects: what is read first, what damage hides, and what moves meanwhile.

import RedoCrypto
import RedoObject
import TestSupport
import Testing

@testable import RedoStore

@Suite("Packs of a store")
struct PackStoreTests {
  @Test("nodes of several packs are found, whatever the cache holds", arguments: [0, 1 << 30])
  func reads(_ limit: Int) throws {
    let folder = try PackFolder()
    let all = PackFolder.nodes(60)
    try folder.add(Array(all[..<40]))
    try folder.add(Array(all[30...]), withIndex: false)
    let store = folder.open(cacheLimit: limit)
    for _ in 0..<2 {
      for node in all { #expect(try store.read(node.object.id) == node.object) }
    }
    #expect(try store.list(prefix: "") == all.map(\.object.id).sorted())
    #expect(try store.read(Objects.blob("x").object.id) == nil)
  }

  @Test("threads that want the same frames get the same nodes")
  func threads() throws {
    let folder = try PackFolder()
    let all = PackFolder.nodes(100)
    try folder.add(all)
    let store = folder.open(cacheLimit: 1 << 20)
    var wanted: [ObjectID] = []
    for _ in 0..<20 { wanted += all.map(\.object.id).shuffled() }
    let found = Threads.parallelMap(
      wanted, threads: 4, makeState: { LooseStore.Workspace() }
    ) { workspace, id in try? store.read(id, &workspace) }
    for (id, object) in zip(wanted, found) { #expect(object?.id == id) }
  }

  @Test("a frame is decoded as far as it is needed, and once more when more of it is")
  func parts() throws {
    let folder = try PackFolder()
    // 18 frames.
    let all = PackFolder.nodes(13 * 18)
    try folder.add(all)
    let counters = StoreCounters()
    let store = PackStore(in: folder.scratch.directory, syncPolicy: .none, counters: counters)
    var workspace = LooseStore.Workspace()
    func read(_ number: Int) throws -> Int {
      #expect(try store.read(all[number].object.id, &workspace) == all[number].object)
      return counters.totals.objectsRead
    }
    #expect(try read(4) == 1)
    for number in [2, 3, 0] { #expect(try read(number) == 1) }
    #expect(try read(5) == 2, "the nodes behind the first one were not there")
    #expect(try read(12) == 2, "now all of them are")
    for frame in 1..<18 { #expect(try read(13 * frame) == 2 + frame) }
    #expect(try read(13 * 17 + 12) == 19, "who has read many frames decodes them whole")
    #expect(try read(13 + 12) == 20)
  }

  @Test("damage behind what was decoded is an error each time, until the frame is whole again")
  func damagedRest() throws {
    let folder = try PackFolder()
    let all = PackFolder.nodes(3)
    let path = "pack/pack-\(try folder.add(all)).pack"
    let good = try folder.scratch.read(path)
    let store = folder.open()
    var workspace = LooseStore.Workspace()
    #expect(try store.read(all[0].object.id, &workspace) == all[0].object)
    var bad = good
    bad[60] ^= 1
    try folder.scratch.write(path, bad)
    for _ in 0..<2 {
      do {
        _ = try store.read(all[2].object.id, &workspace)
        Issue.record("a damaged frame was read")
      } catch {}
    }
    #expect(try store.read(all[0].object.id, &workspace) == all[0].object, "it was read before")
    try folder.scratch.write(path, good)
    for node in all { #expect(try store.read(node.object.id, &workspace) == node.object) }
  }

  @Test("a loose object is read before a packed one; a corrupt copy does not hide a good one")
  func layers() throws {
    let folder = try PackFolder()
    let node = Objects.node("a", .unknownLarge)
    let better = Objects.node("a", .body)
    let id = node.object.id
    let facts = PackEntry(
      node.object, parents: [], lamport: Objects.lamport, wall: WallTime(milliseconds: 0))
    let name = try folder.add([facts] + PackFolder.nodes(3))
    var store = try folder.openAll()
    #expect(try store.read(id) == node.object)
    #expect(try store.write([node]) == [.known])
    #expect(try store.write([better]) == [.upgraded])
    #expect(try store.read(id) == better.object)
    let loose = "\(id.hex.prefix(2))/\(id.hex.dropFirst(2))"
    let bytes = try folder.scratch.read(loose)

    // The loose copy is corrupt: the packed one is read, and healed.
    try folder.scratch.directory.unlink(loose)
    try folder.scratch.write(loose, Array(bytes.dropLast()))
    store = try folder.openAll()
    #expect(try store.read(id) == node.object)
    #expect(try store.write([better]) == [.healed])
    #expect(try store.read(id) == better.object)

    // Both are: that is an error, until a good copy comes.
    try folder.scratch.directory.unlink(loose)
    try folder.scratch.write(loose, Array(bytes.dropLast()))
    var pack = try folder.scratch.read("pack/pack-\(name).pack")
    pack[60] ^= 1
    try folder.scratch.write("pack/pack-\(name).pack", pack)
    store = try folder.openAll()
    #expect(throws: StoreError.self) { _ = try store.read(id) }
    #expect(try store.contains(id))
    try folder.scratch.directory.unlink(loose)
    store = try folder.openAll()
    #expect(throws: StoreError.self) { _ = try store.read(id) }
    #expect(try store.write([node]) == [.healed])
    #expect(try store.read(id) == node.object)
  }

  @Test("of two packs with one node the good copy is read; an alternate's copy too")
  func copies() throws {
    let folder = try PackFolder()
    let all = PackFolder.nodes(6)
    let names = [try folder.add(Array(all[..<4])), try folder.add(Array(all[2...]))]
    for name in names {
      let path = "pack/pack-\(name).pack"
      let good = try folder.scratch.read(path)
      var bad = good
      bad[50] ^= 0x10
      try folder.scratch.write(path, bad)
      let store = try folder.openAll()
      for node in all[2..<4] { #expect(try store.read(node.object.id) == node.object) }
      try folder.scratch.write(path, good)
    }
    // All frames of the first store are damaged; a second one has good ones.
    let other = try PackFolder()
    try other.add(all)
    for name in names {
      var bad = try folder.scratch.read("pack/pack-\(name).pack")
      bad[50] ^= 0x10
      try folder.scratch.write("pack/pack-\(name).pack", bad)
    }
    let store = try ObjectStore.open(
      path: folder.scratch.path, alternatePaths: [other.scratch.path], syncPolicy: .none)
    for node in all { #expect(try store.read(node.object.id) == node.object) }
  }

  @Test("every change of one byte of a pack is found, or changes no answer")
  func changes() throws {
    let folder = try PackFolder()
    let nodes = Packs.distinct(try Packs.log("actions.ndjson"))
    let name = try folder.add(nodes)
    let path = "pack/pack-\(name).pack"
    let good = try folder.scratch.read(path)
    for withIndex in [true, false] {
      if !withIndex { try folder.remove("pack-\(name).idx") }
      for place in good.indices {
        var bad = good
        bad[place] ^= UInt8(1 << (place % 8))
        try folder.scratch.write(path, bad)
        let store = try folder.openAll()
        for node in nodes {
          do throws(StoreError) {
            let object = try store.read(node.object.id)
            // Without an index it is unknown what an unreadable frame contained.
            let isRight = object == node.object || !withIndex && object == nil
            if !isRight { Issue.record("byte \(place) changes an answer") }
          } catch {
            guard case .corrupt(node.object.id, _, _) = error else {
              Issue.record("byte \(place): \(error)")
              continue
            }
          }
        }
      }
    }
  }

  @Test("what moves between packs, or out of them, is found by a reader that listed them before")
  func moves() throws {
    let folder = try PackFolder()
    let all = PackFolder.nodes(6)
    let ids = all.map(\.object.id)
    let first = try folder.add(Array(all[..<3]))
    let reader = try folder.openAll()
    #expect(try reader.read(ids[5]) == nil)

    // A pack is replaced before this reader opens it.
    try folder.add(all)
    try folder.remove("pack-\(first).pack")
    try folder.remove("pack-\(first).idx")
    for id in ids { #expect(try reader.contains(id)) }
    for node in all { #expect(try reader.read(node.object.id) == node.object) }

    // The nodes become loose ones, and the pack goes.
    let late = try folder.openAll()
    #expect(try late.contains(ids[0]))
    let writer = try LooseStore(path: folder.scratch.path, syncPolicy: .none)
    _ = try writer.write(all.map { ObjectWrite($0.object, key: nil) })
    for name in try folder.scratch.directory.openSubdirectory("pack").list() {
      try folder.remove(name)
    }
    for node in all { #expect(try late.read(node.object.id) == node.object) }
    #expect(try late.list(prefix: "") == ids.sorted())
  }

  @Test("what is no pack of this version is passed over, and its leftovers too")
  func others() throws {
    let folder = try PackFolder()
    let nodes = PackFolder.nodes(2)
    let zeros = String(repeating: "0", count: 64)
    try folder.scratch.write("pack/pack-\(zeros).pack", "no pack")
    try folder.scratch.write("pack/pack-\(zeros.dropLast())1.idx", "no index")
    try folder.scratch.write("pack/tmp_pack_0123456789abcdef", Packs.pack(PackFolder.nodes(9)))
    try folder.scratch.write("pack/pack-x.pack", Packs.pack(PackFolder.nodes(9)))
    try folder.add(nodes)
    let store = try folder.openAll()
    #expect(try store.list(prefix: "") == nodes.map(\.object.id).sorted())
    for node in nodes { #expect(try store.read(node.object.id) == node.object) }
    #expect(try store.read(PackFolder.nodes(9)[8].object.id) == nil)
  }
}
