// The result for one checkpoint.

/// The result for one checkpoint.
package struct CheckpointRow {
  /// Whether the history continues a checkpoint.
  package enum Verdict {
    /// It does.
    case holds
    /// The checkpoint belongs to an earlier log of the store, which a later one that holds has ended.
    case past
    /// It does not, or cannot.
    case broken(CheckpointFlaw)

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
}
