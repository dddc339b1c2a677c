// What revisions resolve to: IDs, refs and their past, ancestors, instants.

internal import RedoHistory
package import RedoObject
package import RedoStore

/// Resolves revisions in one store, all with the same view of its refs.
///
/// A class, because its view of the refs is opened when it is first needed, and shared.
package final class Revisions {
  package let opened: Repository
  /// The present, in milliseconds since 1970.
  package let now: Int64
  private var view: RefsSnapshot?
  private var reader = NodeReader()

  /// Creates a resolver for a store.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - now: the present, in milliseconds since 1970.
  package init(_ opened: Repository, now: Int64) {
    self.opened = opened
    self.now = now
  }

  /// The one object that a revision resolves to.
  ///
  /// A whole ID resolves to itself; whether such an object exists is a separate question.
  ///
  /// - Throws: `RevisionFault` when it resolves to nothing or to several objects, with the candidates.
  package func one(_ text: String) throws -> ObjectID {
    try one(of: try all(text), text)
  }

  /// Everything that a revision resolves to: for the name of a ref, all its IDs.
  ///
  /// - Throws: `RevisionFault` when it resolves to nothing, or is ambiguous otherwise.
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

  /// The start of a walk and what it leaves out, as ranges name them.
  ///
  /// - Parameter texts: revisions and ranges.
  /// - Returns: where a walk starts, and what it leaves out together with all ancestors.
  /// - Throws: `RevisionFault` for any that resolves to nothing.
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

  /// The ID that a text spells out, if it is a whole one.
  private func wholeID(_ text: String) -> ObjectID? {
    if let id = ObjectID(text: text) { return id }
    let bytes = Array(text.utf8)
    return ObjectID(hex: bytes.span)
  }

  /// What the part before the steps resolves to.
  private func base(_ revision: Revision) throws -> [ObjectID] {
    if let past = revision.past { return try earlier(past, revision) }
    if let id = wholeID(revision.name) { return [id] }
    if Moment.isMeant(revision.name) { return [try newest(at: try moment(revision.name))] }
    return try named(revision.name)
  }

  /// The only one of some IDs, of which there must be exactly one.
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

  /// The IDs of a ref.
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
