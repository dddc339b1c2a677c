// The past of a ref: ref@{n} and ref@{instant}, according to the reflog.

package import RedoObject
package import RedoStore

/// The changes of one ref.
package struct RefPast {
  /// One change of the ref.
  package struct Change {
    /// The number of the entry.
    package let entry: Int
    /// Its time in milliseconds since 1970.
    package let milliseconds: Int64
    /// The IDs that were removed.
    let removed: [ObjectID]
    /// The IDs that were added.
    package let added: [ObjectID]
  }

  /// The changes, oldest first.
  package private(set) var changes: [Change] = []
  /// The IDs after the last change.
  private var present: Set<ObjectID> = []

  /// Adds a later change.
  package mutating func append(_ change: Change) {
    changes.append(change)
    present.subtract(change.removed)
    present.formUnion(change.added)
  }

  /// The IDs after the change at an index; empty before the first.
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

  /// The IDs of a ref at an earlier time.
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
      // From the newest on: a clock that was set back must not hide what came later.
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
