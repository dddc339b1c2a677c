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
  /// - Returns: where a walk starts, what it leaves out together with all ancestors, and which of the starts are on the
  ///   left of a symmetric range.
  /// - Throws: `RevisionFault` for any that resolves to nothing.
  package func walk(
    _ texts: [String]
  ) throws -> (tips: [ObjectID], hidden: [ObjectID], left: [ObjectID]) {
    var tips: [ObjectID] = []
    var lefts: [ObjectID] = []
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
        lefts += left
        hidden += try mergeBases(left, right)
      }
    }
    return (tips, hidden, lefts)
  }

  /// The ID that a text spells out, if it is a whole one.
  private func wholeID(_ text: String) -> ObjectID? { ObjectID(name: Array(text.utf8).span) }

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

  /// The first node that a log by wall time shows with `--until`: the newest whose wall time is at or before an instant.
  private func newest(at moment: Moment) throws -> ObjectID {
    let limit = WallTime(milliseconds: moment.milliseconds)
    let found = try inHistory { set -> Found? in
      var walk = LogWalk(set, by: .wall)
      while let position = walk.next() {
        guard set.graph.check([.clocks, .ids], of: position..<position + 1) else { return nil }
        if set.graph.wall(at: position) <= limit { return Found(id: set.graph.id(at: position)) }
      }
      return walk.isDamaged ? nil : Found(id: nil)
    }
    guard let id = found.id else { throw RevisionFault.beforeHistory(limit) }
    return id
  }

  /// The newest change of the history, if there is any: the first of a log by wall time, where a wall time that cannot
  /// be true (`wall-implausible`) is replaced by the time of receipt.
  package func newest() throws -> ObjectID? {
    try inHistory { set -> Found? in
      let graph = set.graph
      guard graph.check([.clocks, .parents, .ids], of: 0..<graph.count) else { return nil }
      var isParent = [Bool](repeating: false, count: graph.count)
      for place in 0..<set.count { graph.forEachParent(at: set[place]) { isParent[$0] = true } }
      // Of the changes without a child, the latest.
      func time(_ position: Int) -> Int64 {
        let (wall, received) = (graph.wall(at: position), graph.received(at: position))
        guard wall.isImplausible(received: received) else { return wall.milliseconds }
        return received ?? wall.milliseconds
      }
      let positions = (0..<set.count).lazy.map { set[$0] }.filter { !isParent[$0] }
      let newest = positions.max { left, right in
        let (first, second) = (time(left), time(right))
        return first == second ? graph.precedes(left, right) : first < second
      }
      return Found(id: newest.map { graph.id(at: $0) })
    }.id
  }

  /// An answer of the index: a node, or that there is none.
  private struct Found {
    let id: ObjectID?
  }

  /// Asks the index of the history; one that is found to be damaged is made anew.
  private func inHistory(_ ask: (LogSet) -> Found?) throws -> Found {
    for isFresh in [false, true] {
      let history = try HistoryGraph.open(opened, usesCache: true, isFresh: isFresh)
      if let found = ask(LogSet(history.graph, reached: history.members)) { return found }
    }
    preconditionFailure("BUG: an index that was just made is damaged")
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

  /// The refs that name nodes that are here, and how many others name what is not here.
  package func refNodes() throws -> (nodes: [Ref], absentCount: Int) {
    var nodes: [Ref] = []
    var others: [Ref] = []
    try forEachRef(prefix: "") { ref in
      if ref.name.isOwnHeads { nodes.append(ref) } else { others.append(ref) }
      return true
    }
    var absentCount = 0
    for ref in others {
      guard let object = try reader.object(ref.id, in: opened.objects) else {
        absentCount += 1
        continue
      }
      if object.kind == .node { nodes.append(ref) }
    }
    return (nodes, absentCount)
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
      throw HistoryFault.invalid(object)
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
