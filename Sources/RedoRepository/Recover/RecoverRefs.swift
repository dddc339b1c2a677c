// A recovered history as refs: `recovered/<name>/heads/<task>`, `recovered/<name>/receipts/<root>` and
// `recovered/<name>/schemas/<name>`, all in one step.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// The refs of a recovered history.
package struct RecoverRefs {
  /// The prefix of their names, up to the last slash before `heads`.
  package let prefix: String
  private let isForced: Bool

  /// - Parameters:
  ///   - name: the name of the history.
  ///   - isForced: whether existing refs are replaced.
  /// - Throws: `invalidName`.
  package init(_ name: String, isForced: Bool) throws(RecoverFault) {
    prefix = "recovered/\(name)/"
    self.isForced = isForced
    guard let example = RefName(prefix + "heads/-"), example.isMultiValued else {
      throw .invalidName(name)
    }
  }

  private func name(of task: TaskID?) -> RefName {
    guard let name = RefName(prefix + "heads/" + (task?.text ?? "-")) else {
      preconditionFailure("BUG: a task's id is no ref name")
    }
    return name
  }

  /// The name of the heads of a chain of receipts, or of a schema.
  private func name(of group: HistoryPlace.Group) -> RefName {
    guard let name = RefName(prefix + RefName.heads(of: group).text) else {
      preconditionFailure("BUG: a group has no ref name")
    }
    return name
  }

  /// Refuses to replace refs.
  func check(_ opened: Repository) throws {
    guard !isForced else { return }
    var snapshot = try opened.snapshot()
    guard try !taken(&snapshot).isEmpty else { return }
    throw RecoverFault.refsExist(prefix: prefix)
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
    _ history: RecoveredHistory, _ groups: [RecoveredGroups], _ message: String,
    _ opened: Repository, _ effects: Effects
  ) throws {
    try RecoverNodes(opened).check(history.admission.ids, effects) { _ throws in }
    for group in groups { try group.check(opened, effects) { _ throws in } }
    let options = try opened.refsOptions()
    let time = effects.clock()
    let heads =
      history.heads.map { (name: name(of: $0.task), ids: $0.added) }
      + groups.flatMap { $0.heads.map { (name: name(of: $0.key), ids: $0.value) } }
    var isRefused = false
    let outcome = try opened.store.refs.commit(at: time, options) {
      snapshot throws(RefsError) in
      let old = try taken(&snapshot)
      isRefused = !old.isEmpty && !isForced
      guard !isRefused else { return nil }
      var transaction = RefTransaction(message: message)
      for name in old.subtracting(heads.map(\.name)).sorted() where name.isMultiValued {
        transaction.delete(name)
      }
      for (name, ids) in heads { transaction.replace(name, with: ids) }
      return transaction
    }
    guard !isRefused else { throw RecoverFault.refsExist(prefix: prefix) }
    guard case .committed(let commit) = outcome else {
      preconditionFailure("BUG: a change without conditions is refused")
    }
    effects.report(commit.warnings)
  }
}
