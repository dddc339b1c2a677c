// `refs.journal`: the changes since `refs` was written. Its first line is
//
//   redo-journal 1 <generation> <chain hex at its start> <SHA-256 hex of all before this hex>
//
// and framed records follow, each one reflog entry (JournalFrame, ReflogEntry).

internal import RedoCrypto

/// A journal as it was read: everything in it has been checked.
struct RefsJournal: Sendable {
  /// The generation of `refs` that it continues.
  let generation: Int
  /// The whole records, first to last.
  private(set) var entries: [ReflogEntry] = []
  /// The chain of the last record, or that of the first line.
  private(set) var chain: Digest
  /// The bytes of the first line.
  let headerCount: Int
  /// Where the last whole record ends.
  private(set) var end: Int
  /// The bytes of a torn record after `end`.
  private(set) var tornCount = 0
  /// The bytes up to `end`.
  private(set) var bytes: [UInt8]

  /// The first line.
  static func header(generation: Int, chain: Digest) -> [UInt8] {
    var line = Array("redo-journal 1 \(generation) \(Hex.text(chain.bytes.span)) ".utf8)
    let check = SHA256.digest(of: line.span)
    Hex.append(check.bytes.span, to: &line)
    line.append(UInt8(ascii: "\n"))
    return line
  }

  /// Reads the first line, and no more.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - file: its path, for messages.
  /// - Throws: what is wrong with the line.
  init(headerOf bytes: [UInt8], file: String) throws(RefsError) {
    if let version = unknownVersion(bytes, "redo-journal ") {
      throw .unsupportedFormat(file: file, version: version)
    }
    var scanner = LineScanner(bytes, in: 0..<bytes.count)
    guard scanner.take("redo-journal 1 "), let generation = scanner.decimal(),
      scanner.take(" "), let chain = scanner.digest(), scanner.take(" "),
      case let checked = scanner.position, let check = scanner.digest(), scanner.take("\n"),
      SHA256.digest(of: bytes.span.extracting(0..<checked)) == check
    else { throw .corrupt(file, at: 0, "the first line is not that of a journal") }
    self.generation = generation
    self.chain = chain
    headerCount = scanner.position
    end = scanner.position
    self.bytes = bytes
  }

  /// Reads the records.
  ///
  /// - Parameters:
  ///   - entry: the number of the entry before the first; `nil` when it is unknown.
  ///   - receivedBytes: the bytes of `received` that counted before.
  ///   - file: the path, for messages.
  /// - Throws: the first thing that is wrong; a torn record at the end is not.
  mutating func readRecords(
    after entry: Int?, receivedBytes: Int, file: String
  ) throws(RefsError) {
    var received = receivedBytes
    reading: while end < bytes.count {
      switch JournalFrame.read(bytes, at: end) {
      case .torn:
        tornCount = bytes.count - end
        break reading
      case .corrupt: throw .corrupt(file, at: end, "a record has no valid frame line")
      case .complete(let payload):
        let record = try ReflogEntry(
          parsing: bytes, in: payload, base: 0, after: chain, file: file)
        let expected = entries.last.map { $0.number + 1 } ?? entry.map { $0 + 1 }
        guard expected == nil || record.number == expected else {
          throw .corrupt(file, at: end, "a record has the number of another")
        }
        guard record.receivedBytes >= received else {
          throw .corrupt(file, at: end, "a record shortens the received log")
        }
        received = record.receivedBytes
        chain = record.chain
        entries.append(record)
        end = payload.upperBound
      }
    }
    bytes.removeLast(tornCount)
  }

  /// Adds a record that has just been written at the end.
  mutating func append(_ entry: ReflogEntry, record: [UInt8]) {
    entries.append(entry)
    chain = entry.chain
    bytes.append(contentsOf: record)
    end = bytes.count
    tornCount = 0
  }

  /// The bytes of the records, as the reflog takes them over.
  var records: ArraySlice<UInt8> { bytes[headerCount..<end] }
}
