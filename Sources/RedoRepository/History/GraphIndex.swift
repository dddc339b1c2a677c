// The files of the graph index (HistoryGraph): how they are read, extended by what was received since, and made anew.

package import RedoCrypto
package import RedoHistory
internal import RedoObject
package import RedoStore

/// The files of the graph index.
package struct GraphIndex {
  /// The large part.
  static let baseName = "graph"
  /// The nodes received since then.
  static let tailName = "graph.tail"
  /// The refs at which the heads reached all of it.
  static let headsName = "graph.heads"
  /// The small part is merged into the large one when it has more nodes than this, and more than a sixteenth of the
  /// large one.
  private static let tailLimit = 4096
  /// The most bytes of the note about the heads: a digest and two numbers.
  private static let noteLimit = 128
  private static let noMark = [UInt8](repeating: 0, count: Digest.byteCount)
  private let opened: Repository
  private let usesCache: Bool
  /// The mark of signatures before any node is read; `nil` when unknown.
  private let signatureMark: [UInt8]?

  package init(_ opened: Repository, usesCache: Bool) {
    self.opened = opened
    self.usesCache = usesCache && opened.usesCache
    signatureMark = try? opened.objects.signatureMark()
  }

  // MARK: Files

  /// The graph of the files, extended by what was received since.
  ///
  /// - Returns: `nil` when there is none, or it does not fit.
  package func current(_ snapshot: borrowing RefsSnapshot) throws -> Graph? {
    let end = snapshot.receivedBytes
    guard let base = segment(Self.baseName), try fits(base, end) else { return nil }
    var tail = segment(Self.tailName)
    if let found = tail {
      let isFitting = try fits(found, end)
      if !isFitting || !found.stands(on: base) { tail = nil }
    }
    let covered = tail?.receivedBytes ?? base.receivedBytes
    if covered == end { return Graph(base: base, tail: tail) }
    return try grow(base, tail, from: covered, snapshot)
  }

  /// Whether there is a file of a part that has the hashes that it states.
  func exists(_ name: String) -> Bool {
    CacheFile.open(in: opened.store.directory, "\(Layout.cache)/\(name)") != nil
  }

  /// A file of the index, or `nil` if there is none that can be used.
  package func segment(_ name: String) -> GraphSegment? {
    guard usesCache,
      let file = CacheFile.open(
        in: opened.store.directory, "\(Layout.cache)/\(name)")
    else { return nil }
    // SAFETY: the file keeps the mapping for as long as the memory keeps the file.
    let memory = unsafe GraphMemory(
      base: file.base, count: file.count, verify: { file.check($0) }, release: { _ = file })
    return GraphSegment(memory)
  }

  /// Whether a part was made from the beginning of this very received log, and no node has been given another signature
  /// since.
  func fits(_ segment: GraphSegment, _ end: Int) throws -> Bool {
    guard segment.receivedBytes <= end, segment.signatureMark == signatureMark else { return false }
    return try lastBytes(to: segment.receivedBytes) == segment.receivedEnd
  }

  private func lastBytes(to end: Int) throws -> [UInt8]? {
    return try opened.store.received.lastBytes(to: end)
  }

  /// Keeps a part for the next time, if the store can be written.
  private func save(_ bytes: [UInt8], _ name: String) {
    guard usesCache, signatureMark != nil else { return }
    try? CacheFile.write(
      bytes, in: opened.store.directory, folder: Layout.cache, name)
  }

  /// What the file about the heads says.
  private var note: [UInt8]? {
    guard usesCache else { return nil }
    return CacheFile.open(in: opened.store.directory, "\(Layout.cache)/\(Self.headsName)")?
      .payload(limit: Self.noteLimit)
  }

  /// Whether it is already known that the heads at a moment reach every node.
  package func isComplete(_ graph: Graph, _ chain: Digest) -> Bool {
    return note == Self.note(graph, chain)
  }

  /// Whether the heads reach every node, because they did at an earlier moment, and each node that came since, and each
  /// head that went, is a head now or has a child among those that came.
  ///
  /// - Parameters:
  ///   - graph: the history now.
  ///   - snapshot: the refs now.
  /// - Returns: `false` also where this is not known: the journal does not go back so far, or much has come since.
  /// - Throws: `RefsError` when the received log cannot be read.
  /// - Complexity: O(*n*) in what changed.
  func staysComplete(_ graph: Graph, _ snapshot: borrowing RefsSnapshot) throws -> Bool {
    guard let note, note.count > Digest.byteCount,
      let chain = Digest(raw: note.span.extracting(0..<Digest.byteCount)),
      let changes = snapshot.changes(since: chain)
    else { return false }
    let start = Self.moment(chain, changes.receivedBytes)
    let end = snapshot.receivedBytes
    guard note.starts(with: start), changes.receivedBytes <= end,
      let count = Int(String(decoding: note.dropFirst(start.count), as: UTF8.self)),
      (0...graph.count).contains(count), graph.count - count <= Self.tailLimit,
      changes.added.count + changes.removed.count <= 2 * Self.tailLimit,
      let received = try received(from: changes.receivedBytes, to: end)
    else { return false }
    let new = Set(received.map(\.0))
    guard graph.count == count + new.count else { return false }
    var followed: Set<Int> = []
    var positions: [Int] = []
    for id in new {
      guard let position = graph.position(of: id),
        graph.check(.parents, of: position..<position + 1)
      else { return false }
      positions.append(position)
      graph.forEachParent(at: position) { followed.insert($0) }
    }
    let heads = Set(
      changes.added.lazy.filter(\.name.isHeads).compactMap { graph.position(of: $0.id) })
    for ref in changes.removed where ref.name.isHeads {
      guard let position = graph.position(of: ref.id) else { return false }
      positions.append(position)
    }
    return positions.allSatisfy { followed.contains($0) || heads.contains($0) }
  }

  /// The same for every received node, without reading the graph.
  ///
  /// - Parameters:
  ///   - chain: the chain of the refs of the moment.
  ///   - receivedBytes: the bytes of the received log that count.
  /// - Returns: `false` also when nothing is recorded.
  package func isComplete(at chain: Digest, received receivedBytes: Int) -> Bool {
    return note?.starts(with: Self.moment(chain, receivedBytes)) ?? false
  }

  /// Records for the next run that the heads reach every node.
  func noteComplete(_ graph: Graph, _ chain: Digest) {
    save(Self.note(graph, chain), Self.headsName)
  }

  /// The chain of the refs, and what the graph covers.
  private static func note(_ graph: Graph, _ chain: Digest) -> [UInt8] {
    moment(chain, graph.receivedBytes) + "\(graph.count)".utf8
  }

  private static func moment(_ chain: Digest, _ receivedBytes: Int) -> [UInt8] {
    var moment: [UInt8] = []
    moment.append(chain.bytes.span)
    return moment + "\(receivedBytes) ".utf8
  }

  // MARK: Growing

  /// Adds what was received since.
  private func grow(
    _ base: GraphSegment, _ tail: GraphSegment?, from start: Int,
    _ snapshot: borrowing RefsSnapshot
  ) throws -> Graph? {
    let end = snapshot.receivedBytes
    // In the large part only the IDs of a few parents are looked up, and checked at the same time.
    guard var ids = try received(from: start, to: end), tail?.checkAll() ?? true else {
      return nil
    }
    ids.removeAll { base.contains($0.0) }
    let count = (tail?.count ?? 0) + ids.count
    if base.count > 0, base.isSorted, count <= max(Self.tailLimit, base.count / 16) {
      var builder = GraphBuilder()
      if let tail {
        guard base.check(.ids, of: 0..<base.count) else { return nil }
        builder.add(tail, on: base)
      }
      guard try read(ids, into: &builder) else { return nil }
      if let tail = try finish(builder, on: base, snapshot), tail.segment.isSorted {
        save(tail.bytes, Self.tailName)
        return Graph(base: base, tail: tail.segment)
      }
    }
    guard base.checkAll() else { return nil }
    var whole = GraphBuilder()
    whole.add(base, on: nil)
    if let tail { whole.add(tail, on: base) }
    guard try read(ids, into: &whole) else { return nil }
    return try finishBase(whole, snapshot)
  }

  /// The IDs that a part of the received log records; `nil` when it takes something back.
  private func received(
    from start: Int?, to end: Int
  ) throws -> [(ObjectID, Int64)]? {
    var ids: [(ObjectID, Int64)] = []
    var hasForgotten = false
    try opened.store.received.forEach(from: start, to: end) { id, note in
      switch note {
      case .received(let time): ids.append((id, time))
      case .forgotten: hasForgotten = true
      }
      return true
    }
    return hasForgotten ? nil : ids
  }

  /// Reads nodes and adds them; receipts, which are noted as received too, have no place here.
  ///
  /// - Returns: `false` when one of them is missing, or is of no kind with a history.
  private func read(
    _ ids: [(ObjectID, Int64)], into builder: inout GraphBuilder
  ) throws -> Bool {
    builder.reserve(builder.count + ids.count)
    var grown = builder
    builder = GraphBuilder()
    defer { builder = grown }
    var next = 0
    do {
      try HistoryWalk.forEachResult(
        ids.map(\.0), opened.objects
      ) { object, reader throws in
        let node = try HistoryLoad.node(object, &reader).0
        return (node, node.fingerprint)
      } _: { result throws in
        defer { next += 1 }
        do {
          let made = try result.get()
          grown.add(made.0, fingerprint: made.1, received: ids[next].1)
        } catch HistoryFault.kind(_, let kind, _) where kind.hasHistory {}
      }
    } catch {
      return false
    }
    return true
  }

  private func finish(
    _ builder: GraphBuilder, on base: GraphSegment?, _ snapshot: borrowing RefsSnapshot
  ) throws -> (bytes: [UInt8], segment: GraphSegment)? {
    let end = snapshot.receivedBytes
    guard let last = try lastBytes(to: end),
      let bytes = try? builder.finish(
        on: base, receivedBytes: end, receivedEnd: last, signatureMark: signatureMark ?? Self.noMark
      ),
      let segment = GraphSegment(GraphMemory(bytes))
    else { return nil }
    return (bytes, segment)
  }

  private func finishBase(
    _ builder: GraphBuilder, _ snapshot: borrowing RefsSnapshot
  ) throws -> Graph? {
    guard let made = try finish(builder, on: nil, snapshot) else { return nil }
    save(made.bytes, Self.baseName)
    return Graph(base: made.segment)
  }

  // MARK: Making

  /// Builds the graph from the nodes themselves.
  package func make(_ snapshot: inout RefsSnapshot) throws -> Graph {
    let heads = try HistoryLoad.heads(&snapshot)
    if let ids = try received(from: nil, to: snapshot.receivedBytes) {
      var builder = GraphBuilder()
      if try read(ids, into: &builder), let graph = try finishBase(builder, snapshot),
        heads.allSatisfy({ graph.position(of: $0) != nil })
      {
        return graph
      }
    }
    // Something that was received is not there, or the reverse: what the heads reach counts.
    let builder = try build(heads, withTimes: true)
    guard let graph = try finishBase(builder, snapshot) ?? Self.passing(builder) else {
      preconditionFailure("BUG: a closed history has no graph")
    }
    return graph
  }

  /// A graph of what some nodes reach, which is not kept; without times of receipt unless they are requested.
  ///
  /// - Throws: `HistoryFault` or `StoreError` when a node is missing or corrupt.
  func inMemory(_ tips: [ObjectID], withTimes: Bool) throws -> Graph {
    guard let graph = Self.passing(try build(tips, withTimes: withTimes)) else {
      preconditionFailure("BUG: a closed history has no graph")
    }
    return graph
  }

  /// The nodes that some tips reach, ready to be written as a graph.
  private func build(
    _ tips: [ObjectID], withTimes: Bool
  ) throws -> GraphBuilder {
    let times = withTimes ? try HistoryLoad.received(opened) : [:]
    var builder = GraphBuilder()
    for node in try HistoryLoad.nodes(from: tips, opened.objects).nodes {
      builder.add(node, fingerprint: node.fingerprint, received: times[node.id] ?? 0)
    }
    return builder
  }

  /// A graph of nodes that is used for one answer and not kept: the received log says nothing about it.
  static func passing(_ builder: GraphBuilder) -> Graph? {
    let end = [UInt8](repeating: 0, count: Digest.byteCount)
    let bytes = try? builder.finish(
      on: nil, receivedBytes: 0, receivedEnd: end, signatureMark: noMark)
    return bytes.flatMap { GraphSegment(GraphMemory($0)) }.flatMap { Graph(base: $0) }
  }
}
