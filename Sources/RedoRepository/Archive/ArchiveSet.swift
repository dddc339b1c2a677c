// Which nodes an archive gets: those before an instant with all their ancestors, those that revisions
// reach, or all.

package import RedoHistory
package import RedoObject

/// A set of objects of one kind of a history, by position.
package struct ArchiveSet {
  /// The kind of the objects.
  package let kind: ObjectKind
  /// The history; of receipts and schemas only their places in it.
  package let graph: Graph
  /// For each position whether the node is in the set.
  package private(set) var members: [Bool]
  /// How many nodes would be in the set but are already archived.
  package private(set) var archivedCount = 0
  /// The number of nodes of the history.
  package let historyCount: Int
  /// Nodes from before the instant that are left out, because an ancestor is not from before it.
  package private(set) var left: [Left] = []
  /// How many chains of receipts the store has that an archive of all nodes leaves out.
  package private(set) var chainCount = 0
  /// How many schemas the store has that an archive of all nodes leaves out.
  package private(set) var schemaCount = 0
  /// How many receipts are left out because they, or what they follow, tell a precise place.
  package private(set) var preciseCount = 0
  /// How many receipts are left out because somebody else has shared them, or what they follow.
  package private(set) var sharedCount = 0

  /// A node whose wall time does not fit that of an ancestor.
  package struct Left {
    package let position: Int
    /// The first ancestor that is too young.
    package let ancestor: Int
  }

  /// What the graph is asked for.
  private static let columns: GraphSegment.Columns = [.ids, .parents, .clocks, .labels]

  /// The whole history.
  package init(_ opened: Repository, usesCache: Bool) throws {
    let history = try HistoryGraph.open(opened, usesCache: usesCache, Self.columns)
    kind = .node
    graph = history.graph
    members = history.members ?? [Bool](repeating: true, count: graph.count)
    historyCount = members.count { $0 }
    chainCount = try opened.heads(of: .receipt).groups
    schemaCount = try opened.heads(of: .schema).groups
  }

  /// The clock that decides whether a node is from before an instant.
  package enum Clock: String, CaseIterable {
    /// That of its author.
    case wall
    /// That of this store, when it received the node.
    case received
  }

  /// The clock by which nodes were chosen, or are split.
  package var clock = Clock.wall

  /// The time of a clock for a node; `nil` when unknown.
  private static func time(of position: Int, _ clock: Clock, _ graph: Graph) -> Int64? {
    switch clock {
    case .wall: graph.wall(at: position).milliseconds
    case .received: graph.received(at: position)
    }
  }

  /// The time of the chosen clock for a node; `nil` when unknown.
  package func time(of position: Int) -> Int64? { Self.time(of: position, clock, graph) }

  private func wallTime(of position: Int) -> WallTime? {
    time(of: position).map { WallTime(milliseconds: $0) }
  }

  /// Keeps what is from before an instant; a node counts only if all its parents do.
  package mutating func keep(before limit: Int64, by clock: Clock) {
    self.clock = clock
    let whole = members
    var members = [Bool](repeating: false, count: graph.count)
    // The young ancestor that keeps a node out; -1 for none.
    var young = [Int32](repeating: -1, count: graph.count)
    for position in 0..<graph.count where whole[position] {
      let isOld = Self.time(of: position, clock, graph).map { $0 < limit } ?? false
      graph.forEachParent(at: position) { parent in
        if parent >= 0, young[position] < 0 { young[position] = young[parent] }
      }
      if !isOld {
        // It is passed on to its descendants as the nearest one.
        young[position] = Int32(position)
      } else if young[position] >= 0 {
        left.append(Left(position: position, ancestor: Int(young[position])))
      } else {
        members[position] = true
      }
    }
    self.members = members
  }

  /// What revisions and ranges reach; starts from all heads when they only exclude something.
  package init(
    _ opened: Repository, revisions texts: [String], now: Int64, usesCache: Bool
  ) throws {
    let revisions = Revisions(opened, now: now)
    let (named, hidden, _) = try revisions.walk(texts)
    let tips = named.isEmpty ? try revisions.heads() : named
    let graph = try HistoryGraph.reaching(
      tips + hidden, opened, usesCache: usesCache, Self.columns)
    func marks(_ ids: [ObjectID]) throws -> [Bool] {
      var positions: [Int] = []
      for id in ids {
        guard let position = graph.position(of: id) else {
          throw ArchiveFault.outside(id)
        }
        positions.append(position)
      }
      return graph.reachable(from: positions)
    }
    kind = .node
    self.graph = graph
    historyCount = graph.count
    var members = try marks(tips)
    for (position, isHidden) in try marks(hidden).enumerated() where isHidden {
      members[position] = false
    }
    self.members = members
  }

  /// Which receipts may leave a store.
  package struct Leaving: Sendable {
    /// Whether those that tell a precise place may.
    package var includesPrecise = false
    /// Whether those that somebody else has shared may.
    package var includesReceived = false

    /// Neither.
    package init() {}
  }

  /// Receipts or schemas with all that they follow, but for receipts that must not leave the store.
  ///
  /// - Parameters:
  ///   - kind: their kind.
  ///   - opened: the store.
  ///   - names: the objects; `^` before a name leaves it and what it follows out. The whole history if only such are named.
  ///   - leaving: which of them may leave the store.
  ///   - effects: receives how far the reading has come.
  /// - Throws: an error when a name stands for nothing; `HistoryFault` or `StoreError` when one is missing or corrupt;
  ///   `LocalFault` when it is not known what others have shared.
  package init(
    of kind: ObjectKind, _ opened: Repository, _ names: [String], _ leaving: Leaving,
    _ effects: Effects
  ) throws {
    var tips: [ObjectID] = []
    var hidden: [ObjectID] = []
    for name in names {
      if name.hasPrefix("^") {
        hidden.append(try ObjectName.one(String(name.dropFirst()), in: opened.objects))
      } else {
        tips.append(try ObjectName.one(name, in: opened.objects))
      }
    }
    if tips.isEmpty { tips = try opened.heads(of: kind).ids }
    let walk = try GroupWalk(
      of: kind, from: tips + hidden, opened.objects, includesPrecise: leaving.includesPrecise,
      without: leaving.includesReceived || kind != .receipt ? [] : try opened.sharedByOthers(),
      progress: Progress(.readingNodes, effects))
    let graph = walk.graph(received: try opened.receivedTimes())
    func marks(_ ids: [ObjectID]) -> [Bool] {
      graph.reachable(from: ids.compactMap { graph.position(of: $0) })
    }
    var members = marks(tips)
    for (position, isHidden) in marks(hidden).enumerated() where isHidden {
      members[position] = false
    }
    self.kind = kind
    self.graph = graph
    historyCount = members.count { $0 }
    for member in walk.members {
      guard let exclusion = member.exclusion, let position = graph.position(of: member.id),
        members[position]
      else { continue }
      members[position] = false
      switch exclusion {
      case .precise: preciseCount += 1
      case .shared: sharedCount += 1
      }
    }
    self.members = members
  }

  /// Leaves out nodes that are not in the store itself but in a registered archive.
  ///
  /// - Parameter ids: what the store itself has, in ascending order.
  package mutating func keep(only ids: [ObjectID]) {
    for position in 0..<graph.count where members[position] {
      let id = graph.id(at: position)
      var (low, high) = (0, ids.count)
      while low < high {
        let middle = (low + high) / 2
        if ids[middle] < id { low = middle + 1 } else { high = middle }
      }
      guard low == ids.count || ids[low] != id else { continue }
      members[position] = false
      archivedCount += 1
    }
  }

  /// Leaves out a node.
  mutating func leaveOut(_ position: Int) { members[position] = false }

  /// The number of nodes.
  package var count: Int { members.count { $0 } }

  /// The ids of the nodes, in the order in which they are packed.
  package var ids: [ObjectID] {
    PackOrder.positions(of: Cut(of: graph, members: members), in: graph).map { graph.id(at: $0) }
  }

  /// The most nodes that are named individually.
  private static let namedLimit = 20

  /// Reports which nodes are left out.
  package func reportLeft(all: Bool, _ effects: Effects) {
    for node in left.prefix(all ? left.count : Self.namedLimit) {
      effects.report(
        .archive(
          .nodeStays(
            ArchiveEvent.Staying(
              kind: kind, id: graph.id(at: node.position), time: wallTime(of: node.position),
              ancestor: graph.id(at: node.ancestor), ancestorTime: wallTime(of: node.ancestor)))))
    }
    if !all, left.count > Self.namedLimit {
      effects.report(.archive(.moreStay(kind, left.count - Self.namedLimit)))
    }
  }
}
