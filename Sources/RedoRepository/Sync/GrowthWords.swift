// Words in greetings that show that a log only grew: a client sends the size of the checkpoint that it remembers, and a
// server the hashes that lead from there to the checkpoint that it states (RFC 6962, section 2.1.2).

package import RedoCrypto
package import RedoObject
internal import RedoRemote

/// The words that show that a checkpoint continues another one.
package enum GrowthWords {
  /// The prefix of the size of a client's checkpoint.
  private static let remembers = "remembers-"
  /// The most hashes: the words have room for these, and a log of 2^34 nodes needs no more.
  private static let pathLimit = 36

  /// The word of a client that remembers a checkpoint.
  ///
  /// - Parameter checkpoint: the checkpoint.
  /// - Returns: a word.
  package static func word(of checkpoint: Checkpoint) -> String { "\(remembers)\(checkpoint.size)" }

  /// The size of the checkpoint that a client remembers.
  ///
  /// - Parameter words: those of its greeting.
  /// - Returns: `nil` when it does not say.
  package static func size(in words: [String]) -> Int? {
    words.lazy.filter { $0.hasPrefix(remembers) }
      .compactMap { Int($0.dropFirst(remembers.utf8.count)) }.first { $0 >= 0 }
  }

  /// The hashes as words.
  ///
  /// - Parameter path: the hashes.
  /// - Returns: one word each, which keep their order when they are sorted; empty when there are too many.
  package static func words(_ path: [Digest]) -> [String] {
    guard path.count <= pathLimit else { return [] }
    return path.enumerated().map { index, hash in
      "\(WireCapabilities.grown)\(index < 10 ? "0" : "")\(index)-\(Hex.text(hash.bytes.span))"
    }
  }

  /// The hashes of a server's words.
  ///
  /// - Parameter words: those of its greeting.
  /// - Returns: the hashes in their order; `nil` when a word is malformed.
  package static func path(in words: [String]) -> [Digest]? {
    var path: [Digest] = []
    for word in words.sorted() where word.hasPrefix(WireCapabilities.grown) {
      let parts = word.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 3, Int(parts[1]) == path.count,
        let hash = Hex.decode32(Array(parts[2].utf8).span)
      else { return nil }
      path.append(Digest(bytes: hash))
    }
    return path
  }
}
