// Checkpoints are compared with the history, by whoever asks about them.

package import RedoCrypto

extension CheckpointAudit {
  /// Finds out whether the history continues its checkpoints, or those in files.
  ///
  /// - Parameters:
  ///   - files: the checkpoints of files; none for those of the store.
  ///   - pinned: the key that must have signed them; `nil` for those that the trust file names.
  ///   - opened: the store.
  ///   - effects: where the trust file is looked for.
  /// - Returns: a row for each, in the same order; those of the store with the last one first.
  /// - Throws: when something cannot be read.
  package static func verify(
    _ files: [FoundCheckpoint], pinned: PublicKey?, _ opened: Repository, _ effects: Effects
  ) throws -> [CheckpointRow] {
    let trust = try CheckpointTrust(opened, pinned: pinned, effects)
    guard !files.isEmpty else { return try all(opened, trust, effects) }
    var snapshot = try opened.snapshot()
    // Those of the store tell which earlier logs have been ended, and narrow down a difference.
    let chain = try CheckpointShelf(opened).chain(&snapshot)
    var audit = try CheckpointAudit(opened, &snapshot, trust)
    return Array(try audit.rows(chain, files, snapshot, effects).dropFirst(chain.count))
  }
}
