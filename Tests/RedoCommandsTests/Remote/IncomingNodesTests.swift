// Nodes that a remote sends to be looked at: whole packs give their nodes, anything else ends the exchange.

import RedoObject
import RedoRemote
@testable import RedoRepository
import RedoStore
import TestSupport
import Testing

@Suite("Nodes that come to be looked at")
struct IncomingNodesTests {
  /// A pack of the nodes of a store, as it goes over the wire.
  private static func pack(_ store: TemporaryStore) throws -> (bytes: [UInt8], ids: [ObjectID]) {
    let objects = try store.open().objects
    let ids = try store.log()
    var bytes: [UInt8] = []
    var packs = WirePacks()
    var decoder = PlaceDecoder()
    for id in ids {
      let object = try #require(try objects.read(id))
      let node = try #require(PackEntry(object, &decoder))
      try packs.add(node) { if case .bytes(let more) = $0 { bytes += more } }
    }
    try packs.end { if case .bytes(let more) = $0 { bytes += more } }
    return (bytes, ids)
  }

  private static func limits(bytes: Int = 1 << 20, nodes: Int = 100) throws -> Receiver.Limits {
    var limits = try Receiver.Limits(try TemporaryStore().open().store.config)
    (limits.bytes, limits.nodes) = (bytes, nodes)
    return limits
  }

  @Test("each pack gives its nodes, in pieces of any size, and nothing is kept of it")
  func whole() throws {
    let store = try TemporaryStore()
    try store.redo("key", "generate")
    try store.fill(3)
    let (bytes, ids) = try Self.pack(store)
    var came: [ObjectID] = []
    let incoming = IncomingNodes(try Self.limits()) { came.append($0.id) }
    for size in [1, 7, bytes.count] {
      for start in stride(from: 0, to: bytes.count, by: size) {
        try incoming.take(.bytes(Array(bytes[start..<min(start + size, bytes.count)])))
      }
      try incoming.take(.end)
    }
    #expect(came == ids + ids + ids)
    #expect(try incoming.finish() == Admitted(taken: 0, refused: []))
  }

  @Test("a pack with another byte, or without its end, is malformed")
  func damaged() throws {
    let store = try TemporaryStore()
    try store.redo("key", "generate")
    try store.fill(2)
    let (bytes, _) = try Self.pack(store)
    var bad: [[UInt8]] = [[], Array(bytes.dropLast()), Array(bytes.prefix(20))]
    for place in stride(from: 0, to: bytes.count, by: 13) {
      var changed = bytes
      changed[place] ^= 1
      bad.append(changed)
    }
    for bytes in bad {
      let incoming = IncomingNodes(try Self.limits()) { _ in }
      try incoming.take(.bytes(bytes))
      var isMalformed = false
      do throws(RemoteError) { try incoming.take(.end) } catch {
        if case .malformed = error { isMalformed = true }
      }
      #expect(isMalformed, "\(bytes.count) bytes")
    }
  }

  @Test("more bytes or nodes than one exchange may have end it")
  func limits() throws {
    let store = try TemporaryStore()
    try store.redo("key", "generate")
    try store.fill(2)
    let (bytes, ids) = try Self.pack(store)
    var incoming = IncomingNodes(try Self.limits(bytes: bytes.count - 1)) { _ in }
    #expect(throws: RemoteError.self) { try incoming.take(.bytes(bytes)) }
    incoming = IncomingNodes(try Self.limits(bytes: bytes.count, nodes: ids.count)) { _ in }
    try incoming.take(.bytes(bytes))
    try incoming.take(.end)
    incoming = IncomingNodes(try Self.limits(nodes: ids.count - 1)) { _ in }
    try incoming.take(.bytes(bytes))
    #expect(throws: RemoteError.self) { try incoming.take(.end) }
  }
}
