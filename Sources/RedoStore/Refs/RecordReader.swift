// Records of files that are only appended to, and whose end is recorded nowhere else:
//
//   @<payload bytes: 8 hex> <check of the length: 8 hex>     a frame line, as in the refs' journal
//   the payload
//   32 raw bytes: SHA-256 of the line and the payload
//
// A last record whose end is missing was never acknowledged: it is skipped, and the next writer puts its own in
// its place.

internal import RedoCrypto

/// Why records cannot be read.
enum RecordError: Error {
  /// A system call did not succeed.
  case system(SystemError)
  /// The file breaks a rule of its format, which a crash does not do.
  case corrupt(offset: Int, rule: String)
}

/// Reads the records of an open file one by one.
struct RecordReader {
  /// The bytes of a record in addition to its payload.
  static let overheadBytes = JournalFrame.byteCount + Digest.byteCount

  private let size: Int
  private let payloadLimit: Int
  /// Where the last whole record ends.
  private(set) var position: Int

  /// Reads records up to a size, all of which exists.
  ///
  /// - Parameters:
  ///   - file: an open file.
  ///   - firstLine: what it begins with.
  ///   - size: how much of it is looked at.
  ///   - payloadLimit: the most bytes of a payload.
  ///   - start: the end of a whole record, to continue after it; the end of the first line when `nil`.
  /// - Throws: `corrupt` when the file has another first line.
  init(
    _ file: borrowing File, firstLine: [UInt8], size: Int, payloadLimit: Int, from start: Int? = nil
  ) throws(RecordError) {
    self.size = size
    self.payloadLimit = payloadLimit
    position = start ?? firstLine.count
    guard try Self.read(file, min(size, firstLine.count), at: 0) == firstLine else {
      throw .corrupt(offset: 0, rule: "the first line is not that of the format")
    }
  }

  /// The next record.
  ///
  /// - Parameter file: the open file.
  /// - Returns: its payload and the place where that begins; `nil` when no whole record is left.
  /// - Throws: `corrupt` for what a crash does not leave.
  mutating func next(
    in file: borrowing File
  ) throws(RecordError) -> (payload: [UInt8], start: Int)? {
    guard position < size else { return nil }
    let line = try Self.read(file, min(JournalFrame.byteCount, size - position), at: position)
    switch JournalFrame.read(line, at: 0) {
    case .corrupt:
      // Some file systems lengthen a file before its bytes arrive.
      guard try Self.isZero(file, position..<size) else {
        throw .corrupt(offset: position, rule: "a record has no valid first line")
      }
      return nil
    case .torn where line.count < JournalFrame.byteCount: return nil
    case .torn, .complete: break
    }
    guard let count = JournalFrame.payloadCount(line), count <= payloadLimit else {
      throw .corrupt(offset: position, rule: "a record is too long")
    }
    let end = position + Self.overheadBytes + count
    guard end <= size else { return nil }
    let start = position + JournalFrame.byteCount
    var payload = try Self.read(file, count + Digest.byteCount, at: start)
    let check = Array(payload.suffix(Digest.byteCount))
    payload.removeLast(Digest.byteCount)
    guard Self.check(line, payload) == check else {
      if end == size, try Self.isZero(file, start..<size) { return nil }
      throw .corrupt(offset: position, rule: "a record has another hash than its end says")
    }
    position = end
    return (payload, start)
  }

  /// Exact pieces of a file.
  ///
  /// - Parameters:
  ///   - file: the open file.
  ///   - count: how many bytes.
  ///   - offset: where they begin.
  /// - Returns: exactly this many.
  /// - Throws: `corrupt` when it ends before.
  static func read(
    _ file: borrowing File, _ count: Int, at offset: Int
  ) throws(RecordError) -> [UInt8] {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try file.read(count, at: offset) } catch {
      throw .system(error)
    }
    guard bytes.count == count else {
      throw .corrupt(offset: offset + bytes.count, rule: "the file has become shorter")
    }
    return bytes
  }

  private static func isZero(
    _ file: borrowing File, _ range: Range<Int>
  ) throws(RecordError) -> Bool {
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 65_536) {
      let bytes = try read(file, min(65_536, range.upperBound - start), at: start)
      guard bytes.allSatisfy({ $0 == 0 }) else { return false }
    }
    return true
  }

  /// What follows a payload.
  static func check(_ line: [UInt8], _ payload: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.update(line.span)
    hash.update(payload.span)
    let digest = hash.finalize()
    return (0..<Digest.byteCount).map { digest.bytes[$0] }
  }

  /// The bytes of a record.
  static func record(_ payload: [UInt8]) -> [UInt8] {
    let line = JournalFrame.line(payloadCount: payload.count)
    return line + payload + check(line, payload)
  }
}
