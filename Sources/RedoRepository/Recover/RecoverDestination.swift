// Where a recovered history goes.

/// What a recovered history becomes.
package enum RecoverDestination {
  /// Only a report.
  case none
  /// A store of its own.
  case store(RecoverStore)
  /// Refs of the same store.
  case refs(RecoverRefs)
  /// The history itself, by new changes.
  case inPlace(RecoverInPlace)
  /// The history itself, by moving its heads.
  case local(RecoverLocal)

  /// Whether nothing is written.
  package var isNone: Bool { if case .none = self { true } else { false } }

  /// Refuses an impossible destination before anything is read.
  ///
  /// - Throws: `notEmpty` for a directory, `refsExist` for refs.
  func check(_ opened: Repository, _ effects: Effects) throws {
    switch self {
    case .none, .inPlace, .local: break
    case .store(let store): try store.check(effects)
    case .refs(let refs): try refs.check(opened)
    }
  }

  /// Writes the history somewhere else, all of it or nothing.
  ///
  /// - Parameters:
  ///   - history: the nodes.
  ///   - groups: the receipts and schemas that are asked for.
  ///   - message: the message in the reflog.
  ///   - opened: the store that has them.
  ///   - effects: the surroundings.
  /// - Throws: the error when it cannot be written; nothing is left then that could be mistaken for it.
  func write(
    _ history: RecoveredHistory, _ groups: [RecoveredGroups], _ message: String,
    _ opened: Repository, _ effects: Effects
  ) throws {
    switch self {
    case .none, .inPlace, .local: break
    case .store(let store): try store.write(history, groups, message, opened, effects)
    case .refs(let refs): try refs.write(history, groups, message, opened, effects)
    }
  }
}
