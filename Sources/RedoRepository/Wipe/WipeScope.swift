// What a wipe is to remove.

internal import RedoObject
internal import RedoStore

/// What is to be removed.
package enum WipeScope {
  /// The changes of these user ids, the receipts of these dids, and what descends from them.
  case authors(Set<String>)
  /// Everything.
  case all

  /// The message in the reflog.
  package var text: String {
    switch self {
    case .authors(let users): users.sorted().map { "--author=\($0)" }.joined(separator: " ")
    case .all: "--all"
    }
  }

  /// Whether everything is removed.
  package var isAll: Bool { if case .all = self { true } else { false } }
}
