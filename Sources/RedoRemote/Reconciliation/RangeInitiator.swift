// The side that asks, and that knows at the end what each side lacks.
//
// It remembers which ranges are open. An answer may settle or divide these and no others, so that no node is
// ever counted twice, whatever the other side says.

/// Finds out what only one side has.
package struct RangeInitiator<Source: RangeSource> {
  /// How many messages are sent before it is given up: enough for two sets of ten million nodes that
  /// have nothing in common.
  package static var messageLimit: Int { 256 }

  /// A range in which we lack something, and how to ask for it.
  private typealias Lack = (piece: RangePiece, content: RangeMessage.Content)

  /// What is here; not yet known while nothing has been found to differ.
  private var known: Source?
  private var source: Source {
    guard let known else { preconditionFailure("BUG: compared without a source") }
    return known
  }
  private var digests: RangeDigests
  /// A range that is to be settled, and how to ask for it.
  private typealias Question = (piece: RangePiece, isList: Bool)

  /// What has not been said yet, ascending.
  private var queue: [Question] = []
  /// The last message, ascending.
  private var open: [Question] = []
  private var found: [Range<Int>] = []
  private var lacking: [Lack] = []
  /// The messages so far.
  package private(set) var messageCount = 0

  /// The asking side.
  ///
  /// - Parameters:
  ///   - source: what is here.
  ///   - digests: with the salt of the exchange.
  package init(_ source: Source, _ digests: RangeDigests) {
    known = source
    self.digests = digests
    let whole = RangePiece(start: .start, end: .end, positions: 0..<source.count)
    queue = questions(whole)
  }

  /// The asking side, as far as a tree tells: its first message needs nothing else, and where the answer is that there is
  /// no difference, nothing else is needed.
  ///
  /// - Parameters:
  ///   - top: the top of the tree of what is here.
  ///   - digests: with the salt of the exchange.
  package init(_ top: RangeTree.Top, _ digests: RangeDigests) {
    self.digests = digests
    self.top = top
  }

  /// The tree's top, as long as nothing but the first message has been said.
  private var top: RangeTree.Top?

  /// Whether the next answer can be taken only with the source: `use` comes before.
  package func needsSource(for answer: RangeMessage) -> Bool { known == nil && !answer.isEmpty }

  /// Goes on with what is here.
  ///
  /// - Parameter source: what the tree stood for, or what is here by now: then everything is compared anew.
  /// - Returns: whether the answer to the first message still applies.
  package mutating func use(_ source: Source) -> Bool {
    guard let top else { preconditionFailure("BUG: a source besides another one") }
    known = source
    self.top = nil
    let isSame = source.tree?.top == top
    if !isSame {
      open = []
      queue = questions(RangePiece(start: .start, end: .end, positions: 0..<source.count))
    }
    return isSame
  }

  /// Goes on with the version of the wire that both speak.
  package mutating func use(version: UInt8) {
    digests = RangeDigests(salt: digests.salt, version: version)
  }

  /// How to ask for a range that we know to differ, or not at all.
  private func questions(_ piece: RangePiece) -> [Question] {
    guard piece.positions.count > RangeDivision.listed else { return [(piece, true)] }
    return RangeDivision.divide(piece, in: source).map { ($0, false) }
  }

  /// The next message.
  ///
  /// - Returns: what is to be asked; `nil` when everything is known.
  /// - Throws: `limit` when there were too many.
  package mutating func next() throws(RemoteError) -> RangeMessage? {
    precondition(open.isEmpty, "BUG: a message before the answer to the last one")
    if let top, known == nil, messageCount == 0 { return opening(top) }
    guard !queue.isEmpty else { return nil }
    guard messageCount < Self.messageLimit else {
      throw .limit("still different after \(messageCount) messages")
    }
    messageCount += 1
    var message = RangeMessage()
    var sent = 0
    while sent < queue.count, message.hasRoom(for: RangeDivision.byteBound) {
      let (piece, isList) = queue[sent]
      let content: RangeMessage.Content =
        if piece.positions.isEmpty {
          .nothing
        } else if isList {
          .list(digests.list(piece.positions, in: source))
        } else {
          .fingerprint(digests.fingerprint(of: piece.positions, in: source))
        }
      message.append(content, from: piece.start, to: piece.end)
      open.append(queue[sent])
      sent += 1
    }
    queue.removeFirst(sent)
    return message
  }

  /// The first message, as a tree tells it.
  private mutating func opening(_ top: RangeTree.Top) -> RangeMessage {
    messageCount += 1
    var message = RangeMessage()
    var (start, first) = (RangeBound.start, 0)
    for run in top.opening {
      message.append(
        .fingerprint(digests.fingerprint(ofRun: run.digest)), from: start, to: run.bound)
      open.append((RangePiece(start: start, end: run.bound, positions: first..<run.end), false))
      (start, first) = (run.bound, run.end)
    }
    return message
  }

  /// Takes the answer to the last message.
  ///
  /// - Parameter answer: what the other side says.
  /// - Throws: `unexpected` when it is not an answer to that.
  package mutating func take(_ answer: RangeMessage) throws(RemoteError) {
    var next: [Question] = []
    var start = RangeBound.start
    var index = 0
    for part in answer.parts {
      defer { start = part.end }
      guard part.content != .settled else { continue }
      while index < open.count, open[index].piece.end <= start { index += 1 }
      if part.content == .later {
        for (piece, isList) in open[index...] {
          let rest = self.piece(from: max(start, piece.start), to: piece.end, in: piece)
          next.append((rest, isList))
        }
        break
      }
      guard index < open.count, open[index].piece.start <= start,
        part.end <= open[index].piece.end
      else { throw .unexpected("an answer for a range that was not asked for") }
      let piece = self.piece(from: start, to: part.end, in: open[index].piece)
      try take(
        part.content, piece, isWholeList: open[index].isList && piece == open[index].piece, &next)
    }
    open = []
    queue = next + queue
  }

  private func piece(
    from start: RangeBound, to end: RangeBound, in outer: RangePiece
  ) -> RangePiece {
    let limit = outer.positions
    let first =
      start == outer.start ? limit.lowerBound : source.position(of: start, from: limit.lowerBound)
    let last = end == outer.end ? limit.upperBound : source.position(of: end, from: first)
    return RangePiece(start: start, end: end, positions: first..<last)
  }

  private mutating func take(
    _ content: RangeMessage.Content, _ piece: RangePiece, isWholeList: Bool,
    _ next: inout [Question]
  ) throws(RemoteError) {
    switch content {
    case .settled, .later: break
    case .nothing: found.append(piece.positions)
    case .everything:
      found.append(piece.positions)
      lacking.append((piece, .everything))
    case .fingerprint(let theirs):
      guard !piece.positions.isEmpty else {
        lacking.append((piece, .everything))
        return
      }
      guard digests.fingerprint(of: piece.positions, in: source) != theirs else { return }
      next += questions(piece)
    case .list(let theirs):
      let ours = digests.list(piece.positions, in: source)
      let (here, there) = (Set(ours), Set(theirs))
      for (position, fingerprint) in zip(piece.positions, ours) where !there.contains(fingerprint) {
        found.append(position..<position + 1)
      }
      let new = theirs.filter { !here.contains($0) }
      if !new.isEmpty { lacking.append((piece, .list(new))) }
    case .difference(let lacks, let new):
      guard isWholeList, lacks.count == piece.positions.count else {
        throw .unexpected("an answer to a list that was not sent")
      }
      for (position, isLacking) in zip(piece.positions, lacks) where isLacking {
        found.append(position..<position + 1)
      }
      if !new.isEmpty { lacking.append((piece, .list(new))) }
    }
  }

  /// Asks for nodes that are here, where the other side has them too.
  ///
  /// - Parameter positions: which ones, ascending.
  package mutating func ask(for positions: [Int]) {
    guard !positions.isEmpty else { return }
    var own = Set(found.joined())
    lacking.sort { $0.piece.start < $1.piece.start }
    for position in positions where own.insert(position).inserted {
      let place = source.place(at: position)
      let short = digests.short(source.fingerprint(at: position))
      // The first range that ends behind it.
      let index = lacking.firstIndex { $0.piece.end > place } ?? lacking.count
      if index < lacking.count, lacking[index].piece.start <= place {
        guard case .list(let listed) = lacking[index].content,
          listed.count < RangeMessage.listLimit
        else { continue }
        lacking[index].content = .list(listed + [short])
      } else {
        let end = position + 1 < source.count ? source.place(at: position + 1) : .end
        let next = index < lacking.count ? lacking[index].piece.start : .end
        let piece = RangePiece(
          start: place, end: min(end, next), positions: position..<position + 1)
        lacking.insert((piece, .list([short])), at: index)
      }
    }
  }

  // MARK: What was found

  /// What each side lacks; complete when there is no next message.
  package var difference: RangeDifference {
    var have: [Range<Int>] = []
    for positions in found.sorted(by: { $0.lowerBound < $1.lowerBound }) { have.join(positions) }
    var want = [RangeMessage()]
    for (piece, content) in Self.joined(lacking.sorted { $0.piece.start < $1.piece.start }) {
      if !want[want.count - 1].hasRoom(for: RangeBound.byteLimit * 2 + content.byteBound) {
        want.append(RangeMessage())
      }
      want[want.count - 1].append(content, from: piece.start, to: piece.end)
    }
    return RangeDifference(have: have, want: want.filter { !$0.isEmpty })
  }

  /// A run of neighbours, all of which are wanted, as one range.
  private static func joined(_ lacking: [Lack]) -> [Lack] {
    var joined: [Lack] = []
    for lack in lacking {
      if let last = joined.last, lack.content == .everything, last.content == .everything,
        last.piece.end == lack.piece.start
      {
        let positions = last.piece.positions.lowerBound..<lack.piece.positions.upperBound
        let piece = RangePiece(start: last.piece.start, end: lack.piece.end, positions: positions)
        joined[joined.count - 1].piece = piece
      } else {
        joined.append(lack)
      }
    }
    return joined
  }
}

/// What each of two sides lacks.
package struct RangeDifference: Equatable, Sendable {
  /// The positions of the nodes that only this side has, ascending, neighbours together.
  package let have: [Range<Int>]
  /// Requests for what only the other side has, ascending.
  package let want: [RangeMessage]

  /// Whether both sides have the same.
  package var isEmpty: Bool { have.isEmpty && want.isEmpty }
  /// How many nodes only this side has.
  package var haveCount: Int { have.reduce(0) { $0 + $1.count } }
}
