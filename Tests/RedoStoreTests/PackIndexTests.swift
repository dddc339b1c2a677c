// Indexes of packs: they find what is there, and damage is found and changes no answer.

import RedoCrypto
import RedoObject
import TestSupport
import Testing

@testable import RedoStore

@Suite("Indexes of packs")
struct PackIndexTests {
  private func randomIDs(_ count: Int, _ random: inout SeededRandom) -> [ObjectID] {
    (0..<count).map { _ in
      ObjectID(digest: SHA256.digest(of: random.bytes(8).span))
    }
  }

  @Test(
    "every id is found at its place, and nothing else", arguments: SeededRandom.seeds("pack index"))
  func finds(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for count in [0, 1, 2, 255, 3000] {
      let ids = randomIDs(count, &random)
      var builder = PackIndexBuilder()
      var places: [ObjectID: PackIndex.Place] = [:]
      var frame = 0
      var start = 0
      while start < count {
        let part = ids[start..<min(count, start + 1 + random.below(500))]
        builder.add(part)
        for (place, id) in part.enumerated() {
          places[id] = PackIndex.Place(frame: frame, place: place)
        }
        frame += 1
        start = part.endIndex
      }
      let name = SHA256.digest(of: [1].span)
      let memory = builder.finish(name: name)
      let folder = try PackFolder()
      let payload = try memory.payload()
      try folder.scratch.write("x.idx", payload + CacheFile.end(of: payload))
      let opened = PackIndex.open(in: folder.scratch.directory, "x.idx", name: name)
      let file = try #require(opened)
      let other = SHA256.digest(of: [2].span)
      let wrong = PackIndex.open(in: folder.scratch.directory, "x.idx", name: other)
      #expect(wrong == nil)
      for index in [memory, file] {
        #expect(index.nodeCount == count)
        #expect(index.frameCount == frame)
        for id in ids { #expect(try index.place(of: id) == places[id]) }
        for id in randomIDs(100, &random) { #expect(try index.place(of: id) == nil) }
        #expect(try index.ids(prefix: []) == ids.sorted())
        for digits in 1...6 {
          guard let id = ids.first else { continue }
          let prefix = Array(id.hex.utf8.prefix(digits))
          #expect(
            try index.ids(prefix: prefix)
              == ids.filter { $0.hex.utf8.starts(with: prefix) }.sorted())
        }
        #expect(try index.idsByFrame().flatMap { $0 } == ids)
        #expect(try index.payload() == payload)
      }
    }
  }

  /// Whether a new reader gets the right answers, and whether it had to read the pack for them.
  private func answers(
    _ folder: borrowing PackFolder, _ nodes: [PackEntry], without other: ObjectID
  ) throws -> (areRight: Bool, isBuilt: Bool) {
    let store = folder.open()
    var isRight = try !store.contains(other) && store.read(other) == nil
    for node in nodes {
      let object = try store.read(node.object.id)
      isRight = try isRight && object == node.object && store.contains(node.object.id)
    }
    isRight = try isRight && store.list(prefix: "") == nodes.map(\.object.id).sorted()
    return (isRight, try store.all()[0].hasBuiltIndex)
  }

  @Test("every change of one byte is found, and the pack answers instead")
  func changes() throws {
    let folder = try PackFolder()
    let nodes = PackFolder.nodes(16, textBytes: 50)
    let other = PackFolder.nodes(1, from: 99)[0].object.id
    let name = try folder.add(nodes)
    #expect(try answers(folder, nodes, without: other) == (true, false))
    let path = "pack/pack-\(name).idx"
    let good = try folder.scratch.read(path)
    for place in good.indices {
      var bad = good
      bad[place] ^= UInt8(1 << (place % 8))
      try folder.scratch.write(path, bad)
      let found = try answers(folder, nodes, without: other)
      if found != (true, true) { Issue.record("byte \(place): \(found)") }
    }
  }

  /// The payload of a large index: 4000 ids, in frames of 400.
  private func large(
    _ seed: UInt64
  ) throws -> (ids: [ObjectID], name: Digest, payload: [UInt8]) {
    var random = SeededRandom(seed: seed)
    let ids = randomIDs(4000, &random)
    var builder = PackIndexBuilder()
    for start in stride(from: 0, to: 4000, by: 400) { builder.add(ids[start..<start + 400]) }
    let name = SHA256.digest(of: [1].span)
    return (ids, name, try builder.finish(name: name).payload())
  }

  @Test("an index with the larger blocks of version 1 is read, and checked")
  func version1() throws {
    let (ids, name, payload) = try large(8)
    #expect(payload.count == 153_064, "two blocks of 64 KiB, and a part of one")
    var file = payload
    for block in [0..<65_536, 65_536..<131_072, 131_072..<153_064] {
      file += bytes(hex: Hex.text(SHA256.digest(of: payload.span.extracting(block)).bytes.span))
    }
    let line = Array("redo-cache 1 00000000000255e8 ".utf8)
    let end = Array(file[payload.count...]) + line
    let digest = SHA256.digest(of: end.span)
    file += line + Array((Hex.text(digest.bytes.span) + "\n").utf8)
    let folder = try PackFolder()
    try folder.scratch.write("x.idx", file)
    let opened = PackIndex.open(in: folder.scratch.directory, "x.idx", name: name)
    let index = try #require(opened)
    for (number, id) in ids.enumerated() {
      #expect(try index.place(of: id) == PackIndex.Place(frame: number / 400, place: number % 400))
    }
    file[131_072] ^= 1
    try folder.scratch.write("x.idx", file)
    let again = PackIndex.open(in: folder.scratch.directory, "x.idx", name: name)
    let damaged = try #require(again)
    #expect(throws: PackIndexDamage.self) { try damaged.payload() }
  }

  @Test("a part of a large index is checked when it is needed, and gives no wrong answer")
  func parts() throws {
    let (ids, name, payload) = try large(7)
    let good = payload + CacheFile.end(of: payload)
    let folder = try PackFolder()
    for place in stride(from: 5, to: payload.count, by: 1777) {
      var bad = good
      bad[place] ^= 0x40
      try folder.scratch.write("x.idx", bad)
      let opened = PackIndex.open(in: folder.scratch.directory, "x.idx", name: name)
      guard let index = opened else {
        #expect(place < 16_384, "only the first part is needed at once")
        continue
      }
      var damaged = 0
      for (number, id) in ids.enumerated() {
        do throws(PackIndexDamage) {
          let found = try index.place(of: id)
          if found != PackIndex.Place(frame: number / 400, place: number % 400) {
            Issue.record("byte \(place) changes an answer")
          }
        } catch {
          damaged += 1
        }
      }
      #expect(damaged > 0)
    }
  }

  @Test("an index that is cut off, missing, of another pack or of other frames is passed over")
  func foreign() throws {
    let folder = try PackFolder()
    let nodes = PackFolder.nodes(40)
    let other = PackFolder.nodes(1, from: 99)[0].object.id
    let name = try folder.add(nodes)
    let path = "pack/pack-\(name).idx"
    let good = try folder.scratch.read(path)
    for count in stride(from: 0, to: good.count, by: 397) {
      try folder.scratch.write(path, Array(good[..<count]))
      #expect(try answers(folder, nodes, without: other) == (true, true), "\(count) bytes")
    }
    try folder.scratch.write(path, good + [0])
    #expect(try answers(folder, nodes, without: other) == (true, true))
    try folder.remove("pack-\(name).idx")
    #expect(try answers(folder, nodes, without: other) == (true, true))

    let second = try PackFolder()
    let foreign = try second.add(PackFolder.nodes(40, from: 7))
    try folder.scratch.write(path, try second.scratch.read("pack/pack-\(foreign).idx"))
    #expect(try answers(folder, nodes, without: other) == (true, true))

    // Of the right name, whole, but not of these frames, or not of these nodes.
    let digest = try PackReader(.memory(Packs.pack(nodes))).directory.name
    let ids = nodes.map(\.object.id)
    let some = ids.dropFirst()
    for frames in [[ids], [Array(some)], [[], ids], [ids.reversed(), [], [], []]] {
      var builder = PackIndexBuilder()
      for frame in frames { builder.add(frame) }
      let payload = try builder.finish(name: digest).payload()
      try folder.scratch.write(path, payload + CacheFile.end(of: payload))
      #expect(try answers(folder, nodes, without: other).areRight, "\(frames.map(\.count))")
    }
  }
}
