// What a wipe does to checkpoints: those that count what goes hold no longer. Nothing can be done
// about that, and it is said.

package import RedoObject
internal import RedoStore

/// The checkpoints that a wipe is about.
package enum WipeCheckpoints {
  /// What is to be said.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - ids: what goes.
  /// - Returns: `nil` when all checkpoints hold as before.
  /// - Throws: `fatal` when the refs or the received log cannot be read.
  package static func warning(
    _ opened: Repository, _ ids: Set<ObjectID>
  ) throws -> String? {
    var snapshot = try opened.snapshot()
    let chain = try CheckpointShelf(opened).chain(&snapshot)
    guard !chain.isEmpty else { return nil }
    let store = try opened.storeID()
    var first: Int?
    var index = 0
    try opened.store.received.forEachEntry(to: snapshot.receivedBytes) { id, _ in
      if ids.contains(id) { first = index }
      index += 1
      return first == nil
    }
    guard let first else { return nil }
    let count = chain.count { found in
      guard let checkpoint = found.signed?.checkpoint else { return false }
      return checkpoint.store == store && checkpoint.size > first
    }
    guard count > 0 else { return nil }
    let what = count == 1 ? "1 checkpoint counts" : "\(count) checkpoints count"
    return "\(what) what is wiped; 'redo checkpoint create --new-log' begins a new log without it"
  }
}
