// A mark at the end of `received`, beyond the bytes that count: how far the journal of refs went, in a file that is not
// lost together with it. It is a frame without ids, so that no reader takes anything from it, whose time is
//
//   <number of the last change: 8 hex><the first 4 hex of its chain>
//
// There is one whenever a writer is stopped by force:
//
//   1. new frames, and behind them the mark of the change before, in the place of the mark that was there
//   2. the record in the journal: the moment of the change
//   3. the mark of the change, behind what counts then
//
// A mark is never synced by itself, and no change fails because of it. But whenever one is on the medium, so is the
// record that it names: that was synced before the mark was written.

internal import RedoCrypto
internal import RedoObject

/// The number of a change of refs, and enough of its chain to tell it from another store's.
struct ReceivedMark: Hashable, Sendable {
  /// The bytes of a mark: those of a frame without ids.
  static let byteCount = Received.lineCount + Digest.byteCount
  /// The greatest number that a mark can state.
  private static let largestEntry = 0xFFFF_FFFE

  /// The number of the change.
  let entry: Int
  /// The first 16 bits of its chain.
  private let chainStart: Int

  /// The mark of a change; `nil` when none has room for its number.
  init?(entry: Int, chain: Digest) {
    guard (0...Self.largestEntry).contains(entry) else { return nil }
    self.entry = entry
    chainStart = Self.start(of: chain)
  }

  /// Reads a mark.
  ///
  /// - Parameter frame: the last bytes of the file; `nil` comes of them when they are no mark.
  init?(_ frame: [UInt8]) {
    var scanner = LineScanner(frame, in: 0..<frame.count)
    guard frame.count == Self.byteCount, scanner.take("@00000000 "),
      let time = scanner.hexNumber(12), time >> 16 <= Self.largestEntry
    else { return nil }
    entry = time >> 16
    chainStart = time & 0xFFFF
    guard frame == self.frame else { return nil }
  }

  /// Its bytes.
  var frame: [UInt8] { Received.frame([], time: Int64(entry << 16 | chainStart)) }

  /// Whether a change of this number with this chain is the one that is meant.
  func isOf(chain: Digest) -> Bool { chainStart == Self.start(of: chain) }

  private static func start(of chain: Digest) -> Int {
    Int(chain.bytes[0]) << 8 | Int(chain.bytes[1])
  }
}

extension RefsSnapshot {
  /// The mark of the last change.
  var mark: ReceivedMark? { ReceivedMark(entry: entry, chain: chain) }
}

extension Received {
  /// The size of the file, whether it begins as it must, and the mark at its end.
  ///
  /// - Returns: `nil` when there is no such file.
  /// - Throws: `system` when it cannot be read.
  func end() throws(RefsError) -> (size: Int, isBegun: Bool, mark: ReceivedMark?)? {
    do throws(SystemError) {
      let options: File.Options = [.noFollow, .nonBlocking]
      guard let file = try directory.openFileIfPresent(Refs.Name.received, .read, options) else {
        return nil
      }
      let status = try file.status()
      guard status.kind == .regular else { return nil }
      let line = Array("\(Self.firstLine)".utf8)
      let isBegun = try file.read(line.count, at: 0) == line
      let count = ReceivedMark.byteCount
      guard status.size >= count else { return (status.size, isBegun, nil) }
      let end = try file.read(count, at: status.size - count)
      return (status.size, isBegun, ReceivedMark(end))
    } catch {
      // Whatever is there instead is no received log, which others say.
      guard error.isSymbolicLink || error.isUnopenable || error.isNotRegular else {
        throw .system(error)
      }
      return nil
    }
  }

  /// Ends the file after what counts, with a mark; the lock of refs is held.
  ///
  /// - Parameters:
  ///   - end: the bytes that count.
  ///   - mark: the mark.
  ///   - sync: what to wait for.
  /// - Throws: when it cannot be written.
  func finish(at end: Int, with mark: ReceivedMark?, _ sync: SyncPolicy) throws(RefsError) {
    try RefsError.wrapping { () throws(SystemError) in
      let file = try directory.openFile(Refs.Name.received, .readWrite, [.noFollow])
      let size = try file.status().size
      // A shorter file is damaged, and must not look as if it were not.
      guard size >= end else { return }
      var newSize = end
      if let mark {
        try file.writeAll(mark.frame.span, at: end)
        newSize += ReceivedMark.byteCount
      }
      if size > newSize { try file.truncate(to: newSize) }
      if sync.isSyncing { try file.sync() }
    }
  }
}
