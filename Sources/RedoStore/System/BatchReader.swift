// Many records at a time, each batch in memory of its own, for work that is shared by threads.

/// Some neighbouring records of a stream.
package struct RecordBatch: Sendable {
  /// The bytes of all records, without separators.
  package var bytes: [UInt8] = []
  /// The records; their ranges are ranges of `bytes`.
  package var records: [LineRecord] = []

  /// Records.
  package init(bytes: [UInt8] = [], records: [LineRecord] = []) {
    self.bytes = bytes
    self.records = records
  }
}

/// Reads records in batches.
package struct BatchReader: ~Copyable {
  /// When a batch is handed out that could still grow.
  package enum Patience: Sendable {
    /// Only when the stream ends.
    case untilFull
    /// When the next record would require waiting.
    case untilInputPauses
  }

  private var reader: LineReader
  private let recordLimit: Int
  private let byteLimit: Int
  private let patience: Patience

  /// Batches of the records of a reader.
  ///
  /// - Parameters:
  ///   - reader: where the records come from.
  ///   - recordLimit: the most records of a batch.
  ///   - byteLimit: the bytes after which a batch is full; the last record may go beyond.
  ///   - patience: whether to wait for a full batch.
  package init(
    _ reader: consuming LineReader, recordLimit: Int = 1024, byteLimit: Int = 1_048_576,
    patience: Patience = .untilFull
  ) {
    self.reader = reader
    self.recordLimit = recordLimit
    self.byteLimit = byteLimit
    self.patience = patience
  }

  /// Whether the next batch begins with a record that is here already, so that `next()` begins without
  /// waiting.
  package mutating func hasRecord() -> Bool { reader.hasBufferedRecord() }

  /// The next batch, never empty, or `nil` at the end of the stream.
  ///
  /// - Throws: what `LineReader.next()` throws.
  package mutating func next() throws -> RecordBatch? {
    var batch = RecordBatch()
    while batch.records.count < recordLimit, batch.bytes.count < byteLimit {
      if patience == .untilInputPauses, !batch.records.isEmpty, !reader.hasRecordWithoutWaiting() {
        break
      }
      guard var record = try reader.next() else { break }
      let start = batch.bytes.count
      batch.bytes.append(contentsOf: reader.bytes[record.range])
      record.range = start..<batch.bytes.count
      batch.records.append(record)
    }
    return batch.records.isEmpty ? nil : batch
  }
}
