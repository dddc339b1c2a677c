// The logs of a backup become those of a new store, and its refs are made from them once.

internal import RedoCrypto
package import RedoObject

/// The logs of a backup, put together from its pieces.
package struct RestoredLogs: Sendable {
  /// The nodes of the history.
  package private(set) var history: Set<ObjectID> = []
  private var reflog: [UInt8] = []
  private var received: [UInt8] = []
  private var refs: Set<Ref> = []
  private var entry = 0
  private var chain = Digest.zero
  private var hash = SHA256()

  /// Nothing yet.
  package init() {}

  /// Appends what came next, and checks it.
  ///
  /// - Parameters:
  ///   - reflog: a piece of the log of refs; the first one begins with its first line.
  ///   - received: a piece of the received log; the same.
  /// - Returns: the nodes that came into the history; `nil` when a piece is not what it must be.
  package mutating func append(reflog: [UInt8], received: [UInt8]) -> [ObjectID]? {
    let isFirst = self.reflog.isEmpty
    let starts =
      isFirst
      ? (Array("\(Reflog.firstLine)".utf8), Array("\(Received.firstLine)".utf8)) : ([], [])
    guard reflog.starts(with: starts.0), received.starts(with: starts.1) else { return nil }
    var refs = self.refs
    self.refs = []
    let end = LogRecords.follow(reflog, from: starts.0.count, after: entry, chain) { entry in
      refs.subtract(entry.removals)
      refs.formUnion(entry.additions)
    }
    self.refs = refs
    guard let end, let new = take(received, from: starts.1.count) else { return nil }
    (entry, chain) = end
    self.reflog += reflog
    self.received += received
    hash.update(received.span)
    return new
  }

  /// How far they go.
  package var point: LogPoint {
    var hash = hash
    return LogPoint(
      entry: entry, chain: chain, reflogBytes: reflog.count, receivedBytes: received.count,
      receivedDigest: hash.finalize())
  }

  /// The refs as one hash.
  package var statement: RefsStatement {
    var hash = SHA256()
    for ref in refs.sorted() {
      var line: [UInt8] = []
      ref.appendLine(to: &line)
      hash.update(line.span)
    }
    return RefsStatement(entry: entry, chain: chain, count: refs.count, digest: hash.finalize())
  }

  /// Takes the frames of a received log.
  private mutating func take(_ bytes: [UInt8], from start: Int) -> [ObjectID]? {
    var new: [ObjectID] = []
    var place = start
    while place < bytes.count {
      guard bytes.count - place >= Received.lineCount else { return nil }
      let line = Array(bytes[place..<place + Received.lineCount])
      var scanner = LineScanner(line, in: 1..<line.count)
      guard let count = scanner.hexNumber(8), scanner.take(" "),
        let time = scanner.hexNumber(12), line == Received.line(count: count, time: Int64(time))
      else { return nil }
      place += Received.lineCount
      let end = place + count * Digest.byteCount
      guard bytes.count >= end + Digest.byteCount else { return nil }
      let body = Array(bytes[place..<end])
      let stated = Array(bytes[end..<end + Digest.byteCount])
      guard Digest(raw: stated.span) == Received.check(line, body) else { return nil }
      let isForgotten = Received.note(of: Int64(time)) == .forgotten
      for index in 0..<count {
        let range = index * Digest.byteCount..<(index + 1) * Digest.byteCount
        guard let digest = Digest(raw: body.span.extracting(range)), digest != .zero else {
          continue
        }
        let id = ObjectID(digest: digest)
        if isForgotten {
          history.remove(id)
        } else if history.insert(id).inserted {
          new.append(id)
        }
      }
      place = end + Digest.byteCount
    }
    return new
  }

  /// Makes them the logs of a new store, and its refs what they lead to.
  ///
  /// - Parameters:
  ///   - store: the store, which has no refs yet.
  ///   - options: how.
  /// - Throws: `system`; `corrupt` when what was written does not read right.
  package func write(
    to store: borrowing StoreDirectory, _ options: RefsOptions
  ) throws(RefsError) {
    let target = store.refs
    try target.withLock(options) { () throws(RefsError) in
      let header = RefsHeader(
        generation: 1, fileBytes: 0, refCount: 0, entry: entry, chain: chain,
        reflogBytes: reflog.count, receivedBytes: received.count)
      try RefsError.wrapping { () throws(SystemError) in
        for (name, bytes) in [(Refs.Name.received, received), (Refs.Name.reflog, reflog)] {
          var temporary = try TemporaryFile(
            in: target.directory, prefix: Refs.Name.temporary, mode: 0o644)
          try temporary.file.writeAll(bytes)
          if options.sync.isSyncing { try temporary.file.sync() }
          _ = try temporary.commit(as: name, replacing: .always)
        }
        var writer = try RefsWriter(in: target.directory, header: header)
        for ref in refs.sorted() { try writer.add(ref) }
        _ = try writer.finish(options.sync)
      }
      try target.replaceJournal(generation: 1, chain: chain, options)
      try store.received.finish(
        at: received.count, with: ReceivedMark(entry: entry, chain: chain),
        options.sync)
    }
    var snapshot = try target.snapshot()
    guard try snapshot.statement() == statement, snapshot.receivedBytes == received.count else {
      throw .corrupt(target.refsPath, at: 0, "what was written is not what is read")
    }
  }
}
