// The received log as a log that only grows: its entries in order, without those that were taken back.

internal import RedoCrypto
package import RedoObject

extension Received {
  /// Visits the entries that count, oldest first, in bounded memory.
  ///
  /// What a wipe takes back is left out, whether or not the file has been rewritten yet.
  ///
  /// - Parameters:
  ///   - end: the bytes that count, as a view of the refs tells.
  ///   - visit: receives a node and when it was received, in milliseconds since 1970; answers
  ///     whether to go on.
  /// - Throws: the first thing that is wrong.
  package func forEachEntry(
    to end: Int, _ visit: (ObjectID, Int64) -> Bool
  ) throws(RefsError) {
    var lastForgotten: [ObjectID: Int] = [:]
    var number = 0
    if !isWithoutForgotten(to: end) {
      try forEachFrame(to: end) { ids, note in
        if note == .forgotten { for id in ids { lastForgotten[id] = number } }
        number += 1
        return true
      }
      number = 0
    }
    try forEachFrame(to: end) { ids, note in
      defer { number += 1 }
      guard case .received(let milliseconds) = note else { return true }
      if lastForgotten.isEmpty { return ids.allSatisfy { visit($0, milliseconds) } }
      for id in ids where lastForgotten[id, default: -1] < number {
        guard visit(id, milliseconds) else { return false }
      }
      return true
    }
  }

  /// Whether no frame takes ids back, judged by their first lines alone: anything wrong with the frames shows
  /// when they are read.
  private func isWithoutForgotten(to end: Int) -> Bool {
    do throws(RefsError) {
      var reader = try LogReader.open(
        in: directory, Refs.Name.received, firstLine: Self.firstLine, end: end)
      while !reader.isAtEnd {
        let line = try reader.take(Self.lineCount)
        var scanner = LineScanner(line, in: 1..<line.count)
        guard let count = scanner.hexNumber(8), scanner.take(" "),
          let time = scanner.hexNumber(12), time != Self.forgetting
        else { return false }
        _ = try reader.take((count + 1) * Digest.byteCount)
      }
      return true
    } catch {
      return false
    }
  }
}
