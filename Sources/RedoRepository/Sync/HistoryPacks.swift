// Packs of what another store lacks, made as they are sent. Frames of this store's packs whose nodes are all lacking
// there are sent as they are; other nodes are read in the order of the source, frame by frame where they are packed,
// and only nodes that wait for their frame are kept.

internal import RedoHistory
internal import RedoObject
package import RedoRemote
package import RedoStore

/// Makes packs of nodes of a store.
///
/// A class, because an exchange uses it turn after turn.
package final class HistoryPacks: PackMaker {
  /// The number of nodes that are read in one go: the places of this many are known at a time.
  private static let partCount = 131_072
  /// A number of bytes that has room for any frame.
  private static let roomyBytes = 1 << 20
  private let source: HistorySource
  private let opened: Repository
  private let describe: @Sendable (any Error) -> String
  private let nodeLimit: Int
  private let canonicalLimit: Int
  private let tellUnreadable: (ObjectID, Finding) -> Void
  private let tellsWhy: Bool
  private let readLists: (() -> AccessNotes.Found?)?
  private lazy var lists = readLists?()
  /// The nodes that cannot be sent, and for each what cannot be read, itself or an ancestor, and the rule.
  private var held: [ObjectID: (cause: ObjectID, rule: String)] = [:]
  package private(set) var unsent: [RefusedNode] = []
  /// The number of nodes that were sent.
  package private(set) var nodeCount = 0
  /// The number of frames that were sent as they are.
  package private(set) var frameCount = 0

  /// Creates packs of the nodes of a source.
  ///
  /// - Parameters:
  ///   - source: the source that positions refer to.
  ///   - opened: the store it was made of.
  ///   - effects: describes errors of the store for the exchange; receives a report of nodes that cannot be read.
  ///   - nodeLimit: the most nodes of a pack.
  ///   - turnLimit: the most bytes that are sent at once, of which packs take a part; `nil` for no limit.
  ///   - tellsWhy: whether the other side may know where a node lies that cannot be read, and what is wrong there.
  ///   - lists: reads the access lists that go along; `nil` for none.
  package init(
    _ source: HistorySource, _ opened: Repository, _ effects: Effects,
    nodeLimit: Int = PackPiece.nodeLimit, turnLimit: Int? = nil, tellsWhy: Bool = true,
    lists: (() -> AccessNotes.Found?)? = nil
  ) {
    readLists = lists
    describe = effects.describe
    tellUnreadable = { effects.report(.sync(.unreadable($0, $1))) }
    self.tellsWhy = tellsWhy
    canonicalLimit = min(WirePacks.canonicalLimit, turnLimit.map { $0 / 4 } ?? .max)
    self.source = source
    self.opened = opened
    self.nodeLimit = nodeLimit
  }

  package func makePacks(
    of positions: [Range<Int>], _ send: (PackPiece) throws(RemoteError) -> Void
  ) throws(RemoteError) {
    var packs = WirePacks(nodeLimit: nodeLimit, canonicalLimit: canonicalLimit)
    var isOld = false
    do {
      try forEach(of: positions) { sent throws in
        let sent = held.isEmpty ? sent : withoutHeld(sent)
        isOld = isOld || sent.isOld
        nodeCount += sent.nodes.count
        if let frame = sent.frame {
          frameCount += 1
          try packs.add(frame, sent.nodes, send)
        } else {
          for node in sent.nodes { try packs.add(node, send) }
        }
      }
    } catch let error as RemoteError {
      throw error
    } catch {
      throw .stopped(describe(error))
    }
    try packs.end(send)
    opened.note(unreadable: Set(held.values.lazy.map(\.cause)))
    // The index has another signature for a node: the next index is made from the nodes again.
    if isOld { try? opened.objects.renewSignatureMark() }
  }

  package func accessLists(of positions: [Range<Int>]) throws(RemoteError) -> [AccessRow] {
    guard let lists, !lists.isEmpty else { return [] }
    return positions.joined().compactMap { position in
      let id = source.id(at: position)
      return lists[id].map { AccessRow(id: id, list: $0) }
    }
  }

  /// Nodes that are sent together.
  package struct Sent: Sendable {
    package var nodes: [PackEntry]
    /// The frame with these nodes, if it is sent as it is.
    package var frame: WholeFrame?
    /// Whether one of them has another signature than in the source.
    package var isOld = false
  }

  /// The number of nodes for which whole frames are looked for in one go; each takes some 80 bytes.
  private static let wholeCount = 1 << 20

  /// Hands on nodes, parents before children.
  private func forEach(
    of positions: [Range<Int>], _ body: (Sent) throws -> Void
  ) throws {
    var part: [Range<Int>] = []
    var count = 0
    for range in positions {
      var rest = range
      while !rest.isEmpty {
        let next = rest.prefix(Self.wholeCount - count)
        part.append(next)
        count += next.count
        rest = next.upperBound..<rest.upperBound
        guard count == Self.wholeCount else { continue }
        try forEach(ofPart: part, body)
        (part, count) = ([], 0)
      }
    }
    if !part.isEmpty { try forEach(ofPart: part, body) }
  }

  private func forEach(
    ofPart positions: [Range<Int>], _ body: (Sent) throws -> Void
  ) throws {
    // Frames are no larger than this.
    let isRoomy = canonicalLimit >= Self.roomyBytes
    guard isRoomy,
      let whole = try PackedDifference(positions, of: source, opened, nodeLimit: nodeLimit)
    else {
      try Self.forEachPart(of: positions.lazy.joined()) { part throws in
        try read(part, body)
      }
      return
    }
    try whole.forEach(frame: body) { others throws in
      try Self.forEachPart(of: others) { part throws in try read(part, body) }
    }
  }

  /// Reads nodes one by one, in the order of their positions.
  private func read(
    _ part: [Int], _ body: (Sent) throws -> Void
  ) throws {
    var next = 0
    try HistoryWalk.forEachResult(
      part.map { source.id(at: $0) }, opened.objects
    ) { object, reader throws in
      guard let node = PackEntry(object, &reader.places) else {
        throw HistoryFault.invalid(object)
      }
      return (node, NodeFingerprint(id: object.id, signature: object.signature))
    } _: { result throws in
      let position = part[next]
      next += 1
      switch result {
      case .success(let made):
        try body(Sent(nodes: [made.0], isOld: made.1 != source.fingerprint(at: position)))
      case .failure(let error):
        guard let finding = UnreadableNode.finding(error) else { throw error }
        let id = source.id(at: position)
        held[id] = (id, finding.rule.id)
        tellUnreadable(id, finding)
        unsent.append(
          tellsWhy ? RefusedNode(id, finding) : RefusedNode(id, rule: finding.rule.id, ""))
      }
    }
  }

  /// The same without the nodes that have an ancestor which cannot be sent.
  private func withoutHeld(_ sent: Sent) -> Sent {
    var rest = sent
    rest.nodes.removeAll { node in
      guard let cause = node.parents.lazy.compactMap({ self.held[$0] }).first else { return false }
      held[node.object.id] = cause
      unsent.append(RefusedNode(node.object.id, rule: cause.rule, following: cause.cause))
      return true
    }
    if rest.nodes.count < sent.nodes.count { rest.frame = nil }
    return rest
  }

  /// Hands on positions in parts of limited size.
  private static func forEachPart(
    of positions: some Sequence<Int>, _ body: ([Int]) throws -> Void
  ) throws {
    var part: [Int] = []
    for position in positions {
      part.append(position)
      guard part.count == partCount else { continue }
      try body(part)
      part.removeAll(keepingCapacity: true)
    }
    if !part.isEmpty { try body(part) }
  }
}
