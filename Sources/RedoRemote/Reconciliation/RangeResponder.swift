// The side that answers. It remembers nothing between two messages: each answer follows from the message
// and from what is here.

/// Answers what the other side says about its nodes.
package struct RangeResponder<Source: RangeSource> {
  private let source: Source
  private let digests: RangeDigests

  /// The answering side.
  ///
  /// - Parameters:
  ///   - source: what is here.
  ///   - digests: with the salt of the exchange.
  package init(_ source: Source, _ digests: RangeDigests) {
    self.source = source
    self.digests = digests
  }

  /// The answer to a message.
  ///
  /// - Parameter message: what the other side says.
  /// - Returns: what differs.
  /// - Throws: `unexpected` when the message is not one to answer.
  /// - Complexity: O(*n*) in the nodes here.
  package func answer(_ message: RangeMessage) throws(RemoteError) -> RangeMessage {
    var answer = RangeMessage()
    var start = RangeBound.start
    var first = 0
    for part in message.parts {
      let next = source.position(of: part.end, from: first)
      let piece = RangePiece(start: start, end: part.end, positions: first..<next)
      guard answer.hasRoom(for: RangeDivision.byteBound) else {
        answer.append(.later, from: start, to: .end)
        return answer
      }
      try add(part.content, piece, to: &answer)
      start = part.end
      first = next
    }
    return answer
  }

  private func add(
    _ content: RangeMessage.Content, _ piece: RangePiece, to answer: inout RangeMessage
  ) throws(RemoteError) {
    switch content {
    case .settled: break
    case .nothing:
      if !piece.positions.isEmpty { answer.append(.everything, from: piece.start, to: piece.end) }
    case .fingerprint(let theirs):
      guard !piece.positions.isEmpty else {
        answer.append(.nothing, from: piece.start, to: piece.end)
        return
      }
      guard digests.fingerprint(of: piece.positions, in: source) != theirs else { return }
      if piece.positions.count <= RangeDivision.listed {
        let list = digests.list(piece.positions, in: source)
        answer.append(.list(list), from: piece.start, to: piece.end)
      } else {
        divide(piece, to: &answer)
      }
    case .list(let theirs): add(theirs, piece, to: &answer)
    case .difference, .everything, .later:
      throw .unexpected("ranges that only an answer has")
    }
  }

  private func divide(_ piece: RangePiece, to answer: inout RangeMessage) {
    for part in RangeDivision.divide(piece, in: source) {
      answer.append(
        .fingerprint(digests.fingerprint(of: part.positions, in: source)),
        from: part.start, to: part.end)
    }
  }

  /// Answers a list.
  private func add(
    _ theirs: [ShortFingerprint], _ piece: RangePiece, to answer: inout RangeMessage
  ) {
    let listed = Set(theirs)
    var known: Set<ShortFingerprint> = []
    var new: [ShortFingerprint] = []
    var isMore = false
    for position in piece.positions {
      let fingerprint = digests.short(source.fingerprint(at: position))
      if listed.contains(fingerprint) {
        known.insert(fingerprint)
      } else if new.count < RangeDivision.answered {
        new.append(fingerprint)
      } else {
        isMore = true
      }
    }
    guard !known.isEmpty else {
      answer.append(
        piece.positions.isEmpty ? .nothing : .everything, from: piece.start, to: piece.end)
      return
    }
    guard !isMore else {
      divide(piece, to: &answer)
      return
    }
    let lacks = theirs.map { !known.contains($0) }
    guard lacks.contains(true) || !new.isEmpty else { return }
    answer.append(.difference(lacks: lacks, new: new), from: piece.start, to: piece.end)
  }

  /// The nodes that a request asks for.
  ///
  /// - Parameters:
  ///   - request: ranges from which everything, or what is listed, is wanted.
  ///   - start: the first position that may be named.
  /// - Returns: their positions, ascending, neighbours together.
  /// - Throws: `unexpected` when it is not a request, does not ascend, or lists what is not here.
  package func positions(
    of request: RangeMessage, from start: Int = 0
  ) throws(RemoteError) -> [Range<Int>] {
    var positions: [Range<Int>] = []
    var first = 0
    for part in request.parts {
      let next = source.position(of: part.end, from: first)
      if part.content != .settled, !(first..<next).isEmpty, first < start {
        throw .unexpected("requests that do not ascend")
      }
      switch part.content {
      case .settled: break
      case .everything: positions.join(first..<next)
      case .list(let fingerprints):
        var left = Set(fingerprints)
        for position in first..<next where !left.isEmpty {
          if left.remove(digests.short(source.fingerprint(at: position))) != nil {
            positions.join(position..<position + 1)
          }
        }
        guard left.isEmpty else {
          throw .unexpected("a request for \(left.count) nodes that are not here")
        }
      case .fingerprint, .difference, .nothing, .later:
        throw .unexpected("ranges that are no request")
      }
      first = next
    }
    return positions
  }
}

extension [Range<Int>] {
  /// Adds positions after all others.
  mutating func join(_ next: Range<Int>) {
    guard !next.isEmpty else { return }
    if let last, last.upperBound == next.lowerBound {
      self[count - 1] = last.lowerBound..<next.upperBound
    } else {
      append(next)
    }
  }
}
