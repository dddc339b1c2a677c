// The past of a ref: ref@{n} and ref@{instant}, as the reflog tells it.

package import RedoObject
package import RedoStore

/// What became of one ref, change by change.
package struct RefPast {
  /// One change of the ref.
  package struct Change {
    /// The number of the entry.
    package let entry: Int
    /// When, in milliseconds since 1970.
    package let milliseconds: Int64
    /// What stood no longer.
    let removed: [ObjectID]
    /// What stood from then on.
    package let added: [ObjectID]
  }

  /// The changes, oldest first.
  package private(set) var changes: [Change] = []
  /// What stands after the last of them.
  private var present: Set<ObjectID> = []

  /// Takes in a later change.
  package mutating func append(_ change: Change) {
    changes.append(change)
    present.subtract(change.removed)
    present.formUnion(change.added)
  }

  /// What stood after the change of an index; nothing before the first.
  package func value(after index: Int) -> [ObjectID] {
    var ids = present
    for change in changes[(index + 1)...].reversed() {
      ids.subtract(change.added)
      ids.formUnion(change.removed)
    }
    return ids.sorted()
  }
}

extension Revisions {
  /// The past of a ref.
  ///
  /// - Throws: `RefsError` when the reflog cannot be read, or its chain does not hold.
  package func past(of name: RefName) throws -> RefPast {
    var past = RefPast()
    _ = try opened.store.refs.forEachEntry { (entry) throws(RefsError) in
      let removed = entry.removals.filter { $0.name == name }.map(\.id)
      let added = entry.additions.filter { $0.name == name }.map(\.id)
      if !removed.isEmpty || !added.isEmpty {
        past.append(
          RefPast.Change(
            entry: entry.number, milliseconds: entry.milliseconds, removed: removed,
            added: added))
      }
      return true
    }
    return past
  }

  /// What a ref stood for at an earlier time.
  func earlier(
    _ place: Revision.Past, _ revision: Revision
  ) throws -> [ObjectID] {
    let name = try refName(revision.name)
    let past = try past(of: name)
    guard !past.changes.isEmpty else {
      throw RevisionFault.neverNamed(name)
    }
    let index: Int
    let then: RevisionFault.Then
    switch place {
    case .changes(let count):
      guard count < past.changes.count else {
        throw RevisionFault.fewChanges(name, count: past.changes.count)
      }
      index = past.changes.count - 1 - count
      then = .revision(revision.text)
    case .moment(let text):
      let moment = try moment(text)
      // From the newest on: a clock that went back must not hide what came after.
      guard
        let found = past.changes.lastIndex(where: { $0.milliseconds <= moment.milliseconds })
      else { throw RevisionFault.absentThen(name, .instant(moment)) }
      index = found
      then = .instant(moment)
    }
    let ids = past.value(after: index)
    guard !ids.isEmpty else { throw RevisionFault.absentThen(name, then) }
    return ids
  }
}
