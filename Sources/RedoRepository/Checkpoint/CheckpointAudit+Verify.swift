// Compares checkpoints with the history.

package import RedoCrypto

extension CheckpointAudit {
  /// Finds out whether the history continues its checkpoints, or those in files.
  ///
  /// - Parameters:
  ///   - files: the checkpoints in files; none for those of the store.
  ///   - pinned: the key that must have signed them; `nil` for the keys that the trust file allows.
  ///   - opened: the store.
  ///   - effects: where the trust file is looked for.
  /// - Returns: a row for each, in the same order; those of the store from the last one on.
  /// - Throws: when something cannot be read.
  package static func verify(
    _ files: [FoundCheckpoint], pinned: PublicKey?, _ opened: Repository, _ effects: Effects
  ) throws -> [CheckpointRow] {
    let trust = try CheckpointTrust(opened, pinned: pinned, effects)
    guard !files.isEmpty else { return try all(opened, trust, effects) }
    var snapshot = try opened.snapshot()
    // Those of the store show which earlier logs have ended, and narrow down a difference.
    let chain = try CheckpointShelf(opened).chain(&snapshot)
    var audit = try CheckpointAudit(opened, &snapshot, trust)
    return Array(try audit.rows(chain, files, snapshot, effects).dropFirst(chain.count))
  }
}
