// What is said of one checkpoint: `<letter> <id> <entries> <rule> [<detail>]`.

internal import RedoCrypto
package import RedoObject
package import RedoStore

/// The answer to one checkpoint.
package struct CheckpointRow {
  /// Whether the history continues a checkpoint.
  package enum Verdict {
    /// It does.
    case holds
    /// The checkpoint is of an earlier log of the store, which a later one that holds has ended.
    case past
    /// It does not, or cannot.
    case broken(Rule, String)

    /// G, P or B.
    package var letter: String {
      switch self {
      case .holds: "G"
      case .past: "P"
      case .broken: "B"
      }
    }
  }

  package let found: FoundCheckpoint
  package var verdict: Verdict

  /// Whether nothing is wrong.
  package var isGood: Bool { if case .broken = verdict { false } else { true } }

  /// The same as a finding about the store.
  package var finding: StoreFinding? {
    guard case .broken(let rule, let detail) = verdict else { return nil }
    let repair =
      rule == .checkpointDiverged
      ? "put the newest copy of the store back; if a wipe or an older copy is wanted, "
        + "'redo checkpoint create --new-log'"
      : "'redo verify --repair-from' a copy of the store that has it"
    return StoreFinding(
      rule, id: found.id,
      detail: found.path.map { "\(detail) (\($0))" } ?? detail, repair: repair)
  }
}
