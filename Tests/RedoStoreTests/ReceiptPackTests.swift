// Packs of receipts: version 2, its beginning, frames without columns, a directory without clocks; and no reader that wants
// nodes takes one.

import RedoCrypto
import RedoObject
import TestSupport
import Testing

@testable import RedoStore

@Suite("Packs of receipts")
struct ReceiptPackTests {
  /// The valid receipts of the vectors, signed with anything.
  private static func entries() throws -> [PackEntry] {
    let folder = VectorFolder.own("receipt")
    var decoder = PlaceDecoder()
    var entries: [PackEntry] = []
    for row in try folder.table() where row[1] == "valid" {
      let bytes = try folder.bytes(row[0])
      let object = StoredObject(
        id: ObjectID(digest: SHA256.digest(of: bytes.span)), kind: .receipt, canonical: bytes,
        signature: entries.count % 5 == 0
          ? nil : Signature(bytes: InlineArray { UInt8(truncatingIfNeeded: $0 &* bytes.count) }))
      entries.append(try #require(PackEntry(object, &decoder)))
    }
    return Packs.distinct(entries)
  }

  private static func pack(_ entries: [PackEntry]) -> [UInt8] {
    var writer = PackWriter(.receipt, threads: 2)
    for entry in entries { writer.add(entry) }
    _ = writer.finish()
    return writer.take()
  }

  private static func objects(_ reader: borrowing PackReader) throws -> [StoredObject] {
    var inflater = FrameInflater()
    var all: [StoredObject] = []
    for frame in reader.directory.frames.indices {
      all += try reader.nodes(ofFrame: frame, &inflater)
    }
    return all
  }

  @Test("what goes in comes out, of the kind that it was")
  func roundTrip() throws {
    let entries = try Self.entries()
    #expect(entries.count > 300)
    let bytes = Self.pack(entries)
    let head: [UInt8] = [0x89] + Array("redopack\r\n".utf8) + [2, 1]
    #expect(Array(bytes.prefix(13)) == head)
    let reader = try PackReader(.memory(bytes), of: ObjectKind.packed)
    #expect(reader.directory.kind == .receipt)
    #expect(reader.directory.frames.first?.offset == 13)
    // Its frames state 0 for clocks that receipts do not have.
    #expect(reader.directory.frames.allSatisfy { $0.lamports == 0...0 && $0.walls == 0...0 })
    #expect(reader.directory.lamports == nil)
    #expect(reader.directory.walls == nil)
    #expect(try Self.objects(reader) == entries.map(\.object))
    try reader.checkBytes()
    let inside = Set(entries.map(\.object.id))
    #expect(
      reader.directory.prerequisites
        == Set(entries.flatMap(\.parents)).subtracting(inside).sorted())
  }

  @Test("who wants nodes is told what it is")
  func wanted() throws {
    let bytes = Self.pack(try Self.entries())
    #expect(throws: PackError.kind(1)) { _ = try PackReader(.memory(bytes)) }
    #expect(throws: PackError.kind(0)) {
      _ = try PackReader(.memory(Packs.pack([])), of: [.receipt])
    }
    #expect("\(PackError.kind(1))".contains("'receipt'"))
    #expect("\(PackError.kind(9))".contains("kind 9"))
  }

  @Test("a beginning of no kind, of version 1's kind, or cut off is refused")
  func beginnings() throws {
    let bytes = Self.pack(try Self.entries())
    for number: UInt8 in [0, 3, 255] {
      var other = bytes
      other[12] = number
      #expect(throws: PackError.kind(number)) {
        _ = try PackReader(.memory(other), of: ObjectKind.packed)
      }
    }
    for count in 0..<13 {
      #expect(throws: PackError.notPack) {
        _ = try PackReader(.memory(Array(bytes[..<count])), of: ObjectKind.packed)
      }
    }
  }

  @Test("a frame of nodes is none of receipts, and without columns it is one of both")
  func columns() throws {
    let nodes = try Packs.log("linear.ndjson").map(\.object)
    var deflaters = PackDeflaters(.best)
    var inflater = Inflater(.none)
    let cut = FrameEncoder.frame(nodes, .node, &deflaters, &inflater)
    #expect(throws: PackFault("a frame of a kind without columns has some")) {
      try FrameDecoder.decode(cut, .receipt, &inflater)
    }
    let renamed = nodes.map { node in
      StoredObject(
        id: node.id, kind: .receipt, canonical: node.canonical, signature: node.signature)
    }
    let whole = FrameEncoder.frame(renamed, .receipt, &deflaters, &inflater)
    for kind in [ObjectKind.node, .receipt] {
      let back = try FrameDecoder.decode(whole, kind, &inflater).all
      #expect(back.map(\.id) == nodes.map(\.id))
      #expect(back.allSatisfy { $0.kind == kind })
    }
  }

  @Test("no changed byte passes")
  func damage() throws {
    let bytes = Self.pack(Array(try Self.entries().prefix(40)))
    var random = SeededRandom(seed: 13)
    for _ in 0..<400 {
      var bad = bytes
      bad[random.below(bad.count)] ^= UInt8(1 << random.below(8))
      #expect(throws: PackError.self) {
        let reader = try PackReader(.memory(bad), of: ObjectKind.packed)
        _ = try Self.objects(reader)
        try reader.checkBytes()
      }
    }
  }
}
