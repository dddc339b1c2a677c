// A file below `cache/`: derived, checksummed, and safe to delete.
//
//   payload
//   for each 16 KiB of it: 32 raw bytes, their SHA-256
//   redo-cache 2 <payload bytes: 16 hex> <SHA-256 hex of those hashes and of this line before it> LF
//
// A block is checked when it is first used, so that a question that needs little reads little. In version 1 a block
// has 64 KiB.

internal import RedoCrypto
internal import Synchronization

/// A mapped cache file whose table of hashes is whole.
///
/// A class, because the mapping and what is known of its blocks are shared by threads.
@safe
package final class CacheFile: Sendable {
  /// The bytes that are hashed together.
  private static let blockCount = 16_384
  private static let blockCountOf1 = 65_536
  private static let format: StaticString = "redo-cache 2 "
  private static let formatOf1: StaticString = "redo-cache 1 "
  /// The bytes of the last line.
  private static let lineCount = 13 + 16 + 1 + 64 + 1

  private let mapping: Mapping
  /// The bytes of the payload, at the beginning of the file.
  package let count: Int
  /// The bytes of a block.
  private let blockCount: Int
  /// For each block whether it has been checked; one that is damaged is checked again and again.
  private nonisolated(unsafe) let isGood: UnsafeMutableBufferPointer<Atomic<Bool>>

  /// The payload's first byte; page-aligned.
  package var base: UnsafeRawPointer { unsafe mapping.base }

  /// Opens a cache file.
  ///
  /// - Parameters:
  ///   - directory: the store's directory.
  ///   - name: the file's path below it.
  /// - Returns: `nil` when there is no usable file: it will be made anew.
  package static func open(in directory: borrowing Directory, _ name: String) -> CacheFile? {
    guard
      let file = (try? directory.openFileIfPresent(name, .read, [.noFollow, .nonBlocking])) ?? nil,
      let mapping = (try? Mapping(file)) ?? nil
    else { return nil }
    return CacheFile(mapping)
  }

  private init?(_ mapping: Mapping) {
    guard mapping.count >= Self.lineCount else { return nil }
    let lineStart = mapping.count - Self.lineCount
    let line = Self.bytes(mapping, lineStart..<mapping.count)
    var scanner = LineScanner(line, in: 0..<line.count)
    let blockCount: Int
    if scanner.take(Self.format) {
      blockCount = Self.blockCount
    } else if scanner.take(Self.formatOf1) {
      blockCount = Self.blockCountOf1
    } else {
      return nil
    }
    guard let high = scanner.hexNumber(8),
      let low = scanner.hexNumber(8), scanner.take(" "), case let end = scanner.position,
      let digest = scanner.digest(), scanner.take("\n"), high < 1 << 16
    else { return nil }
    let count = high << 32 | low
    let blocks = (count + blockCount - 1) / blockCount
    guard lineStart == count + blocks * Digest.byteCount else { return nil }
    var hash = SHA256()
    hash.update(Self.bytes(mapping, count..<lineStart).span)
    hash.update(line.span.extracting(0..<end))
    guard hash.finalize() == digest else { return nil }
    self.mapping = mapping
    self.count = count
    self.blockCount = blockCount
    let isGood = UnsafeMutableBufferPointer<Atomic<Bool>>.allocate(capacity: blocks)
    // SAFETY: each place of the new memory is initialized once.
    for number in 0..<blocks { unsafe isGood.initializeElement(at: number, to: Atomic(false)) }
    unsafe self.isGood = isGood
  }

  deinit {
    // SAFETY: what was allocated and initialized, given back once.
    unsafe isGood.deinitialize().deallocate()
  }

  private static func bytes(_ mapping: Mapping, _ range: Range<Int>) -> [UInt8] {
    // SAFETY: the callers ask for ranges within the mapping.
    unsafe Array(
      UnsafeRawBufferPointer(start: mapping.base + range.lowerBound, count: range.count))
  }

  /// All bytes of a file.
  ///
  /// - Parameter limit: the most bytes that it should have.
  /// - Returns: `nil` when they are damaged, or more.
  package func payload(limit: Int = .max) -> [UInt8]? {
    count <= limit && check(0..<count) ? Self.bytes(mapping, 0..<count) : nil
  }

  /// The first bytes of a file.
  ///
  /// - Parameter count: how many.
  /// - Returns: `nil` when they are damaged, or there are not so many.
  package func beginning(_ count: Int) -> [UInt8]? {
    check(0..<count) ? Self.bytes(mapping, 0..<count) : nil
  }

  /// Whether the bytes of a range are those that were written.
  package func check(_ range: Range<Int>) -> Bool {
    guard range.lowerBound >= 0, range.upperBound <= count else { return false }
    guard !range.isEmpty else { return true }
    for number in range.lowerBound / blockCount...(range.upperBound - 1) / blockCount {
      // SAFETY: there is a place for each block of the payload.
      if unsafe isGood[number].load(ordering: .acquiring) { continue }
      let start = number * blockCount
      let end = min(start + blockCount, count)
      // SAFETY: the block lies within the mapping, which outlives the span.
      let block = unsafe UnsafeBufferPointer(
        start: (base + start).assumingMemoryBound(to: UInt8.self), count: end - start)
      let place = count + number * Digest.byteCount
      let stated = Self.bytes(mapping, place..<place + Digest.byteCount)
      guard unsafe SHA256.digest(of: block.span) == Digest(raw: stated.span) else { return false }
      // SAFETY: as above.
      unsafe isGood[number].store(true, ordering: .releasing)
    }
    return true
  }

  /// Writes a cache file in one step; it is not synced, because it can be made again.
  ///
  /// - Parameters:
  ///   - payload: its bytes.
  ///   - directory: the store's directory.
  ///   - folder: the folder below it.
  ///   - name: the file's name there.
  /// - Throws: what the calls answered; the old file stays then.
  package static func write(
    _ payload: [UInt8], in directory: borrowing Directory, folder: String, _ name: String
  ) throws(SystemError) {
    // The folder may have been removed with all that was in it.
    try directory.makeDirectory(folder)
    let target = try directory.openSubdirectory(folder, isFollowing: false)
    var temporary = try TemporaryFile(in: target, prefix: "tmp_", mode: 0o644)
    try temporary.file.writeAll(payload.span)
    try temporary.file.writeAll(end(of: payload).span)
    _ = try temporary.commit(as: name, replacing: .always)
  }

  /// What follows a payload in its file.
  static func end(of payload: [UInt8]) -> [UInt8] {
    var end: [UInt8] = []
    for start in stride(from: 0, to: payload.count, by: blockCount) {
      let block = payload.span.extracting(start..<min(start + blockCount, payload.count))
      let digest = SHA256.digest(of: block)
      for index in 0..<Digest.byteCount { end.append(digest.bytes[index]) }
    }
    let hashes = end.count
    end += Array(format.description.utf8)
    JournalFrame.appendHex(payload.count, digits: 16, to: &end)
    end.append(UInt8(ascii: " "))
    precondition(end.count - hashes == lineCount - 65, "BUG: the last line has another length")
    let digest = SHA256.digest(of: end.span)
    Hex.append(digest.bytes.span, to: &end)
    end.append(UInt8(ascii: "\n"))
    return end
  }
}
