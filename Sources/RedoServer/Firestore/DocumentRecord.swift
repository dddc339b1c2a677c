// The contents of a record of the log: what one commit has made of documents, or what became of nodes.
//
//   01 <length: 4> <path> <created: 8> <updated: 8> <held> <fields: 4 + JSON> <check: 16>
//   02 <path>                                            the document was deleted
//   03 <fate: 1> <count: 4> <ids: 32 each>               nodes that were offered to the store
//   04 <length: 4> <account> <the rest of 01>            a document, and the account that wrote it
//
// Numbers are big-endian; a path, an account and what is held begin with two bytes of length. The check is the first
// half of the SHA-256 of the entry before it, so that one document is checked without its record. 01 is of version 1 of
// the log, and stands in a log of version 2 where it was copied.

internal import FirestoreModel
internal import RedoCrypto
internal import RedoObject

/// One entry of a record.
enum DocumentEntry {
  /// A document, and where its bytes are in the record.
  case document(DocumentRow, offset: Int, count: Int)
  /// A document that is deleted.
  case deletion(DocumentKey)
  /// Nodes that were offered to the store.
  case fates(DocumentRow.Fate, [ObjectID])
}

/// A record that breaks its format.
struct DocumentRecordError: Error {}

/// Writes and reads records.
enum DocumentRecord {
  private static let document: UInt8 = 1
  private static let deletion: UInt8 = 2
  private static let fates: UInt8 = 3
  private static let owned: UInt8 = 4
  private static let checkCount = 16

  // MARK: Writing

  /// Appends a document.
  ///
  /// - Parameters:
  ///   - row: its name, its account, its times, what is held.
  ///   - fields: its fields as JSON.
  ///   - record: the record.
  /// - Returns: where its bytes are in the record.
  static func append(
    _ row: DocumentRow, fields: [UInt8], to record: inout [UInt8]
  ) -> Range<Int> {
    let start = record.count
    record.append(owned)
    append(0, bytes: 4, to: &record)
    append(text: Array(row.account.utf8), to: &record)
    append(text: row.key.path, to: &record)
    append(Int(row.created), bytes: 8, to: &record)
    append(Int(row.updated), bytes: 8, to: &record)
    append(text: row.held.bytes, to: &record)
    append(fields.count, bytes: 4, to: &record)
    record += fields
    let count = record.count - start + checkCount
    for index in 0..<4 {
      record[start + 1 + index] = UInt8(truncatingIfNeeded: count >> (8 * (3 - index)))
    }
    record += check(record[start...])
    return start..<record.count
  }

  /// Appends the bytes of a document as they were read.
  static func append(copy bytes: [UInt8], to record: inout [UInt8]) -> Range<Int> {
    let start = record.count
    record += bytes
    return start..<record.count
  }

  /// Appends a deletion.
  static func append(deleted key: DocumentKey, to record: inout [UInt8]) {
    record.append(deletion)
    append(text: key.path, to: &record)
  }

  /// Appends what became of nodes.
  static func append(_ fate: DocumentRow.Fate, _ ids: [ObjectID], to record: inout [UInt8]) {
    record += [fates, fate.rawValue]
    append(ids.count, bytes: 4, to: &record)
    for id in ids { id.appendRaw(to: &record) }
  }

  private static func append(_ number: Int, bytes: Int, to record: inout [UInt8]) {
    for index in (0..<bytes).reversed() {
      record.append(UInt8(truncatingIfNeeded: number >> (8 * index)))
    }
  }

  private static func append(text: [UInt8], to record: inout [UInt8]) {
    append(text.count, bytes: 2, to: &record)
    record += text
  }

  private static func check(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let whole = Array(bytes)
    let digest = SHA256.digest(of: whole.span)
    return (0..<checkCount).map { digest.bytes[$0] }[...]
  }

  // MARK: Reading

  /// Reads a record.
  ///
  /// - Parameters:
  ///   - record: its bytes.
  ///   - visit: receives each entry.
  /// - Throws: when it breaks the format.
  static func read(
    _ record: [UInt8], _ visit: (DocumentEntry) -> Void
  ) throws(DocumentRecordError) {
    var reader = ByteReader(bytes: record[...])
    while !reader.isAtEnd {
      let start = reader.place
      switch try reader.number(1) {
      case Int(document), Int(owned):
        let count = try reader.number(4)
        guard count >= 5 + checkCount, start + count <= record.count else {
          throw DocumentRecordError()
        }
        let row = try row(record[start..<start + count]).row
        visit(.document(row, offset: start, count: count))
        reader.place = start + count
      case Int(deletion): visit(.deletion(DocumentKey(Array(try reader.text()))))
      case Int(fates):
        guard let fate = DocumentRow.Fate(rawValue: UInt8(try reader.number(1))) else {
          throw DocumentRecordError()
        }
        var ids: [ObjectID] = []
        for _ in 0..<(try reader.number(4)) {
          let raw = Array(try reader.take(Digest.byteCount))
          guard let digest = Digest(raw: raw.span) else { throw DocumentRecordError() }
          ids.append(ObjectID(digest: digest))
        }
        visit(.fates(fate, ids))
      default: throw DocumentRecordError()
      }
    }
  }

  /// Reads the bytes of one document again.
  ///
  /// - Parameter bytes: all of them.
  /// - Returns: its fields as JSON.
  /// - Throws: when they are not as they were written.
  static func fields(_ bytes: [UInt8]) throws(DocumentRecordError) -> ArraySlice<UInt8> {
    guard bytes.count > checkCount,
      check(bytes.dropLast(checkCount)) == bytes.suffix(checkCount)
    else { throw DocumentRecordError() }
    return try row(bytes[...]).fields
  }

  private static func row(
    _ bytes: ArraySlice<UInt8>
  ) throws(DocumentRecordError) -> (row: DocumentRow, fields: ArraySlice<UInt8>) {
    var reader = ByteReader(bytes: bytes.dropFirst(5).dropLast(checkCount))
    let account = bytes.first == owned ? Array(try reader.text()) : []
    let path = Array(try reader.text())
    let created = Int64(try reader.number(8))
    let updated = Int64(try reader.number(8))
    let held = Array(try reader.text())
    let fields = try reader.take(try reader.number(4))
    guard reader.isAtEnd, held.count <= HeldMembers.byteLimit,
      let name = String(validating: account, as: UTF8.self),
      FirestoreTimestamp.microseconds.contains(created),
      FirestoreTimestamp.microseconds.contains(updated)
    else { throw DocumentRecordError() }
    let row = DocumentRow(
      key: DocumentKey(path), created: created, updated: updated, place: .node,
      fate: .untried, held: HeldMembers(bytes: held), account: name)
    return (row, fields)
  }

  /// Takes bytes from the front.
  private struct ByteReader {
    let bytes: ArraySlice<UInt8>
    var place: Int

    init(bytes: ArraySlice<UInt8>) {
      self.bytes = bytes
      place = bytes.startIndex
    }

    var isAtEnd: Bool { place == bytes.endIndex }

    mutating func take(_ count: Int) throws(DocumentRecordError) -> ArraySlice<UInt8> {
      guard count >= 0, count <= bytes.endIndex - place else { throw DocumentRecordError() }
      defer { place += count }
      return bytes[place..<place + count]
    }

    mutating func number(_ count: Int) throws(DocumentRecordError) -> Int {
      Int(truncatingIfNeeded: try take(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    mutating func text() throws(DocumentRecordError) -> ArraySlice<UInt8> {
      try take(try number(2))
    }
  }
}
