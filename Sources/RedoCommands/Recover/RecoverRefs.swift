// A recovered history as refs: `recovered/<name>/heads/<task>`, all in one step.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// The refs of a recovered history.
struct RecoverRefs {
  /// What their names begin with, up to the last slash before `heads`.
  let prefix: String
  private let isForced: Bool

  /// - Parameters:
  ///   - name: the name of the history.
  ///   - isForced: whether refs that exist are replaced.
  /// - Throws: `fatal` when refs cannot be named so.
  init(_ name: String, isForced: Bool) throws {
    prefix = "recovered/\(name)/"
    self.isForced = isForced
    guard let example = RefName(prefix + "heads/-"), example.isMultiValued else {
      throw CommandError.fatal(
        "invalid name of a recovered history: '\(name)'",
        hints: ["it is one component of the names of its refs, without slashes"])
    }
  }

  private func name(of task: TaskID?) -> RefName {
    guard let name = RefName(prefix + "heads/" + (task?.text ?? "-")) else {
      preconditionFailure("BUG: a task's id is no ref name")
    }
    return name
  }

  /// Refuses to replace refs.
  func check(_ opened: Repository) throws {
    guard !isForced else { return }
    var snapshot = try opened.snapshot()
    guard try !taken(&snapshot).isEmpty else { return }
    throw isTaken
  }

  private var isTaken: CommandError {
    CommandError(
      .refused, "'\(prefix)' exists already", hints: ["'--force' replaces what it stands for"])
  }

  /// The names that exist.
  private func taken(_ snapshot: inout RefsSnapshot) throws(RefsError) -> Set<RefName> {
    var names: Set<RefName> = []
    try snapshot.forEach(prefix: prefix) { ref throws(RefsError) in
      names.insert(ref.name)
      return true
    }
    return names
  }

  /// Writes the refs.
  func write(
    _ history: RecoveredHistory, _ message: String, _ opened: Repository,
    _ context: inout Context
  ) throws {
    try RecoverNodes(opened).check(history.admission.ids, &context) { _ throws in }
    let options = try opened.refsOptions()
    let time = context.clock()
    let heads = history.heads
    var isRefused = false
    let outcome = try opened.store.refs.commit(at: time, options) {
      snapshot throws(RefsError) in
      let old = try taken(&snapshot)
      isRefused = !old.isEmpty && !isForced
      guard !isRefused else { return nil }
      var transaction = RefTransaction(message: message)
      let heads = heads.map { (name: name(of: $0.task), ids: $0.added) }
      let own = Array((prefix + "heads/").utf8)
      for name in old.subtracting(heads.map(\.name)).sorted() where name.hasPrefix(own) {
        transaction.delete(name)
      }
      for (name, ids) in heads { transaction.replace(name, with: ids) }
      return transaction
    }
    guard !isRefused else { throw isTaken }
    guard case .committed(let commit) = outcome else {
      preconditionFailure("BUG: a change without conditions is refused")
    }
    for warning in commit.warnings { context.warning(warning.description) }
  }
}
