// Everything that a store has, in parts; and what can be read of a pack that is damaged.

import RedoCrypto
import RedoObject
import Testing

@testable import RedoStore

@Suite("Parts of a store")
struct PartsTests {
  /// The parts of a store, and what they report about unreadable ones.
  private func read(_ store: ObjectStore) throws -> (objects: [StoredObject], items: [PartItem]) {
    var objects: [StoredObject] = []
    var items: [PartItem] = []
    func take(_ item: PartItem) {
      if case .object(let object, _) = item { objects.append(object) } else { items.append(item) }
    }
    var workspace = LooseStore.Workspace()
    for layer in store.partLayers {
      for part in store.shards(ofLayer: layer) { try store.read(part, &workspace, take) }
      for part in try store.frames(ofLayer: layer, take) {
        try store.read(part, &workspace, take)
      }
    }
    return (objects, items)
  }

  @Test("loose objects, then frames; each copy once, and shares that add up to the frames")
  func all() throws {
    let folder = try PackFolder()
    let nodes = PackFolder.nodes(40)
    try folder.add(Array(nodes[..<30]))
    try folder.add(Array(nodes[20...]), withIndex: false)
    let store = try folder.openAll()
    let blob = Objects.blob("x")
    _ = try store.write([blob])
    let found = try read(store)
    #expect(found.items.isEmpty)
    #expect(found.objects.count == 51)
    #expect(found.objects.first == blob.object)
    #expect(Set(found.objects.map(\.id)) == Set(nodes.map(\.object.id) + [blob.object.id]))
    for fileBytes in [0, 1, 12_345] {
      let shares = ObjectStore.shares(of: fileBytes, among: nodes.map(\.object))
      #expect(shares.reduce(0, +) == fileBytes && shares.count == 40)
    }
  }

  @Test("a damaged frame: its index names its nodes, and hides none of the others")
  func damage() throws {
    let folder = try PackFolder()
    let nodes = PackFolder.nodes(40)
    for hasIndex in [true, false] {
      let name = try folder.add(nodes, withIndex: hasIndex)
      var bytes = try folder.scratch.read("pack/pack-\(name).pack")
      let directory = try PackReader(.memory(bytes)).directory
      bytes[directory.frames[1].offset + 100] ^= 1
      try folder.remove("pack-\(name).pack")
      try folder.scratch.write("pack/pack-\(name).pack", bytes)
      let found = try read(try folder.openAll())
      let lost = directory.frames[1].nodes
      #expect(found.objects.count == 40 - lost)
      #expect(found.items.count == (hasIndex ? lost : 1))
      try folder.remove("pack-\(name).pack")
      if hasIndex { try folder.remove("pack-\(name).idx") }
    }
  }

  @Test("a pack without a directory is read frame by frame, up to what is no frame")
  func salvage() throws {
    let folder = try PackFolder()
    let nodes = PackFolder.nodes(40)
    let name = try folder.add(nodes)
    let whole = try folder.scratch.read("pack/pack-\(name).pack")
    let directory = try PackReader(.memory(whole)).directory
    func salvage(_ bytes: [UInt8]) throws -> (count: Int, salvage: PackSalvage) {
      try folder.remove("pack-\(name).pack")
      try folder.scratch.write("pack/pack-\(name).pack", bytes)
      let store = folder.open()
      var count = 0
      let pack = try #require(try store.all().first)
      let found = try PackSalvage(pack, of: store) { count += $0.count }
      return (count, found)
    }
    var found = try salvage(whole)
    #expect(found.count == 40 && found.salvage.isOpen && found.salvage.lost.isEmpty)
    found = try salvage(Array(whole.dropLast()))
    #expect(found.count == 40 && found.salvage.lost.isEmpty && !found.salvage.isOpen)
    let kept = directory.frames[..<2].reduce(0) { $0 + $1.nodes }
    found = try salvage(Array(whole[..<(directory.frames[2].offset + 50)]))
    #expect(found.count == kept && found.salvage.lost.count == 40 - kept)
    // A frame whose columns are damaged still tells where the next one begins.
    var wrong = whole
    wrong[directory.frames[1].offset + 40] ^= 1
    wrong.removeLast()
    found = try salvage(wrong)
    #expect(found.count == 40 - directory.frames[1].nodes)
    #expect(found.salvage.lost.count == directory.frames[1].nodes)
    found = try salvage([])
    #expect(found.count == 0 && found.salvage.lost.count == 40)
  }
}
