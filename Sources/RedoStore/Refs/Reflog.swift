// `reflog`: every change of refs since the beginning. Its first line is `redo-reflog 1`; framed
// records follow, those of the journal once they are folded. What comes last is in the journal.

internal import RedoCrypto

/// The history of the refs of a store.
package enum Reflog {
  /// The first line of the file.
  static let firstLine: StaticString = "redo-reflog 1\n"

  /// Visits the records of a log to its end, and verifies the chain through them.
  ///
  /// - Parameters:
  ///   - reader: at the first record.
  ///   - path: the file, for messages.
  ///   - visit: answers whether to go on.
  /// - Returns: number and chain of the last record that was visited, and whether it was to go on.
  /// - Throws: the first thing that is wrong, or what the visitor threw.
  static func read(
    _ reader: inout LogReader, _ path: String,
    _ visit: (ReflogEntry) throws(RefsError) -> Bool
  ) throws(RefsError) -> (number: Int, chain: Digest, isWhole: Bool) {
    var chain = Digest.zero
    var number = 0
    while !reader.isAtEnd {
      let start = reader.position
      guard let count = JournalFrame.payloadCount(try reader.take(JournalFrame.byteCount)) else {
        throw .corrupt(path, at: start, "a record has no valid frame line")
      }
      let payload = try reader.take(count)
      let entry = try ReflogEntry(
        parsing: payload, in: 0..<count, base: start + JournalFrame.byteCount, after: chain,
        file: path)
      number += 1
      guard entry.number == number else {
        throw .corrupt(path, at: start, "a record has the number of another")
      }
      chain = entry.chain
      guard try visit(entry) else { return (number, chain, false) }
    }
    return (number, chain, true)
  }
}

extension Refs {
  /// Visits all changes since the beginning, oldest first, and verifies the chain through them.
  ///
  /// - Parameter visit: answers whether to go on.
  /// - Returns: the number of changes visited.
  /// - Throws: the first thing that is wrong, or what the visitor threw.
  package func forEachEntry(
    _ visit: (ReflogEntry) throws(RefsError) -> Bool
  ) throws(RefsError) -> Int {
    let snapshot = try snapshot()
    let path = joinPath(directory.path, Name.reflog)
    var reader = try LogReader.open(
      in: directory, Name.reflog, firstLine: Reflog.firstLine, end: snapshot.reflogBytes)
    let read = try Reflog.read(&reader, path, visit)
    guard read.isWhole else { return read.number }
    var number = read.number
    guard read.chain == snapshot.header.chain, number == snapshot.header.entry else {
      throw .corrupt(path, at: reader.position, "the log does not lead to the refs")
    }
    guard !snapshot.isJournalStale else { return number }
    for entry in snapshot.journal.entries {
      number = entry.number
      guard try visit(entry) else { break }
    }
    return number
  }
}
