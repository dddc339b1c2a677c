// Which refs are related to revisions: `--contains`, `--merged` and `--points-at`, as in git-for-each-ref(1).

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoStore

/// Conditions on what a ref names; all kinds that are given must hold, of one kind one is enough.
struct RefReach {
  /// The objects that refs may name; `nil` for any.
  private var named: Set<ObjectID>?
  /// The graph in which refs are looked up, and for each position whether a ref to it is wanted; `nil` for any ref.
  private var graph: Graph?
  private var marks: [[Bool]] = []

  /// Reads the conditions.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - now: the present, in milliseconds since 1970.
  ///   - contains: revisions one of which a ref must reach.
  ///   - merged: revisions one of which must reach what a ref names.
  ///   - pointsAt: revisions that a ref may name.
  /// - Throws: when a revision stands for nothing, or a node is missing or corrupt.
  init(
    _ opened: Repository, now: Int64, contains: [String], merged: [String], pointsAt: [String]
  ) throws {
    let revisions = Revisions(opened, now: now)
    func ids(_ texts: [String]) throws -> [ObjectID] { try texts.flatMap { try revisions.all($0) } }
    if !pointsAt.isEmpty { named = Set(try ids(pointsAt)) }
    guard !contains.isEmpty || !merged.isEmpty else { return }
    let (below, above) = (try ids(contains), try ids(merged))
    for id in below + above { _ = try revisions.node(id) }
    let refs = try revisions.refNodes().nodes.map(\.id)
    for usesCache in [true, false] {
      let graph = try HistoryGraph.reaching(refs + below + above, opened, usesCache: usesCache)
      guard graph.check(.parents, of: 0..<graph.count) else { continue }
      func positions(_ ids: [ObjectID]) -> [Int] { ids.compactMap { graph.position(of: $0) } }
      if !contains.isEmpty { marks.append(graph.descending(from: positions(below))) }
      if !merged.isEmpty { marks.append(graph.reachable(from: positions(above))) }
      self.graph = graph
      return
    }
  }

  /// Whether a ref is wanted.
  func matches(_ ref: Ref) -> Bool {
    if let named, !named.contains(ref.id) { return false }
    guard let graph else { return true }
    guard let position = graph.position(of: ref.id) else { return false }
    return marks.allSatisfy { $0[position] }
  }
}
