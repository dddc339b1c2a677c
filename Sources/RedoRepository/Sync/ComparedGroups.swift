// The receipts or schemas of a store for one exchange.

package import RedoCrypto
package import RedoObject
package import RedoRemote
package import RedoStore

/// The objects of one exchange.
///
/// A class, because they are read once, whoever needs them first.
package final class ComparedGroups: ComparedObjects {
  private let kind: ObjectKind
  private let opened: Repository
  package let effects: Effects
  private let includesShared: Bool
  private var made: GroupSource?
  package var failure: (any Error)?

  /// The objects of a store at this moment.
  ///
  /// - Parameters:
  ///   - kind: the kind of the objects.
  ///   - opened: the store.
  ///   - includesShared: whether receipts that somebody else has shared are compared, too.
  ///   - effects: the surroundings.
  package init(
    of kind: ObjectKind, _ opened: Repository, includesShared: Bool, _ effects: Effects
  ) {
    self.kind = kind
    self.opened = opened
    self.effects = effects
    self.includesShared = includesShared
  }

  /// Nothing is kept between exchanges: they are some thousands, and read in no time.
  package var top: RangeTree.Top? { nil }
  package var root: Digest? { nil }

  package func source() throws -> GroupSource {
    if let made { return made }
    let source = try opened.trace.measure("source") {
      try GroupSource(of: kind, opened, includesShared: includesShared, effects)
    }
    made = source
    return source
  }

  package var counts: (compared: Int, history: Int) {
    get throws {
      let source = try source()
      return (source.count, source.historyCount)
    }
  }

  package func held(limit: Int?) throws -> [RefusedNode] {
    var named = NamedRows(limit: limit)
    return try source().held.filter { named.names($0.rule, isBelow: $0.ancestor != nil) }
  }

  package var withheld: Withheld { get throws { Withheld(rows: try source().held) } }

  package func heads(_ has: (Int) -> Bool) throws -> [Ref] { try source().heads(has) }

  package func check(
    _ positions: [Range<Int>], _ effects: Effects
  ) throws -> PushCheck.Outcome {
    try GroupCheck.run(positions, of: try source(), opened, effects)
  }

  package func packs(
    turnLimit: Int?, tellsWhy: Bool, lists: (() -> AccessNotes.Found?)?, _ effects: Effects
  ) throws -> any PackMaker {
    GroupPacks(try source(), opened, turnLimit: turnLimit, tellsWhy: tellsWhy, effects)
  }

  package func sharedHeads(
    lacking: Set<ObjectID>, fetched: [ObjectID], pushed: [ObjectID], isFirst: Bool,
    _ effects: Effects
  ) throws -> [(name: RefName, ids: [ObjectID])]? {
    let before = try source()
    let now = try GroupSource(of: kind, opened, includesShared: includesShared, effects)
    let new = Set(fetched)
    let heads = now.heads { position in
      let id = now.id(at: position)
      // What others have made meanwhile was not compared.
      return new.contains(id) || (!lacking.contains(id) && before.position(of: id) != nil)
    }
    var rows: [(name: RefName, ids: [ObjectID])] = []
    for ref in heads {
      if rows.last?.name == ref.name {
        rows[rows.count - 1].ids.append(ref.id)
      } else {
        rows.append((ref.name, [ref.id]))
      }
    }
    return rows
  }
}
