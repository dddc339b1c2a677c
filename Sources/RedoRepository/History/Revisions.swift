// What revisions stand for: ids, refs and their past, ancestors, instants.

internal import RedoHistory
package import RedoObject
package import RedoStore

/// Answers of one store to revisions, all from the same view of its refs.
///
/// A class, because its view of the refs is opened when it is first needed, and shared.
package final class Revisions {
  package let opened: Repository
  /// The present, in milliseconds since 1970.
  package let now: Int64
  private var view: RefsSnapshot?
  private var reader = NodeReader()

  /// Answers of a store.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - now: the present, in milliseconds since 1970.
  package init(_ opened: Repository, now: Int64) {
    self.opened = opened
    self.now = now
  }

  /// The one object that a revision stands for.
  ///
  /// A whole id stands for itself; whether there is such an object is another question.
  ///
  /// - Throws: `RevisionFault` when it stands for nothing or for several, with the candidates.
  package func one(_ text: String) throws -> ObjectID {
    try one(of: try all(text), text)
  }

  /// Everything that a revision stands for: of the name of a ref all ids under it.
  ///
  /// - Throws: `RevisionFault` when it stands for nothing, or is ambiguous otherwise.
  package func all(_ text: String) throws -> [ObjectID] {
    if let id = wholeID(text) { return [id] }
    let revision = try Revision(text)
    var ids = try base(revision)
    for step in revision.steps {
      let id = try one(of: ids, revision.name)
      ids = [try take(step, from: id, revision)]
    }
    return ids
  }

  /// What ranges name.
  ///
  /// - Parameter texts: revisions and ranges.
  /// - Returns: where a walk starts, and what it leaves out with all ancestors.
  /// - Throws: `RevisionFault` for any that stands for nothing.
  package func walk(
    _ texts: [String]
  ) throws -> (tips: [ObjectID], hidden: [ObjectID]) {
    var tips: [ObjectID] = []
    var hidden: [ObjectID] = []
    for text in texts {
      switch try RevisionRange(text) {
      case .include(let text): tips += try all(text)
      case .exclude(let text): hidden += try all(text)
      case .difference(let from, let to):
        hidden += try all(from)
        tips += try all(to)
      case .symmetric(let left, let right):
        let (left, right) = (try all(left), try all(right))
        tips += left + right
        hidden += try mergeBases(left, right)
      }
    }
    return (tips, hidden)
  }

  /// The id that a text is, if it is a whole one.
  private func wholeID(_ text: String) -> ObjectID? {
    if let id = ObjectID(text: text) { return id }
    let bytes = Array(text.utf8)
    return ObjectID(hex: bytes.span)
  }

  /// What stands before the steps.
  private func base(_ revision: Revision) throws -> [ObjectID] {
    if let past = revision.past { return try earlier(past, revision) }
    if let id = wholeID(revision.name) { return [id] }
    if Moment.isMeant(revision.name) { return [try newest(at: try moment(revision.name))] }
    return try named(revision.name)
  }

  /// The one of some ids that must be one.
  package func one(of ids: [ObjectID], _ text: String) throws -> ObjectID {
    guard ids.count != 1 else { return ids[0] }
    throw RevisionFault.severalObjects(text, ObjectCandidates(ids, opened.objects))
  }

  /// Reads an instant; a day stands for its last millisecond.
  package func moment(_ text: String) throws -> Moment {
    guard let moment = Moment(text, .end, now: now) else {
      throw RevisionFault.malformedDate(text)
    }
    return moment
  }

  /// The last node in the total order of the history whose wall time is at or before an instant.
  private func newest(at moment: Moment) throws -> ObjectID {
    let limit = WallTime(milliseconds: moment.milliseconds)
    let history = try HistoryGraph.open(opened, usesCache: true, [.clocks, .ids])
    for position in stride(from: history.graph.count - 1, through: 0, by: -1)
    where history.members?[position] ?? true && history.graph.wall(at: position) <= limit {
      return history.graph.id(at: position)
    }
    throw RevisionFault.beforeHistory(limit)
  }

  /// All heads of the store.
  package func heads() throws -> [ObjectID] {
    var ids: [ObjectID] = []
    try forEachRef(prefix: "heads/") { ref in
      ids.append(ref.id)
      return true
    }
    return ids
  }

  private func take(
    _ step: Revision.Step, from id: ObjectID, _ revision: Revision
  ) throws -> ObjectID {
    switch step {
    case .parent(0):
      _ = try node(id)
      return id
    case .parent(let number):
      let parents = try node(id).parents
      guard number <= parents.count else {
        throw RevisionFault.noParent(revision: revision.text, of: id, parents: parents.count)
      }
      return parents[number - 1]
    case .ancestor(let count):
      var found = id
      for step in 0..<count {
        guard let parent = try node(found).parents.first else {
          throw RevisionFault.noAncestor(revision: revision.text, of: id, ancestors: step)
        }
        found = parent
      }
      if count == 0 { _ = try node(id) }
      return found
    }
  }

  /// A node, which must be there.
  package func node(_ id: ObjectID) throws -> Node {
    let object = try HistoryWalk.object(id, opened.objects, &reader)
    guard let node = reader.decode(object) else {
      throw HistoryFault.invalidNode(id)
    }
    return node
  }

  /// The ids under a name.
  package func ids(of name: RefName) throws -> [ObjectID] {
    try openView()
    return try view?.ids(of: name) ?? []
  }

  /// Visits refs in order.
  package func forEachRef(
    prefix: String, _ visit: (Ref) -> Bool
  ) throws {
    try openView()
    try view?.forEach(prefix: prefix) { (ref) throws(RefsError) in visit(ref) }
  }

  private func openView() throws {
    if view == nil { view = try opened.snapshot() }
  }
}
