// The index of the history: whether it can be used, and whether it agrees with the nodes.

internal import RedoCrypto
package import RedoHistory
package import RedoObject
package import RedoStore

/// The differences between an index and the nodes.
package struct IndexDifferences: Sendable {
  /// The number of nodes that it is wrong about.
  package private(set) var count = 0
  private var first: (id: ObjectID, what: String)?

  /// Creates an empty value.
  package init() {}

  /// Compares a node with what the index says about it.
  package mutating func compare(_ node: HistoryNode, _ graph: Graph, _ times: [ObjectID: Int64]?) {
    guard let position = graph.position(of: node.id),
      let what = graph.difference(
        at: position, from: node, received: times.map { $0[node.id] ?? 0 })
    else { return }
    count += 1
    first = first ?? (node.id, what)
  }

  /// Adds those of the next shard.
  package mutating func append(_ other: IndexDifferences) {
    count += other.count
    first = first ?? other.first
  }

  /// One finding for all of them.
  package var finding: StoreFinding? {
    guard let first else { return nil }
    let more = count > 1 ? ", and \(count - 1) more nodes" : ""
    return IndexAudit.finding("it says another \(first.what) of this node\(more)", first.id)
  }
}

/// The check of the files of the index.
package struct IndexAudit: Sendable {
  /// The index, if it fits the received log and nothing in it is out of place.
  package private(set) var graph: Graph?
  /// What is wrong with its files.
  package private(set) var findings: [StoreFinding]

  /// Reads the files; the index is neither extended nor rebuilt.
  package init(_ opened: Repository, _ refs: RefsCheck) {
    findings = CacheCheck.index(in: opened.store.directory)
    guard findings.isEmpty, let end = refs.receivedBytes else { return }
    let index = GraphIndex(opened, usesCache: true)
    guard let base = part(GraphIndex.baseName, on: nil, index, end) else { return }
    graph = Graph(base: base, tail: part(GraphIndex.tailName, on: base, index, end))
  }

  /// Reads a part of the index; one that belongs to another log, or on top of another part, is not used by anybody.
  private mutating func part(
    _ name: String, on base: GraphSegment?, _ index: GraphIndex, _ end: Int
  ) -> GraphSegment? {
    let found = index.segment(name)
    if found == nil, index.exists(name) {
      findings.append(
        StoreFinding(
          .indexCorrupt, path: joinPath(Layout.cache, name),
          detail: "this release does not read its form; it is made again", repair: StoreRepair.cache
        ))
    }
    guard let part = found, (try? index.fits(part, end)) == true,
      base.map({ part.stands(on: $0) }) ?? true
    else { return nil }
    guard let fault = part.fault(on: base) else { return part }
    findings.append(
      StoreFinding(
        .cacheWrong, path: joinPath(Layout.cache, name), detail: fault, repair: StoreRepair.cache))
    return nil
  }

  /// A finding about something that the index says and that is wrong.
  package static func finding(_ detail: String, _ id: ObjectID? = nil) -> StoreFinding {
    StoreFinding(
      .cacheWrong, id: id, path: joinPath(Layout.cache, GraphIndex.baseName), detail: detail,
      repair:
        "delete \(CacheCheck.indexNames.joined(separator: ", ")) in cache; they are made again")
  }

  /// What the index lacks or has in excess, once all objects are known.
  ///
  /// - Parameters:
  ///   - table: every object, and what only the index knows.
  ///   - received: the nodes that were received, if all of them are known.
  ///   - refs: how much of the received log counts.
  /// - Returns: a finding for each kind of difference.
  package func findings(
    _ table: NodeTable, _ received: ReceivedCheck, _ refs: RefsCheck
  ) -> [StoreFinding] {
    guard let graph, received.isWhole else { return [] }
    var findings: [StoreFinding] = []
    func report(_ ids: [ObjectID], _ what: String) {
      guard let first = ids.min() else { return }
      let more = ids.count > 1 ? ", and \(ids.count - 1) more" : ""
      findings.append(Self.finding("\(what)\(more)", first))
    }
    var strangers: [ObjectID] = []
    var known = 0
    for position in 0..<graph.count {
      let id = graph.id(at: position)
      if received.times[id] != nil {
        known += 1
      } else if let place = table.place(of: id), table.kind(place) == .missing {
        strangers.append(id)
      }
    }
    report(strangers, "it holds this node, which is neither here nor was it received")
    if graph.receivedBytes == refs.receivedBytes, known < received.times.count {
      report(
        received.times.keys.filter { id in
          guard graph.position(of: id) == nil, let place = table.place(of: id) else { return false }
          return table.kind(place) == .node
        }, "it lacks this node")
    }
    return findings
  }

  /// Whether the index wrongly claims that the heads reach all of it.
  ///
  /// - Parameters:
  ///   - history: what the heads reach.
  ///   - opened: the store.
  ///   - refs: the refs, whose state the claim refers to.
  ///   - received: the nodes that were received.
  /// - Returns: `nil` when it does not.
  package func claim(
    _ history: HistoryAudit, _ opened: Repository, _ refs: RefsCheck, _ received: ReceivedCheck
  ) -> StoreFinding? {
    guard let chain = refs.chain, refs.isWhole, let end = refs.receivedBytes,
      GraphIndex(opened, usesCache: true).isComplete(at: chain, received: end)
    else { return nil }
    let known = graph.map { graph in (0..<graph.count).lazy.map { graph.id(at: $0) } }
    let lost =
      known?.first { !history.isOfHeads($0) }
      ?? received.times.keys.filter { history.isUnreachedNode($0) }.min()
    guard let lost else { return nil }
    return StoreFinding(
      .cacheWrong, id: lost, path: joinPath(Layout.cache, GraphIndex.headsName),
      detail: "it says that the heads reach all nodes, and they do not reach this one",
      repair: StoreRepair.cache)
  }
}
