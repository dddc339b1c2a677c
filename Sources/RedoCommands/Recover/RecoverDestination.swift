// Where a recovered history goes.

internal import RedoHistory
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// What is made of a recovered history.
enum RecoverDestination {
  /// Only a report.
  case none
  /// A store of its own.
  case store(RecoverStore)
  /// Refs of the same store.
  case refs(RecoverRefs)

  /// Whether nothing is made.
  var isNone: Bool { if case .none = self { true } else { false } }

  /// How a report names it.
  var place: String {
    switch self {
    case .none: ""
    case .store(let store): " in '\(store.path)'"
    case .refs(let refs): " as '\(refs.prefix)'"
    }
  }

  /// Refuses what cannot be done, before anything is read.
  ///
  /// - Throws: `fatal` for a directory that is not empty, `refused` for refs that exist.
  func check(_ opened: Repository, _ context: inout Context) throws {
    switch self {
    case .none: break
    case .store(let store): try store.check(&context)
    case .refs(let refs): try refs.check(opened)
    }
  }

  /// Makes it, all of it or nothing.
  ///
  /// - Parameters:
  ///   - history: the nodes.
  ///   - message: for the reflog.
  ///   - opened: the store that has them.
  ///   - context: the surroundings.
  /// - Throws: what keeps it from being made; nothing is left then that could be taken for it.
  func write(
    _ history: RecoveredHistory, _ message: String, _ opened: Repository,
    _ context: inout Context
  ) throws {
    switch self {
    case .none: break
    case .store(let store): try store.write(history, message, opened, &context)
    case .refs(let refs): try refs.write(history, message, opened, &context)
    }
  }
}
