// All refs in one hash, as a checkpoint states them: now, and as they were after an earlier change.

package import RedoCrypto
internal import RedoObject

/// All refs at one moment, as one hash.
package struct RefsStatement: Hashable, Sendable {
  /// The number of the last change, 0 at first.
  package let entry: Int
  /// The hash over all changes, 32 zeros at first.
  package let chain: Digest
  /// The number of refs.
  package let count: Int
  /// The SHA-256 of their lines in order: `<id> SP <name> LF`.
  package let digest: Digest
}

extension RefsSnapshot {
  /// All refs of this view, as one hash.
  ///
  /// - Returns: the hash.
  /// - Throws: what is wrong with a block of them.
  package mutating func statement() throws(RefsError) -> RefsStatement {
    var lines = RefLines()
    try forEach { (ref) throws(RefsError) in
      lines.add(ref)
      return true
    }
    return lines.statement(entry: entry, chain: chain)
  }
}

extension Refs {
  /// All refs as they were after some changes, worked out from the beginning.
  ///
  /// - Parameter entries: the numbers of the changes; 0 for the beginning.
  /// - Returns: those that exist, by their numbers.
  /// - Throws: the first thing that is wrong with the log of changes.
  package func statements(at entries: Set<Int>) throws(RefsError) -> [Int: RefsStatement] {
    var found: [Int: RefsStatement] = [:]
    var standing: Set<Ref> = []
    var left = entries
    if left.remove(0) != nil { found[0] = RefLines().statement(entry: 0, chain: .zero) }
    _ = try forEachEntry { (entry) throws(RefsError) in
      standing.subtract(entry.removals)
      standing.formUnion(entry.additions)
      guard left.remove(entry.number) != nil else { return !left.isEmpty }
      var lines = RefLines()
      for ref in standing.sorted() { lines.add(ref) }
      found[entry.number] = lines.statement(entry: entry.number, chain: entry.chain)
      return !left.isEmpty
    }
    return found
  }
}

/// The lines of refs, hashed one after another.
private struct RefLines {
  private var hash = SHA256()
  private var count = 0

  mutating func add(_ ref: Ref) {
    var line: [UInt8] = []
    ref.appendLine(to: &line)
    hash.update(line.span)
    count += 1
  }

  func statement(entry: Int, chain: Digest) -> RefsStatement {
    var hash = hash
    return RefsStatement(entry: entry, chain: chain, count: count, digest: hash.finalize())
  }
}
