// Whether a copy of a history, wherever it is and in whatever order, has all that a checkpoint states.

package import RedoObject

/// A copy held against what a checkpoint states of the objects of its kind.
package struct Completeness: Sendable {
  /// The answer.
  package enum Verdict: String, Sendable {
    /// Everything that is stated is there.
    case complete
    /// Something is not.
    case incomplete
    /// There is more than is stated, and only the list of ids tells whether all that is stated is among it.
    case undecided
  }

  /// What is stated.
  package let statement: HistoryStatement
  /// The answer.
  package let verdict: Verdict
  /// The kind of the objects.
  package let kind: ObjectKind
  /// How many objects the copy has.
  package let count: Int
  /// How many of them no other one names as a parent.
  package let headCount: Int
  /// The heads of the history that are absent; known from the list of ids alone.
  package let heads: [ObjectID]
  /// What objects of the copy name as a parent, and is absent.
  package let parents: [HistoryCopy.Missing]
  /// What else is absent; known from the list of ids alone.
  package let others: [ObjectID]
  /// What the copy has beyond the list of ids.
  package let added: [ObjectID]

  /// Holds a copy against a statement.
  ///
  /// - Parameters:
  ///   - copy: the copy.
  ///   - statement: what the checkpoint says of objects of this kind.
  ///   - list: the ids that it covers, if they are at hand.
  package init(_ copy: HistoryCopy, _ statement: HistoryStatement, _ list: HistoryContents.Part?) {
    self.statement = statement
    kind = copy.kind
    count = copy.count
    headCount = copy.heads.count
    let dangling = copy.missing().filter { !$0.children.isEmpty }
    guard let list else {
      let isSame = HistoryStatement.digest(of: copy.sortedIDs) == statement.digest
      parents = isSame ? [] : dangling
      verdict =
        isSame
        ? .complete
        : !dangling.isEmpty || copy.count <= statement.count ? .incomplete : .undecided
      (heads, others, added) = ([], [], [])
      return
    }
    let stated = Set(list.ids)
    let absent = list.ids.filter { !copy.contains($0) }
    let named = dangling.filter { stated.contains($0.id) }
    let isHead = Set(list.heads)
    let isNamed = Set(named.map(\.id))
    heads = absent.filter { isHead.contains($0) }
    parents = named
    others = absent.filter { !isHead.contains($0) && !isNamed.contains($0) }
    added = copy.sortedIDs.filter { !stated.contains($0) }
    verdict = absent.isEmpty ? .complete : .incomplete
  }
}

extension CheckpointShelf {
  /// Reads the list of ids that a checkpoint covers.
  ///
  /// - Parameters:
  ///   - path: the list.
  ///   - checkpoint: the checkpoint.
  ///   - name: the checkpoint in messages.
  ///   - effects: says where relative paths begin.
  /// - Returns: the list.
  /// - Throws: `CheckpointFault` when it is no list, or that of another checkpoint.
  package static func list(
    _ path: String, of checkpoint: Checkpoint, _ name: String, _ effects: Effects
  ) throws -> HistoryContents {
    let list = try HistoryContents(path: path, effects)
    let covered = checkpoint.statements.compactMap { statement in
      ObjectKind(name: statement.kind).map { list[$0].statement == statement }
    }
    let isStated = list.parts.allSatisfy { part in
      part.ids.isEmpty || checkpoint.statements.contains { $0.kind == part.kind.name.description }
    }
    guard isStated, covered.allSatisfy(\.self) else {
      throw CheckpointFault.otherList(path: path, checkpoint: name)
    }
    return list
  }
}
