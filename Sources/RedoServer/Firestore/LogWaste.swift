// When a log of documents is written anew.

internal import RedoStore

/// How much of a log is no longer needed: what was overwritten and deleted, and the records around it.
struct LogWaste: Equatable, Sendable {
  /// How many bytes that are not needed a log always may have.
  static let minimumBytes = 16 << 20

  /// The bytes of the log.
  let byteCount: Int
  /// How many of them documents need.
  let neededBytes: Int

  /// - Parameters:
  ///   - byteCount: the bytes of the log.
  ///   - documentCount: how many documents are in it.
  ///   - documentBytes: the bytes of their entries.
  init(byteCount: Int, documentCount: Int, documentBytes: Int) {
    self.byteCount = byteCount
    neededBytes = documentBytes + documentCount * DocumentLog.overheadBytes
  }

  /// Whether it is more than what is needed, and than what there always may be: so no byte is copied more than once for
  /// each that was written.
  var isTooMuch: Bool { byteCount - neededBytes > max(neededBytes, Self.minimumBytes) }
}
