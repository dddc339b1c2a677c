// Many objects at once: what becomes of them as loose objects or as a pack, also when others write the same.

import RedoCrypto
import RedoObject
import TestSupport
import Testing

@testable import RedoStore

@Suite("Transactions of objects")
struct ObjectTransactionTests {
  /// The nodes of a log, with their signatures or without.
  private func writes(signed: Bool = true) throws -> [ObjectWrite] {
    var decoder = NodeDecoder()
    return Packs.distinct(try Packs.log("linear.ndjson")).map { node in
      var object = node.object
      if !signed { object.signature = nil }
      return ObjectWrite(object, key: decoder.decode(node.object)?.publicKey)
    }
  }

  private func open(_ folder: borrowing PackFolder, limit: Int = 5) throws -> ObjectStore {
    try ObjectStore.open(path: folder.scratch.path, syncPolicy: .none, bulkLimit: limit)
  }

  /// The names in the directory of packs, without what differs.
  private func files(_ folder: borrowing PackFolder) throws -> [String] {
    try folder.scratch.directory.openSubdirectory("pack").list().map { name in
      String(name.prefix(4)) + (name.split(separator: ".").last.map { "." + $0 } ?? "")
    }.sorted()
  }

  @Test("more nodes than the limit become a pack, others loose objects", arguments: [5, 17, 18])
  func limit(_ limit: Int) throws {
    let folder = try PackFolder()
    let all = try writes()
    let store = try open(folder, limit: limit)
    var transaction = ObjectTransaction(store)
    for write in all {
      let known = try transaction.add([write, write])
      #expect(known == [false, false])
    }
    #expect(try open(folder).list(prefix: "").isEmpty, "nothing can be seen yet")
    let summary = try transaction.commit()
    #expect((summary.pack == nil) == (limit == 18))
    for reader in [store, try open(folder)] {
      for write in all { #expect(try reader.read(write.object.id) == write.object) }
      #expect(try reader.primary.list(prefix: "").count == (limit == 18 ? 18 : 0))
    }
    #expect(try files(folder) == (limit == 18 ? [] : ["pack.idx", "pack.pack"]))
  }

  @Test("what is taken back is not in the pack; with nothing left there is none")
  func removal() throws {
    let all = try writes()
    for count in [1, 7, 18] {
      let folder = try PackFolder()
      let store = try open(folder)
      var transaction = ObjectTransaction(store)
      _ = try transaction.add(all)
      let left = Set(all.prefix(count).map(\.object.id))
      transaction.remove(left)
      let summary = try transaction.commit()
      #expect((summary.pack == nil) == (count == 18))
      #expect(try store.list(prefix: "") == all.dropFirst(count).map(\.object.id).sorted())
      for write in all.dropFirst(count) {
        #expect(try store.read(write.object.id) == write.object)
      }
      #expect(try files(folder).count == (count == 18 ? 0 : 2))
    }
  }

  @Test("an object that another writer has named just before is known")
  func justNamed() throws {
    let folder = try PackFolder()
    let all = try writes()
    let store = try open(folder)
    var transaction = ObjectTransaction(store)
    for write in all {
      // The directory has changed within the granularity of its time, again and again.
      let other = try LooseStore(path: folder.scratch.path, syncPolicy: .none)
      _ = try other.write([write])
      var workspace = LooseStore.Workspace()
      #expect(try store.contains([write.object.id], &workspace) == [true])
      #expect(try transaction.add([write]) == [true])
    }
    #expect(try transaction.commit().pack == nil)
  }

  /// Nodes as decoded ones, and the frame of a pack that has them.
  private func framed(_ writes: [ObjectWrite]) throws -> ([ObjectWrite], WholeFrame) {
    var decoder = NodeDecoder()
    let nodes = writes.compactMap { decoder.decode($0.object) }
    try #require(nodes.count == writes.count)
    var deflaters = PackDeflaters(.quick)
    var inflater = Inflater(.none)
    let frame = FrameEncoder.frame(writes.map(\.object), .node, &deflaters, &inflater)
    return (
      nodes.map { ObjectWrite($0, key: $0.publicKey) }, WholeFrame(frame, count: nodes.count)
    )
  }

  /// The frames of the only pack.
  private func frames(of store: ObjectStore) throws -> [[UInt8]] {
    let pack = try #require(try store.packs.all().first)
    var inflater = FrameInflater()
    return try pack.directory().frames.indices.map { try pack.bytes(ofFrame: $0, &inflater).bytes }
  }

  @Test(
    "a frame of new nodes is a part of the pack as it is, whenever it comes",
    arguments: [1, 12, 17])
  func whole(limit: Int) throws {
    let folder = try PackFolder()
    let all = try writes()
    let store = try open(folder, limit: limit)
    var transaction = ObjectTransaction(store)
    var made: [[UInt8]] = []
    for range in [0..<5, 5..<9, 9..<18] {
      let (nodes, frame) = try framed(Array(all[range]))
      made.append(frame.bytes)
      let known = try transaction.add(nodes, frames: [0: frame])
      #expect(known.allSatisfy { !$0 })
    }
    let name = try #require(try transaction.commit().pack)
    #expect(try frames(of: store) == made)
    for write in all { #expect(try open(folder).read(write.object.id) == write.object) }
    let ids = all.map(\.object.id)
    #expect(try store.readBack(name, ids).isEmpty)
    let other = ObjectID(digest: SHA256.digest(of: [1].span))
    #expect(try store.readBack(name, ids + [other]) == [other])
    #expect(try store.readBack(other.digest, ids) == ids)
  }

  @Test("a frame that stands between other nodes")
  func between() throws {
    let folder = try PackFolder()
    let all = try writes()
    let store = try open(folder)
    var transaction = ObjectTransaction(store)
    let (nodes, frame) = try framed(Array(all[4..<9]))
    let known = try transaction.add(
      Array(all[..<4]) + nodes + Array(all[9...]), frames: [4: frame])
    #expect(known.count == 18 && known.allSatisfy { !$0 })
    _ = try transaction.commit()
    let found = try frames(of: store)
    #expect(found.count == 3 && found[1] == frame.bytes)
    for write in all { #expect(try open(folder).read(write.object.id) == write.object) }
  }

  @Test("frames with a node that is there, came before, or stands in them twice are encoded anew")
  func brokenUp() throws {
    let all = try writes()
    for kind in 0..<4 {
      let folder = try PackFolder()
      let store = try open(folder)
      var rows = Array(all[2..<9])
      if kind == 0 { _ = try store.write([all[5]]) }
      var transaction = ObjectTransaction(store)
      if kind == 1 { _ = try transaction.add([all[5]]) }
      if kind == 2 { rows.append(all[5]) }
      let (nodes, frame) = try framed(rows)
      let known = try transaction.add(nodes, frames: [0: frame])
      #expect(known.count == rows.count)
      #expect(known.map { $0 } == rows.indices.map { kind == 0 && $0 == 3 })
      _ = try transaction.add(all)
      if kind == 3 { transaction.remove([all[5].object.id]) }
      _ = try transaction.commit()
      #expect(try frames(of: store).allSatisfy { $0 != frame.bytes })
      let ids = all.map(\.object.id).filter { kind != 3 || $0 != all[5].object.id }
      #expect(try open(folder).list(prefix: "") == ids.sorted(), "case \(kind)")
    }
  }

  @Test("few nodes of a frame become loose objects")
  func few() throws {
    let folder = try PackFolder()
    let store = try open(folder, limit: 18)
    let (nodes, frame) = try framed(try writes())
    var transaction = ObjectTransaction(store)
    _ = try transaction.add(nodes, frames: [0: frame])
    transaction.remove([nodes[17].object.id])
    #expect(try transaction.commit().pack == nil)
    #expect(try store.primary.list(prefix: "").count == 17)
  }

  @Test("frames that are small, or large for what they have, are not worth keeping")
  func worth() throws {
    let objects = (0..<200).map {
      Packs.node(Array("{\"n\":\($0)}".utf8) + Array(repeating: 32, count: 400)).object
    }
    #expect(WholeFrame(Array(repeating: 0, count: 40_000), of: objects) != nil)
    #expect(WholeFrame(Array(repeating: 0, count: 42_000), of: objects) == nil)
    #expect(WholeFrame(Array(repeating: 0, count: 10_000), of: Array(objects[..<150])) == nil)
  }

  @Test("a transaction that is dropped leaves nothing")
  func dropping() throws {
    let folder = try PackFolder()
    do {
      var transaction = ObjectTransaction(try open(folder))
      _ = try transaction.add(try writes())
    }
    #expect(try files(folder).isEmpty)
    #expect(try open(folder).list(prefix: "").isEmpty)
  }

  @Test(
    "of two writers at once the better signatures stay, whoever is first",
    arguments: [true, false], [0, 3])
  func together(signedFirst: Bool, without count: Int) throws {
    let folder = try PackFolder()
    // With none left out both packs have one name.
    let first = try writes(signed: signedFirst)
    let second = Array(try writes(signed: !signedFirst).dropFirst(count))
    var one = ObjectTransaction(try open(folder))
    var other = ObjectTransaction(try open(folder))
    _ = try one.add(first)
    _ = try other.add(second)
    _ = try other.commit()
    _ = try one.commit()
    let reader = try open(folder)
    let signed = try writes()
    let unsigned = try writes(signed: false)
    for (number, write) in signed.enumerated() {
      let expected = number < count && !signedFirst ? unsigned[number] : write
      #expect(try reader.read(write.object.id) == expected.object, "node \(number)")
    }
    #expect(try files(folder).allSatisfy { $0.hasPrefix("pack") })
  }

  @Test("of two copies in one input the better one stays", arguments: [true, false])
  func rivals(_ signedFirst: Bool) throws {
    let folder = try PackFolder()
    let store = try open(folder)
    var transaction = ObjectTransaction(store)
    _ = try transaction.add(try writes(signed: signedFirst))
    _ = try transaction.add(try writes(signed: !signedFirst))
    let summary = try transaction.commit()
    #expect(summary.upgraded == (signedFirst ? 0 : 18))
    for write in try writes() { #expect(try store.read(write.object.id) == write.object) }
    #expect(try store.primary.list(prefix: "").count == (signedFirst ? 0 : 18))
  }

  @Test("a corrupt copy in a pack is healed by a loose one")
  func healing() throws {
    let folder = try PackFolder()
    var transaction = ObjectTransaction(try open(folder))
    _ = try transaction.add(try writes())
    let summary = try transaction.commit()
    let name = try #require(summary.pack)
    let path = "pack/" + PackStore.fileName(name)
    var bytes = try folder.scratch.read(path)
    bytes[100] ^= 4
    try folder.scratch.directory.unlink(path)
    try folder.scratch.write(path, bytes)
    let store = try open(folder)
    var healed = ObjectTransaction.Summary()
    healed.healed = 18
    var second = ObjectTransaction(store)
    let known = try second.add(try writes())
    #expect(known == Array(repeating: true, count: 18))
    let again = try second.commit()
    #expect(again == healed)
    for write in try writes() { #expect(try store.read(write.object.id) == write.object) }
  }
}
