// The effect of a wipe on checkpoints: those that count wiped nodes no longer hold. Nothing can be done about that.

package import RedoObject
internal import RedoStore

/// The checkpoints that a wipe affects.
package enum WipeCheckpoints {
  /// How many checkpoints count objects that are removed.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - ids: the objects that are removed.
  /// - Returns: 0 when all checkpoints still hold.
  /// - Throws: `RefsError` when the refs or the received log cannot be read.
  package static func count(
    _ opened: Repository, _ ids: Set<ObjectID>
  ) throws -> Int {
    var snapshot = try opened.snapshot()
    let chain = try CheckpointShelf(opened).chain(&snapshot)
    guard !chain.isEmpty else { return 0 }
    let store = try opened.storeID()
    var first: Int?
    var index = 0
    try opened.store.received.forEachEntry(to: snapshot.receivedBytes) { id, _ in
      if ids.contains(id) { first = index }
      index += 1
      return first == nil
    }
    guard let first else { return 0 }
    return chain.count { found in
      guard let checkpoint = found.signed?.checkpoint else { return false }
      return checkpoint.store == store && checkpoint.size > first
    }
  }
}
