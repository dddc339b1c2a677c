// The parts of a repack: which packs are united, nodes in any order, packs without some of their nodes.

import RedoCrypto
import RedoObject
import RedoStore
import TestSupport
import Testing

@Suite("Repacking")
struct RepackTests {
  @Test(
    "afterwards each pack has a few times the nodes of all smaller ones, and no more are united than needed",
    arguments: SeededRandom.seeds("geometry"))
  func geometry(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<200 {
      let sizes = (0..<random.below(8)).map { _ in 1 + random.below(1 << (1 + random.below(10))) }
        .sorted()
      let loose = random.below(3) == 0 ? 0 : random.below(300)
      let factor = 2 + random.below(4)
      let count = PackGeometry.united(sizes, loose: loose, factor: factor)
      func holds(_ united: Int) -> Bool {
        var below = loose + sizes[..<united].reduce(0, +)
        for size in sizes[united...] {
          if size < factor * below { return false }
          below += size
        }
        return true
      }
      #expect(holds(count), "\(sizes) \(loose) \(factor)")
      for fewer in 0..<count { #expect(!holds(fewer), "\(sizes) \(loose) \(factor)") }
    }
  }

  /// Nodes of some packs and loose ones, in a store of their own.
  private struct Filled {
    var nodes: [PackEntry] = []
    var places: [NodePlace] = []
    var packs: [Pack] = []

    init(_ objects: ObjectStore, _ seed: UInt64) throws {
      var bodies = RandomBodies(seed: seed)
      for _ in 0..<3 {
        var new = try NewPack(in: objects.packs, .node)
        let part = Packs.distinct(
          (0..<500).map { _ in
            Packs.node(bodies.next() + [UInt8](repeating: 0x20, count: 700))
          }
        ).filter { node in !nodes.contains { $0.object.id == node.object.id } }
        for node in part { try new.add(node) }
        let (pack, isNew) = try new.finish()
        #expect(isNew)
        var inflater = FrameInflater()
        for frame in try pack.directory().frames.indices {
          for place in try pack.nodes(ofFrame: frame, &inflater).indices {
            places.append(NodePlace(pack: packs.count, frame: frame, place: place))
          }
        }
        packs.append(pack)
        nodes += part
      }
    }
  }

  @Test(
    "nodes come in the order in which they are wanted, whether there is room or not",
    arguments: [0, 100_000, OrderedReading.usualWaitingLimit])
  func ordered(_ limit: Int) throws {
    let scratch = try Scratch()
    let objects = try ObjectStore.open(path: scratch.path)
    let store = try Filled(objects, 11)
    var random = SeededRandom(seed: 12)
    let order = store.nodes.indices.shuffled(using: &random)
    let folder = try objects.packs.openFolder()
    var reading = OrderedReading(
      order.map { store.nodes[$0].object.id }, order.map { store.places[$0] },
      packs: store.packs, spillingIn: folder.share(), waitingLimit: limit
    ) { _, _ in nil }
    var read: [StoredObject?] = []
    while !reading.isAtEnd { read += try reading.read() }
    #expect(read == order.map { store.nodes[$0].object })
    #expect(reading.failure == nil)
    #expect(try folder.list().filter { $0.hasPrefix(PackStore.temporaryPrefix) } == [])
  }

  @Test("what is not where it should be is told of, and the rest comes")
  func wrongPlaces() throws {
    let scratch = try Scratch()
    let objects = try ObjectStore.open(path: scratch.path)
    let store = try Filled(objects, 13)
    var places = store.places
    places.swapAt(0, 1)
    places[2] = .loose
    var reading = OrderedReading(
      store.nodes.map(\.object.id), places, packs: store.packs, spillingIn: nil
    ) { id, _ in store.nodes.first { $0.object.id == id }?.object }
    var read: [StoredObject?] = []
    while !reading.isAtEnd { read += try reading.read() }
    #expect(read[0] == nil && read[1] == nil)
    #expect(Array(read[2...]) == store.nodes[2...].map(\.object))
  }

  @Test("packs without some nodes: the others are there, and those are not")
  func rewrite() throws {
    let scratch = try Scratch()
    let objects = try ObjectStore.open(path: scratch.path)
    let nodes = try Packs.log("merged.ndjson") + Packs.log("without-key.ndjson")
    let distinct = Packs.distinct(nodes)
    for part in [distinct[..<5], distinct[5..<6], distinct[6...]] {
      var new = try NewPack(in: objects.packs, .node)
      for node in part { try new.add(node) }
      _ = try new.finish()
    }
    let gone = Set(distinct[3..<9].map(\.object.id))
    let outcome = try PackRewrite.remove(
      gone, from: try objects.packs.all(), of: objects.packs)
    #expect(outcome.removed == gone)
    #expect(outcome.gone.count == 3 && outcome.made.count == 2 && outcome.damaged.isEmpty)
    #expect(Set(try objects.packs.all().map(\.name)) == Set(outcome.made.map(\.name)))
    for node in distinct {
      let found = try objects.packs.read(node.object.id)
      #expect(found == (gone.contains(node.object.id) ? nil : node.object))
    }
    let again = try PackRewrite.remove(gone, from: try objects.packs.all(), of: objects.packs)
    #expect(again.gone.isEmpty && again.made.isEmpty && again.removed.isEmpty)
  }

  @Test("a pack of the same bytes is not written again")
  func same() throws {
    let scratch = try Scratch()
    let objects = try ObjectStore.open(path: scratch.path)
    let store = try Filled(objects, 15)
    let name = store.packs[0].name
    var again = try NewPack(in: objects.packs, .node)
    let count = try store.packs[0].directory().nodes
    for node in store.nodes[..<count] { try again.add(node) }
    let (pack, isNew) = try again.finish()
    #expect(pack.name == name && !isNew)
    #expect(try objects.packs.all().count == 3)
  }
}
