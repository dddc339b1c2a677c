// What a wipe is to take away.

internal import RedoObject
internal import RedoStore

/// What is to go.
package enum WipeScope {
  /// The changes of these user ids, and what descends from them.
  case authors(Set<String>)
  /// Everything.
  case all

  /// For the reflog.
  package var text: String {
    switch self {
    case .authors(let users): users.sorted().map { "--author=\($0)" }.joined(separator: " ")
    case .all: "--all"
    }
  }

  /// Whether everything goes.
  package var isAll: Bool { if case .all = self { true } else { false } }
}
