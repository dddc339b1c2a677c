// The nodes that some tips reach, in the total order (protocol, section 2).

internal import RedoHistory
package import RedoObject
package import RedoStore

/// Walks a history.
package enum HistoryWalk {
  /// The nodes that tips reach, oldest first.
  ///
  /// Only what the order depends on is kept: about 150 bytes a node.
  ///
  /// - Parameters:
  ///   - tips: where the walk starts.
  ///   - store: where the nodes are.
  ///   - progress: receives how many were read.
  /// - Returns: their ids.
  /// - Throws: `HistoryFault` or `StoreError` when a node is missing or corrupt, or a tip is no node.
  package static func order(
    from tips: [ObjectID], _ store: ObjectStore, progress: Progress? = nil
  ) throws -> [ObjectID] {
    let entries = try reach(from: tips, store, parents: \.parents, progress: progress) {
      object, reader throws in
      guard let node = reader.decode(object) else {
        throw HistoryFault.invalid(object)
      }
      return OrderEntry(node)
    }
    return TotalOrder.positions(of: entries).map { entries[$0].id }
  }

  /// Transforms every node that tips reach, on all processors, in no particular order.
  ///
  /// Each object is read once and hashed again.
  ///
  /// - Parameters:
  ///   - tips: where the walk starts.
  ///   - store: where the nodes are.
  ///   - kind: their kind, where they are objects of another kind than nodes.
  ///   - parents: the parents of an output.
  ///   - progress: receives how many were read.
  ///   - transform: turns a node into an output.
  /// - Returns: the outputs, one for each node.
  /// - Throws: `HistoryFault` or `StoreError` when a node is missing or corrupt, or what the closure throws.
  package static func reach<Output: Sendable>(
    from tips: [ObjectID], _ store: ObjectStore, of kind: ObjectKind = .node,
    parents: (Output) -> [ObjectID], progress: Progress? = nil,
    _ transform: @Sendable (StoredObject, inout NodeReader) throws -> Output
  ) throws -> [Output] {
    var reader = NodeReader()
    return try reach(
      from: tips, store, of: kind, parents: parents, progress: progress, reader: &reader, transform)
  }

  /// The same with a reader that is there already, for as long as nodes are too few for several threads.
  static func reach<Output: Sendable>(
    from tips: [ObjectID], _ store: ObjectStore, of kind: ObjectKind = .node,
    parents: (Output) -> [ObjectID], progress: Progress? = nil, reader: inout NodeReader,
    _ transform: @Sendable (StoredObject, inout NodeReader) throws -> Output
  ) throws -> [Output] {
    var made: [Output] = []
    var seen = Set<ObjectID>()
    var level: [ObjectID] = []
    for tip in tips where seen.insert(tip).inserted { level.append(tip) }
    while !level.isEmpty {
      var next: [ObjectID] = []
      try forEachResult(level, store, of: kind, reader: &reader, transform) { result throws in
        let output = try result.get()
        for parent in parents(output) where seen.insert(parent).inserted { next.append(parent) }
        made.append(output)
        if made.count % batchCount == 0 { progress?.update(made.count) }
      }
      level = next
    }
    progress?.finish(made.count)
    return made
  }

  /// How many nodes are read together.
  private static let batchCount = 1024

  /// Transforms each of some nodes, on all processors, in bounded memory.
  ///
  /// - Parameters:
  ///   - ids: the nodes, which must be there.
  ///   - store: where they are.
  ///   - kind: their kind, where they are objects of another kind than nodes; any if `nil`.
  ///   - progress: receives how many are done.
  ///   - transform: turns a node into an output.
  ///   - visit: receives the outputs, in the order of the nodes.
  /// - Throws: `HistoryFault` or `StoreError` for a node that is missing or corrupt, or what the closures throw.
  package static func forEach<Output: Sendable>(
    _ ids: [ObjectID], _ store: ObjectStore, of kind: ObjectKind? = .node,
    progress: Progress? = nil,
    _ transform: @Sendable (StoredObject, inout NodeReader) throws -> Output,
    _ visit: (Output) throws -> Void
  ) throws {
    var done = 0
    try forEachResult(ids, store, of: kind, transform) { result throws in
      try visit(try result.get())
      done += 1
      if done % batchCount == 0 { progress?.update(done) }
    }
    progress?.finish(done)
  }

  /// The same where a node that cannot be read does not keep the others from being read.
  ///
  /// - Parameters:
  ///   - ids: the nodes.
  ///   - store: where they are.
  ///   - kind: their kind, where they are objects of another kind than nodes; any if `nil`.
  ///   - transform: turns a node into an output.
  ///   - visit: receives, in the order of the nodes, the outputs, or what reading or transforming a node has thrown.
  /// - Throws: `StoreError` when the store cannot be read, or what `visit` throws.
  package static func forEachResult<Output: Sendable>(
    _ ids: [ObjectID], _ store: ObjectStore, of kind: ObjectKind? = .node,
    _ transform: @Sendable (StoredObject, inout NodeReader) throws -> Output,
    _ visit: (Result<Output, any Error>) throws -> Void
  ) throws {
    var reader = NodeReader()
    try forEachResult(ids, store, of: kind, reader: &reader, transform, visit)
  }

  private static func forEachResult<Output: Sendable>(
    _ ids: [ObjectID], _ store: ObjectStore, of kind: ObjectKind?, reader: inout NodeReader,
    _ transform: @Sendable (StoredObject, inout NodeReader) throws -> Output,
    _ visit: (Result<Output, any Error>) throws -> Void
  ) throws {
    if ids.count < threadedCount {
      for id in ids {
        try visit(Result { try transform(try object(id, store, of: kind, &reader), &reader) })
      }
      return
    }
    guard ids.count >= orderedCount, var reading = try reading(ids, store) else {
      for start in stride(from: 0, to: ids.count, by: batchCount) {
        let part = ids[start..<min(start + batchCount, ids.count)]
        try forEach(part.map { ($0, nil) }, store, kind, transform, visit)
      }
      return
    }
    var next = 0
    while !reading.isAtEnd {
      let objects = try reading.read()
      try forEach(Array(zip(ids[next...], objects)), store, kind, transform, visit)
      next += objects.count
    }
  }

  /// From this number of nodes on, they are read on all processors.
  private static let threadedCount = 16
  /// From this number of nodes on, packed nodes are read frame by frame.
  private static let orderedCount = 2048

  private static func reading(
    _ ids: [ObjectID], _ store: ObjectStore
  ) throws -> OrderedReading? {
    return try store.ordered(ids)
  }

  /// Transforms each of some nodes, some of which have already been read.
  private static func forEach<Output: Sendable>(
    _ part: [(ObjectID, StoredObject?)], _ store: ObjectStore, _ kind: ObjectKind?,
    _ transform: @Sendable (StoredObject, inout NodeReader) throws -> Output,
    _ visit: (Result<Output, any Error>) throws -> Void
  ) throws {
    let results = Threads.parallelMap(
      part, threads: part.count < threadedCount ? 1 : Threads.processorCount,
      makeState: { NodeReader() }
    ) { reader, entry -> Result<Output, any Error> in
      do {
        let found = kind == nil || entry.1?.kind == kind ? entry.1 : nil
        let object = if let found { found } else { try object(entry.0, store, of: kind, &reader) }
        return .success(try transform(object, &reader))
      } catch {
        return .failure(error)
      }
    }
    for result in results { try visit(result) }
  }

  /// A node of a history, or an object of another kind, which must be there.
  package static func object(
    _ id: ObjectID, _ store: ObjectStore, of kind: ObjectKind? = .node, _ reader: inout NodeReader
  ) throws -> StoredObject {
    guard let object = try reader.storedNode(id, in: store) else {
      throw HistoryFault.missing(id)
    }
    guard kind == nil || object.kind == kind else {
      throw HistoryFault.kind(id, object.kind, wanted: kind ?? .node)
    }
    return object
  }
}
