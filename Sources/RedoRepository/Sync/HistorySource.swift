// The part of a store that is compared with others (redo-wire(5)): the nodes of the history that pass the profile
// `sync` with all their ancestors, as far as the index of the history tells: it knows which nodes are signed, which
// clocks fit, and the parents of each. No node is read. Whether signatures are good is checked by the sender of nodes
// (PushCheck), and again by the receiver.
//
// Among nodes that pass with all their ancestors, each has a greater lamport than its parents. So their order in the
// index, which is the total order of all nodes, is that of the clocks, whatever else is in it.

package import RedoCrypto
package import RedoHistory
package import RedoObject
package import RedoRemote

/// The nodes of a history that are compared, in the total order.
package struct HistorySource: ComparedSource {
  /// The index that describes them; its columns have been checked.
  package let graph: Graph
  /// Their positions in it, ascending; `nil` when all are compared.
  private let order: [UInt32]?
  /// The number of nodes of the history, compared or not.
  package let historyCount: Int
  /// The nodes of the history that are not compared, and why.
  package let unfit: UnfitNodes
  /// The nodes that a client may see, but not compare, because it may not see all their ancestors.
  package private(set) var heldBack: [ObjectID] = []
  /// Digests of runs of what is compared, if they are known.
  package var tree: RangeTree?
  /// Which positions of the index may not be seen, or stand upon one that may not; `nil` when all may.
  private let isHidden: [Bool]?

  /// Finds the nodes of a store that can be compared at this moment.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - filter: the requested nodes.
  ///   - allowsUnsigned: whether nodes without a signature are compared too.
  ///   - shows: whether a node may be seen at all; all may when `nil`. A node is compared only if all its ancestors
  ///     may be seen too.
  ///   - unreadable: nodes that count as absent, because they cannot be read, and why.
  ///   - effects: the surroundings.
  /// - Throws: the error when the history cannot be read.
  package init(
    _ opened: Repository, filter: SyncFilter = .all, allowsUnsigned: Bool,
    shows: ((ObjectID) -> Bool)? = nil, unreadable: [ObjectID: Finding] = [:], _ effects: Effects
  ) throws {
    self = try opened.trace.measure("source") {
      let columns = filter.columns.union([.ids, .parents, .clocks, .fingerprints])
      var history: HistoryGraph
      do {
        history = try HistoryGraph.open(opened, usesCache: true, columns)
      } catch {
        guard UnreadableNode.finding(error) != nil else { throw error }
        let readable = try ReadableHistory(opened)
        opened.note(unreadable: readable.findings.keys)
        return HistorySource(
          HistoryGraph(readable.graph), filter, allowsUnsigned: allowsUnsigned, shows,
          unreadable.merging(readable.findings) { $1 }, readable.lost)
      }
      let source = HistorySource(
        history, filter, allowsUnsigned: allowsUnsigned, shows, unreadable)
      if source.isAscending { return source }
      // An index that somebody else wrote: its hashes fit, and its order is not that of the clocks.
      history = try HistoryGraph.open(opened, usesCache: true, columns, isFresh: true)
      return HistorySource(history, filter, allowsUnsigned: allowsUnsigned, shows, unreadable)
    }
  }

  /// Whether every node comes after the one before it, as whoever compares relies on.
  private var isAscending: Bool {
    guard count > 0 else { return true }
    var last = graphPosition(at: 0)
    for position in 1..<count {
      let next = graphPosition(at: position)
      let clocks = (graph.lamport(at: last), graph.wall(at: last))
      let nextClocks = (graph.lamport(at: next), graph.wall(at: next))
      guard clocks < nextClocks || clocks == nextClocks && graph.id(at: last) < graph.id(at: next)
      else { return false }
      last = next
    }
    return true
  }

  private init(
    _ history: HistoryGraph, _ filter: SyncFilter, allowsUnsigned: Bool,
    _ shows: ((ObjectID) -> Bool)?, _ unreadable: [ObjectID: Finding],
    _ lost: [ReadableHistory.Lost] = []
  ) {
    graph = history.graph
    historyCount = (history.members.map { $0.count { $0 } } ?? history.graph.count) + lost.count
    let asked = filter.matches(in: graph)
    let hidden = shows.map { Self.hidden(history, $0) }
    let isHidden = hidden?.isHidden
    self.isHidden = isHidden
    let listed = hidden?.listed ?? []
    heldBack = listed.filter { asked?[$0] ?? true }.map { [graph] in graph.id(at: $0) }
    let unfit = UnfitNodes(
      graph, members: history.members, asked: asked, allowsUnsigned: allowsUnsigned,
      unreadable: unreadable, lost: lost)
    self.unfit = unfit
    guard asked != nil || history.members != nil || unfit.isPresent || isHidden != nil else {
      order = nil
      return
    }
    // From the newest on: a requested node brings its ancestors.
    var isTaken = asked ?? [Bool](repeating: true, count: graph.count)
    for position in (0..<graph.count).reversed() where isTaken[position] {
      guard history.members?[position] ?? true, !unfit.contains(position),
        !(isHidden?[position] ?? false)
      else {
        isTaken[position] = false
        continue
      }
      guard asked != nil, !filter.isBare else { continue }
      graph.forEachParent(at: position) { isTaken[$0] = true }
    }
    order = isTaken.indices.lazy.filter { isTaken[$0] }.map { UInt32($0) }
  }

  /// The nodes that may not be seen, with all their descendants; and which of these may be seen themselves.
  private static func hidden(
    _ history: HistoryGraph, _ shows: (ObjectID) -> Bool
  ) -> (isHidden: [Bool], listed: [Int]) {
    let graph = history.graph
    var isHidden = [Bool](repeating: false, count: graph.count)
    var listed: [Int] = []
    for position in 0..<graph.count {
      guard history.members?[position] ?? true, shows(graph.id(at: position)) else {
        isHidden[position] = true
        continue
      }
      graph.forEachParent(at: position) { isHidden[position] = isHidden[position] || isHidden[$0] }
      if isHidden[position] { listed.append(position) }
    }
    return (isHidden, listed)
  }

  /// The number of nodes.
  package var count: Int { order?.count ?? graph.count }

  /// The position of a node in the index.
  ///
  /// - Parameter position: 0 to below the count.
  /// - Returns: its position there.
  @inline(__always)
  package func graphPosition(at position: Int) -> Int {
    order.map { Int($0[position]) } ?? position
  }

  /// The position of a node of the index; `nil` when it is not compared.
  package func position(ofGraph wanted: Int) -> Int? {
    guard let order else { return wanted }
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if order[middle] < UInt32(wanted) { low = middle + 1 } else { high = middle }
    }
    return low < order.count && order[low] == UInt32(wanted) ? low : nil
  }

  /// Whether a node of the history may be seen with all its ancestors, whether it was requested or not.
  package func isSeen(_ id: ObjectID) -> Bool {
    graph.position(of: id).map { !(isHidden?[$0] ?? false) } ?? false
  }

  package func id(at position: Int) -> ObjectID { graph.id(at: graphPosition(at: position)) }

  package func position(of id: ObjectID) -> Int? {
    graph.position(of: id).flatMap { position(ofGraph: $0) }
  }

  package func contains(_ id: ObjectID) -> Bool { graph.position(of: id) != nil }

  // MARK: RangeSource

  package func place(at position: Int) -> RangeBound {
    let place = graphPosition(at: position)
    return RangeBound(
      lamport: graph.lamport(at: place), wall: graph.wall(at: place), id: graph.id(at: place))
  }

  package func fingerprint(at position: Int) -> NodeFingerprint {
    graph.fingerprint(at: graphPosition(at: position))
  }

  package func endsPiece(at position: Int) -> Bool { id(at: position).endsPiece }

  /// The number of fingerprints that are hashed together.
  private static let hashedCount = 2048

  package func hashFingerprints(of positions: Range<Int>, into hash: inout SHA256) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(NodeFingerprint.byteCount * min(positions.count, Self.hashedCount))
    for start in stride(from: positions.lowerBound, to: positions.upperBound, by: Self.hashedCount)
    {
      let end = min(start + Self.hashedCount, positions.upperBound)
      bytes.removeAll(keepingCapacity: true)
      if let order {
        for position in order[start..<end] {
          graph.fingerprint(at: Int(position)).appendRaw(to: &bytes)
        }
      } else {
        graph.appendFingerprints(of: start..<end, to: &bytes)
      }
      hash.update(bytes.span)
    }
  }
}
