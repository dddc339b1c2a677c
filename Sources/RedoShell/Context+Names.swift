// Names of nodes on standard input: one a record, which ends with a line feed, or with NUL after -z.

package import RedoStore

extension Context {
  /// The most bytes of a name.
  package static var nameByteLimit: Int { 65_536 }

  /// The names on standard input, in batches; the last one before a pause is not kept waiting.
  ///
  /// - Parameters:
  ///   - count: the most names of a batch.
  ///   - end: what ends a name.
  /// - Returns: reads them; the record of a name with too many bytes is empty, and says so.
  package borrowing func nameBatches(of count: Int, end: UInt8) -> BatchReader {
    BatchReader(
      LineReader(descriptor: input, separator: end, limitBytes: Self.nameByteLimit),
      recordLimit: count, patience: .untilInputPauses)
  }

  /// All names on standard input, without the empty ones.
  ///
  /// - Parameter end: what ends a name.
  /// - Returns: each with its number among the records, from 1.
  /// - Throws: `fatal` for a name with too many bytes; `SystemError`, `Interruption`.
  package borrowing func names(end: UInt8) throws -> [(number: Int, bytes: [UInt8])] {
    var names: [(number: Int, bytes: [UInt8])] = []
    var reader = LineReader(descriptor: input, separator: end, limitBytes: Self.nameByteLimit)
    while let record = try reader.next() {
      guard record.state != .tooLong else {
        throw CommandError.fatal("standard input, line \(record.number): too long for a name")
      }
      if record.byteCount > 0 { names.append((record.number, Array(reader.bytes[record.range]))) }
    }
    return names
  }
}
