// What is noted about receipts: marks of a chain, and places.

internal import RedoCrypto
package import RedoObject
internal import RedoStore

/// A change of what is noted about a chain.
package enum ReceiptMark: Sendable {
  /// Whether it is a favourite.
  case favourite(Bool)
  /// Whether it is put away from lists.
  case archived(Bool)
  /// A word is added.
  case tag(String)
  /// All words are taken away.
  case noTags
  /// A note; `nil` for none.
  case note(String?)
  /// A picture is added: its bytes.
  case image([UInt8], name: String)
  /// All pictures are taken away; their bytes stay.
  case noImages
}

extension Repository {
  /// Changes what is noted about the chain of a receipt.
  ///
  /// - Parameters:
  ///   - root: the first receipt of the chain.
  ///   - marks: the changes, in their order.
  ///   - effects: the clock.
  /// - Throws: as `putLocal`; `tooManyImages`; `StoreError` when a picture cannot be written.
  package func mark(_ root: ObjectID, _ marks: [ReceiptMark], _ effects: Effects) throws {
    let marking = ChainMarking(root, marks, now: effects.clock())
    // What is refused leaves no bytes behind.
    try putLocal(isDryRun: true) { found throws in try marking.rows(found) }
    // Nobody takes pictures away before they are noted.
    let hold = try holdObjects()
    defer { extendLifetime(hold) }
    if !marking.images.isEmpty {
      var stage = NodeStage(objects, trace: trace)
      _ = try stage.add(marking.images.map { ObjectWrite($0.blob, key: nil) })
      _ = try stage.commit()
    }
    try putLocal { found throws in try marking.rows(found) }
  }

  /// The UUID of a chain in the app, where it has no other: the first 16 bytes of a hash.
  package static func localUUID(of cid: String) -> String {
    let digest = SHA256.digest(of: Array("redo-local\n\(cid)".utf8).span)
    let start = (0..<16).map { digest.bytes[$0] }
    let digits = Hex.text(start.span)
    var parts: [Substring] = []
    var rest = digits[...]
    for count in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return parts.joined(separator: "-")
  }

  /// Notes where what a receipt tells of happened.
  ///
  /// - Parameters:
  ///   - place: where that was.
  ///   - receipt: the receipt.
  ///   - delay: from when on others may see it, in milliseconds since 1970.
  ///   - effects: the clock.
  /// - Returns: the CID of the place.
  /// - Throws: as `putLocal`.
  package func note(
    _ place: PrecisePlace, of receipt: ObjectID, delay: Int64?, _ effects: Effects
  ) throws -> String {
    let salt = Random.bytes(16)
    let cid = place.cid(salt: salt)
    let cell = FuzzyPlace(latitude: place.latitude, longitude: place.longitude)
    let now = effects.clock()
    var members: [String: [UInt8]] = [
      "cid": LocalRow.json(cid), "receipt_cid": LocalRow.json(receipt.cidText(as: .receipt)),
      "location_type": LocalRow.json("precise"), "latitude": LocalRow.json(place.latitude + 0),
      "longitude": LocalRow.json(place.longitude + 0), "fuzzy_lat": LocalRow.json(cell.latitude),
      "fuzzy_lon": LocalRow.json(cell.longitude),
      "fuzzy_radius": Array("\(FuzzyPlace.radius)".utf8),
      "captured_at": LocalRow.json(time: place.captured), "created_at": LocalRow.json(time: now),
      "salt": LocalRow.json(Base64.text(salt.span)),
    ]
    members["accuracy"] = place.accuracy.map { LocalRow.json($0 + 0) }
    members["place_name"] = place.name.map { LocalRow.json($0) }
    members["delay_share_until"] = delay.map { LocalRow.json(time: $0) }
    try putLocal { _ in
      [try LocalRow(.locations, key: nil, members: members, time: now)]
    }
    return cid
  }
}

/// What is noted about one chain, and what comes of it.
private struct ChainMarking {
  /// A picture.
  struct Image {
    let blob: StoredObject
    let type: String
    var cid: String { blob.id.cidText(as: .blob) }
  }

  let images: [Image]
  private let cid: String
  private let marks: [ReceiptMark]
  private let now: Int64

  init(_ root: ObjectID, _ marks: [ReceiptMark], now: Int64) {
    cid = root.cidText(as: .receipt)
    self.marks = marks
    self.now = now
    var images: [Image] = []
    for mark in marks {
      guard case .image(let bytes, let name) = mark else { continue }
      images.append(Image(blob: StoredObject(blob: bytes), type: Self.type(name)))
    }
    self.images = images
  }

  /// The type of a picture, by the end of its name.
  private static func type(_ name: String) -> String {
    let end = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    switch end {
    case "jpg", "jpeg": return "image/jpeg"
    case "png", "gif", "webp", "heic", "avif": return "image/\(end)"
    default: return "application/octet-stream"
    }
  }

  /// The rows that are written where there are others.
  func rows(_ found: LocalRows.Found) throws -> [LocalRow] {
    let known = found.rows[LocalRow.Key(.localReceipts, cid)]
    var members = known?.members ?? [:]
    if members["uuid"] == nil { members["uuid"] = LocalRow.json(Repository.localUUID(of: cid)) }
    if members["created_at"] == nil { members["created_at"] = LocalRow.json(time: now) }
    if members["is_favorited"] == nil { members["is_favorited"] = Array("0".utf8) }
    members["updated_at"] = LocalRow.json(time: now)
    var tags = known?.texts("tags_json") ?? []
    var pictures = known?.texts("image_cids") ?? []
    var waiting = images[...]
    for mark in marks {
      switch mark {
      case .favourite(let isOne): members["is_favorited"] = Array(isOne ? "1".utf8 : "0".utf8)
      case .archived(let isOne): members["archived"] = Array(isOne ? "1".utf8 : "0".utf8)
      case .tag(let tag): if !tags.contains(tag) { tags.append(tag) }
      case .noTags: tags = []
      case .note(let text): members["local_notes"] = text.map { LocalRow.json($0) }
      case .image:
        if let image = waiting.popFirst(), !pictures.contains(image.cid) {
          pictures.append(image.cid)
        }
      case .noImages: pictures = []
      }
    }
    guard pictures.count <= LocalTable.imageLimit else {
      throw LocalFault.tooManyImages(limit: LocalTable.imageLimit)
    }
    members["tags_json"] = tags.isEmpty ? nil : LocalRow.json(tags)
    members["image_cids"] = pictures.isEmpty ? nil : LocalRow.json(pictures)
    var rows = [try LocalRow(.localReceipts, key: cid, members: members, time: now)]
    for image in images where found.rows[LocalRow.Key(.blobs, image.cid)] == nil {
      rows.append(try row(of: image))
    }
    return rows
  }

  private func row(of image: Image) throws -> LocalRow {
    let members = [
      "cid": LocalRow.json(image.cid), "mime_type": LocalRow.json(image.type),
      "size": Array("\(image.blob.canonical.count)".utf8), "encrypted": Array("0".utf8),
      "created_at": LocalRow.json(time: now),
    ]
    return try LocalRow(.blobs, key: nil, members: members, time: now)
  }
}
