// What another store lacks, as far as it fills whole frames of this store's packs: these are sent as they are, so
// nothing is encoded twice. Each is still decoded, so that only bytes that match their IDs are sent.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// A difference split into whole frames and the other nodes.
package struct PackedDifference {
  /// With fewer nodes than this, frames are not looked for.
  private static let leastCount = 1024

  private let source: HistorySource
  /// The positions of the nodes in the source, by their numbers.
  private let positions: [Int32]
  private let frames: [WholeFrames.Row]
  private let items: [GroupOrder.Item]

  /// Looks for frames that contain only nodes of a difference; `nil` when there are none.
  ///
  /// - Parameters:
  ///   - ranges: the positions of the nodes in the source, ascending.
  ///   - source: the source that the positions refer to.
  ///   - opened: the store it was made of.
  ///   - nodeLimit: the most nodes that may be sent together.
  /// - Throws: `StoreError` when the packs cannot be listed.
  package init?(
    _ ranges: [Range<Int>], of source: HistorySource, _ opened: Repository, nodeLimit: Int
  ) throws {
    let count = ranges.reduce(0) { $0 + $1.count }
    guard count >= Self.leastCount else { return nil }
    let positions = [Int32](ranges.lazy.joined().lazy.map { Int32($0) })
    let rows = try opened.objects.wholeFrames(of: count) { source.id(at: Int(positions[$0])) }.rows
    let frames = rows.filter { $0.nodes.count <= nodeLimit }
    guard !frames.isEmpty else { return nil }
    // Parents come from the index of the history.
    var numbers = [Int32](repeating: -1, count: source.graph.count)
    for (number, position) in positions.enumerated() {
      numbers[source.graphPosition(at: Int(position))] = Int32(number)
    }
    items = GroupOrder.items(count: count, groups: frames.map(\.nodes)) { number, body in
      source.graph.forEachParent(at: source.graphPosition(at: Int(positions[number]))) {
        if numbers[$0] >= 0 { body(Int(numbers[$0])) }
      }
    }
    self.source = source
    self.positions = positions
    self.frames = frames
  }

  /// The number of frames that each processor reads together.
  private static let framesPerThread = 2

  /// Hands on all nodes, parents before children.
  ///
  /// - Parameters:
  ///   - body: receives the nodes of a frame.
  ///   - others: receives the positions of other nodes.
  /// - Throws: what the closures throw.
  package func forEach(
    frame body: (HistoryPacks.Sent) throws -> Void,
    others: ([Int]) throws -> Void
  ) throws {
    let step = Threads.processorCount * Self.framesPerThread
    var groups: [Int] = []
    var single: [Int] = []
    for item in items {
      switch item {
      case .group(let group):
        if !single.isEmpty { try others(single) }
        single = []
        groups.append(group)
        guard groups.count == step else { continue }
        try read(groups, body, others)
        groups = []
      case .node(let number):
        if !groups.isEmpty { try read(groups, body, others) }
        groups = []
        single.append(Int(positions[number]))
      }
    }
    if !groups.isEmpty { try read(groups, body, others) }
    if !single.isEmpty { try others(single) }
  }

  /// Reads frames.
  private func read(
    _ groups: [Int], _ body: (HistoryPacks.Sent) throws -> Void,
    _ others: ([Int]) throws -> Void
  ) throws {
    let read = Threads.parallelMap(
      groups, threads: Threads.processorCount, makeState: { FrameInflater() }
    ) { inflater, group -> HistoryPacks.Sent? in
      let row = frames[group]
      guard let (nodes, frame) = WholeFrames.read(row, &inflater) else { return nil }
      return sent(nodes, frame, row.nodes)
    }
    for (group, sent) in zip(groups, read) {
      if let sent {
        try body(sent)
      } else {
        // Another copy may exist; if not, reading it reports what is wrong.
        try others(frames[group].nodes.map { Int(positions[Int($0)]) })
      }
    }
  }

  /// The nodes of a frame as they are sent; `nil` when they differ from the expected ones.
  private func sent(
    _ nodes: [StoredObject], _ frame: WholeFrame?, _ numbers: [Int32]
  ) -> HistoryPacks.Sent? {
    let graph = source.graph
    var sent = HistoryPacks.Sent(nodes: [], frame: frame)
    sent.nodes.reserveCapacity(nodes.count)
    for (object, number) in zip(nodes, numbers) {
      let position = Int(positions[Int(number)])
      guard object.id == source.id(at: position) else { return nil }
      if NodeFingerprint(id: object.id, signature: object.signature)
        != source.fingerprint(at: position)
      {
        sent.isOld = true
      }
      let place = source.graphPosition(at: position)
      sent.nodes.append(
        PackEntry(
          object, parents: graph.parentIDs(at: place), lamport: graph.lamport(at: place),
          wall: graph.wall(at: place)))
    }
    return sent
  }
}
