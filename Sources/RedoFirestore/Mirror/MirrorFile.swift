// The file `mirror` of a remote: records, one after the other.
//
//   18 bytes   "redo-firestore-1" CR LF
//   record     4 bytes number of bytes of the payload, 8 bytes of SHA-256 of kind and payload, kind, payload
//
// It is a cache: everything after the first incomplete record is cut off, and looked for again, because a record
// that says that something has been seen comes after the record of what was seen.

internal import RedoCrypto
internal import RedoStore

/// Records that are only ever appended.
struct MirrorFile: ~Copyable {
  /// What a record tells.
  enum Kind: UInt8 {
    /// The owner of the mirror, a text; the first record.
    case owner = 0
    /// A `MirrorNode`.
    case node = 1
    /// An `UnfitDocument`.
    case unfit = 2
    /// Everything is known, and the newest of it was created at this moment: microseconds since 1970.
    case cursor = 3
    /// Everything up to this name has been seen since a moment: microseconds and a text.
    case page = 6
    /// A document that was unfit and is gone, a text.
    case dropped = 7
    /// Nodes that were written, and that the account's document does not name yet: 32 bytes each.
    case owed = 8
    /// It names all of them.
    case paid = 9
    /// Nodes that were there and are not: 32 bytes each.
    case lost = 10
    /// That was said, and whoever had them has sent them again.
    case settled = 11
    /// All names were listed at this moment: milliseconds since 1970.
    case listed = 12
  }

  private static let magic = Array("redo-firestore-1\r\n".utf8)
  private static let headBytes = 13
  /// No record is longer: 64 parents, or some texts.
  private static let payloadLimit = 1 << 20
  /// No mirror is larger: some ten million documents.
  private static let fileLimit = 1 << 32
  static let name = "mirror"

  private let file: File
  private var byteCount: Int
  /// How many records it has.
  private(set) var recordCount: Int

  /// Opens the file, or makes it, and reads what is whole of it.
  ///
  /// - Parameters:
  ///   - directory: its directory.
  ///   - take: takes each record; answers whether it is understood.
  /// - Throws: what the calls answered.
  init(
    in directory: borrowing Directory, _ take: (Kind, ArraySlice<UInt8>) -> Bool
  ) throws(SystemError) {
    let opened = try directory.openFile(
      Self.name, .readWrite, [.create, .append, .noFollow, .nonBlocking], mode: 0o600)
    let bytes = try opened.readAll(limit: Self.fileLimit)
    var count = 0
    let end = bytes.starts(with: Self.magic) ? Self.read(bytes, take, &count) : 0
    if end < bytes.count { try opened.truncate(to: end) }
    if end == 0 { try opened.writeAll(Self.magic) }
    file = opened
    byteCount = max(end, Self.magic.count)
    recordCount = count
  }

  /// Reads whole records.
  ///
  /// - Returns: where they end.
  private static func read(
    _ bytes: [UInt8], _ take: (Kind, ArraySlice<UInt8>) -> Bool, _ count: inout Int
  ) -> Int {
    var place = magic.count
    while bytes.count - place >= headBytes {
      let size = (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
      let start = place + headBytes
      guard size <= payloadLimit, size <= bytes.count - start else { break }
      let digest = check(bytes[(start - 1)..<(start + size)])
      guard bytes[(place + 4)..<(place + 12)].elementsEqual(digest),
        let kind = Kind(rawValue: bytes[start - 1]), take(kind, bytes[start..<(start + size)])
      else { break }
      place = start + size
      count += 1
    }
    return place
  }

  private static func check(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let digest = SHA256.digest(of: Array(bytes).span)
    return (0..<8).map { digest.bytes[$0] }
  }

  /// Appends records in one write.
  ///
  /// - Parameter records: what each tells.
  /// - Throws: what write(2) answered.
  mutating func append(_ records: [(kind: Kind, payload: [UInt8])]) throws(SystemError) {
    guard !records.isEmpty else { return }
    let bytes = Self.bytes(of: records)
    do throws(SystemError) {
      try file.writeAll(bytes)
    } catch {
      // Anything appended after an incomplete record would never be read.
      try? file.truncate(to: byteCount)
      throw error
    }
    byteCount += bytes.count
    recordCount += records.count
  }

  private static func bytes(of records: [(kind: Kind, payload: [UInt8])]) -> [UInt8] {
    var bytes: [UInt8] = []
    for record in records {
      let checked = [record.kind.rawValue] + record.payload
      for place in 0..<4 {
        bytes.append(UInt8(truncatingIfNeeded: record.payload.count >> (8 * place)))
      }
      bytes += check(checked[...])
      bytes += checked
    }
    return bytes
  }

  /// Writes a new file with some records in place of the one there is.
  ///
  /// - Parameters:
  ///   - directory: its directory.
  ///   - records: what each tells.
  /// - Throws: what the calls answered; the old one stays then.
  static func replace(
    in directory: borrowing Directory, with records: [(kind: Kind, payload: [UInt8])]
  ) throws(SystemError) {
    var temporary = try TemporaryFile(in: directory, prefix: "tmp_mirror_", mode: 0o600)
    try temporary.file.writeAll(magic + bytes(of: records))
    _ = try temporary.commit(as: name, replacing: .always)
  }
}
