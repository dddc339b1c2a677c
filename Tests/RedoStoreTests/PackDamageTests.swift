// Damaged packs: every change of a byte is found, and nothing in a frame can do harm.

import RedoCrypto
import RedoObject
import TestSupport
import Testing

@testable import RedoStore

@Suite("Damaged packs")
struct PackDamageTests {
  private func isRefused(_ bytes: [UInt8]) -> Bool {
    do throws(PackError) {
      _ = try Packs.unpack(bytes)
      return false
    } catch {
      return true
    }
  }

  @Test(
    "every change of one byte is found", arguments: ["actions.ndjson", "missing-parent.ndjson"])
  func changes(_ name: String) throws {
    let good = Packs.pack(try Packs.log(name))
    #expect(!isRefused(good))
    for place in good.indices {
      for bit in 0..<8 {
        var bad = good
        bad[place] ^= 1 << UInt8(bit)
        if !isRefused(bad) { Issue.record("bit \(bit) of byte \(place) changes unseen") }
      }
    }
  }

  @Test("every beginning, and anything behind the end, is refused")
  func lengths() throws {
    let good = Packs.pack(try Packs.log("linear.ndjson"))
    for count in good.indices where !isRefused(Array(good[..<count])) {
      Issue.record("the first \(count) bytes are taken for a pack")
    }
    for more in [[0], [0x0A], good] as [[UInt8]] { #expect(isRefused(good + more)) }
    #expect(isRefused([0] + good))
    for place in stride(from: 0, to: good.count, by: 7) {
      var bad = good
      bad.remove(at: place)
      #expect(isRefused(bad), "without byte \(place)")
      bad.insert(contentsOf: [good[place], good[place]], at: place)
      #expect(isRefused(bad), "with byte \(place) twice")
    }
  }

  @Test("another version is named, another file is none")
  func versions() throws {
    var bytes = Packs.pack([])
    bytes[PackFormat.magic.count] = 3
    #expect(throws: PackError.unsupported(version: 3)) { _ = try Packs.unpack(bytes) }
    #expect(throws: PackError.notPack) { _ = try Packs.unpack(Array("{}\n".utf8)) }
    #expect(throws: PackError.notPack) { _ = try Packs.unpack([]) }
  }

  /// A frame's columns with every stream stored, so that damage reaches what is in them.
  private func stored(_ payload: [UInt8]) throws(PackFault) -> [UInt8] {
    var streams = PackStreams(payload)
    var inflater = Inflater(.none)
    let deflaters = PackDeflaters(.best)
    var output: [UInt8] = []
    while !streams.isAtEnd {
      deflaters.appendStored(try streams.next(&inflater).bytes, to: &output)
    }
    return output
  }

  /// A frame whose checksum holds.
  private func frame(_ payload: [UInt8], nodes: Int, canonicalBytes: Int) -> [UInt8] {
    var frame: [UInt8] = []
    frame.append(littleEndian: UInt64(payload.count), bytes: 4)
    frame.append(littleEndian: UInt64(nodes), bytes: 4)
    frame.append(littleEndian: UInt64(canonicalBytes), bytes: 4)
    let sum = FrameHeader.checksum(of: payload.span, after: frame.span)
    for place in 0..<PackFormat.checksumBytes { frame.append(sum.bytes[place]) }
    return frame + payload
  }

  @Test(
    "a forged frame is refused, or gives nodes of the ids of their bodies",
    arguments: SeededRandom.seeds("forged frames"))
  func forged(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var inflater = Inflater(.none)
    var accepted = 0
    for name in ["actions.ndjson", "merged.ndjson", "task-id-case.ndjson", "payload.ndjson"] {
      let nodes = try Packs.log(name)
      let pack = Packs.pack(nodes)
      let directory = try PackReader(.memory(pack)).directory
      let first = directory.frames[0]
      let bytes = Array(pack[first.offset..<first.offset + first.fileBytes])
      let deflated = Array(bytes[PackFormat.frameHeaderBytes...])
      for payload in [deflated, try stored(deflated)] {
        #expect(
          try FrameDecoder.decode(
            frame(payload, nodes: first.nodes, canonicalBytes: first.canonicalBytes), .node,
            &inflater
          ).all == nodes.map(\.object))
        for _ in 0..<1500 {
          var bad = payload
          for _ in 0..<1 + random.below(3) { Mutation.apply(to: &bad, &random) }
          let count = random.once(in: 4) ? random.below(9) : first.nodes
          let size = random.once(in: 2) ? 1_048_576 : first.canonicalBytes
          guard
            let got = try? FrameDecoder.decode(
              frame(bad, nodes: count, canonicalBytes: size), .node, &inflater)
          else { continue }
          accepted += 1
          for node in got.all {
            #expect(node.id == ObjectID(digest: SHA256.digest(of: node.canonical.span)))
          }
        }
      }
    }
    print("forged frames: \(accepted) were taken")
  }

  @Test("a small frame that claims large bodies is refused before they are made")
  func bombs() throws {
    var inflater = Inflater(.none)
    let deflaters = PackDeflaters(.best)
    // One shape of many texts, each of which is the same large entry of a table.
    var shape = Array("{\"x\":[".utf8)
    for _ in 0..<100_000 { shape += [1, UInt8(ascii: ",")] }
    shape += [1] + Array("]}\n".utf8)
    var payload: [UInt8] = []
    deflaters.appendStored(shape, to: &payload)
    deflaters.appendStored([1], to: &payload)
    for _ in 0..<5 { deflaters.appendStored([], to: &payload) }
    deflaters.appendStored([UInt8](repeating: 0, count: 100_001), to: &payload)
    deflaters.appendStored([UInt8](repeating: 0x61, count: 1_000_000) + [0x0A], to: &payload)
    #expect(throws: PackFault("the nodes of a frame are larger than it says")) {
      try FrameDecoder.decode(frame(payload, nodes: 1, canonicalBytes: 1_048_576), .node, &inflater)
    }
    // A stream that says that it is larger than all streams may be.
    var long: [UInt8] = []
    long.append(varint: UInt64(PackFormat.columnsLimit) + 1)
    #expect(throws: PackFault("a number is too large: 4194305")) {
      try FrameDecoder.decode(frame(long, nodes: 1, canonicalBytes: 2), .node, &inflater)
    }
  }
}
