// Which blobs nothing names: every way in which one is named, and what is no name.

import RedoCrypto
import RedoHistory
import RedoObject
import Testing

@Suite("Blobs that nothing names")
struct UnnamedBlobsTests {
  private static let one = StoredObject(blob: [1]).id
  private static let two = StoredObject(blob: [2]).id
  private static let both = [one: 1, two: 1]
  private static let receipt = StoredObject(blob: [3]).id.cidText(as: .receipt)

  private static func left(_ change: (inout UnnamedBlobs) -> Void) -> Set<ObjectID> {
    var blobs = UnnamedBlobs(both)
    change(&blobs)
    return Set(blobs.left.keys)
  }

  private static func row(
    _ table: LocalTable, _ members: [String: [UInt8]]?, key: String? = nil
  ) throws -> LocalRow {
    try LocalRow(table, key: key, members: members, time: 1)
  }

  @Test("a name is 64 digits, or a CID of any codec, as text or as bytes, wherever it stands")
  func names() {
    let cid = Self.one.cidText(as: .blob)
    // A CIDv1 of raw bytes with a SHA-256.
    let binary: [UInt8] = [0x01, 0x55, 0x12, 0x20] + (0..<32).map { Self.one[$0] }
    for bytes in [
      Array(cid.utf8), Array("x\(cid)y".utf8), Array(Self.one.cidText(as: .receipt).utf8),
      Array(Self.one.text.utf8), Array("0\(Self.one.hex)f".utf8), binary, [0x58, 0x25, 0] + binary,
      binary + [1],
    ] {
      #expect(Self.left { $0.keep(namedIn: bytes.span) } == [Self.two], "\(bytes)")
    }
    for bytes in [
      [], Array(cid.utf8.dropLast()), Array(cid.uppercased().utf8), Array(binary.dropLast()),
      Array(Self.one.hex.utf8.dropFirst()), Array(Self.one.hex.uppercased().utf8),
      [UInt8](repeating: 1, count: 100),
    ] {
      #expect(Self.left { $0.keep(namedIn: bytes.span) } == Set(Self.both.keys), "\(bytes)")
    }
  }

  @Test("a row keeps what it names, but for the bytes that a row of 'blobs' tells of")
  func rows() throws {
    let (one, two) = (Self.one.cidText(as: .blob), Self.two.cidText(as: .blob))
    let flag = Array("0".utf8)
    var marks = [
      "uuid": LocalRow.json("u"), "is_favorited": flag, "created_at": flag, "updated_at": flag,
    ]
    let without = try Self.row(.localReceipts, marks, key: Self.receipt)
    #expect(Self.left { $0.keep(namedIn: without) } == Set(Self.both.keys))
    marks["image_cids"] = LocalRow.json([one])
    let with = try Self.row(.localReceipts, marks, key: Self.receipt)
    #expect(Self.left { $0.keep(namedIn: with) } == [Self.two])
    var bytes = [
      "cid": LocalRow.json(one), "mime_type": LocalRow.json("a/b"), "size": flag,
      "encrypted": flag, "created_at": flag,
    ]
    let bare = try Self.row(.blobs, bytes)
    #expect(Self.left { $0.keep(namedIn: bare) } == Set(Self.both.keys))
    bytes["thumbnail_cid"] = Array("null".utf8)
    let null = try Self.row(.blobs, bytes)
    #expect(Self.left { $0.keep(namedIn: null) } == Set(Self.both.keys))
    bytes["thumbnail_cid"] = LocalRow.json(two)
    let small = try Self.row(.blobs, bytes)
    #expect(Self.left { $0.keep(namedIn: small) } == [Self.one])
    let listed = try Self.row(
      .receiptBlobs,
      [
        "receipt_cid": LocalRow.json(Self.receipt), "blob_cid": LocalRow.json(two),
        "position": flag,
      ])
    #expect(Self.left { $0.keep(namedIn: listed) } == [Self.one])
  }

  @Test("each that is kept is handed on once, to be read for further names")
  func kept() {
    var blobs = UnnamedBlobs(Self.both)
    blobs.keep(Self.one)
    blobs.keep(Self.one)
    blobs.keep(StoredObject(blob: [9]).id)
    let first = blobs.next()
    #expect(first == Self.one)
    let second = blobs.next()
    #expect(second == nil)
    #expect(blobs.left == [Self.two: 1])
  }
}
