// redo fetch --watch: fetches again and again, and prints each new node on standard output.
//
//   {"action":...}            nodes, as `redo log --json` prints them, oldest first
//   {"cursor":42}             how many objects have been taken into the history so far, receipts among them

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Fetches until a signal comes.
struct FetchWatch {
  /// The default time between two fetches, in milliseconds.
  static let usualInterval: Int64 = 30_000

  private let opened: Repository
  private let remotes: [Remote]
  private let kinds: (Remote) throws -> [ObjectKind]
  private let options: SyncSession.Options
  private let interval: Int64
  /// The byte that ends a row.
  private let end: UInt8
  private var cursor = 0
  private var said = SaidOfRemotes()
  /// The size of the received log when it was last read, in bytes.
  private var receivedBytes = -1

  init(
    _ opened: Repository, _ remotes: [Remote], of kinds: @escaping (Remote) throws -> [ObjectKind],
    _ options: SyncSession.Options, interval: Int64, end: UInt8
  ) {
    self.kinds = kinds
    self.opened = opened
    self.remotes = remotes
    self.options = options
    self.interval = interval
    self.end = end
  }

  /// Fetches until a signal comes.
  ///
  /// - Parameters:
  ///   - start: the cursor to begin with; the present one if it is `nil`.
  ///   - context: the surroundings.
  /// - Returns: `ok` after a SIGTERM.
  /// - Throws: `signal` after any other signal; `identity`, `access` and `fatal` as a fetch does.
  mutating func run(
    from start: Int?, _ context: inout Context
  ) throws -> Exit {
    let exit = try Self.untilTerminated {
      let end = try received()
      if let start, start > end.count {
        throw CommandError.fatal("the cursor is \(end.count) now, which is less than \(start)")
      }
      cursor = end.count
      try show(Array(end.dropFirst(start ?? end.count)), &context)
      try showCursor(&context)
      while true {
        try fetch(&context)
        try context.pause(milliseconds: interval)
      }
    }
    // Nodes without the cursor behind them are printed again by who begins with the last one.
    context.output.discard()
    return exit
  }

  /// Runs a body that only a signal ends; SIGTERM ends it with success.
  static func untilTerminated(
    _ body: () throws -> Never
  ) throws -> Exit {
    do {
      try body()
    } catch {
      let error = CommandError(error)
      guard case .signal(let number) = error.kind, number == Self.terminate else { throw error }
      return .ok
    }
  }

  /// Says what may be over by the next time: a remote that cannot be reached now.
  ///
  /// - Throws: what `body` throws, unless it is temporary.
  static func untilNextTime(
    _ context: inout Context, _ body: (inout Context) throws -> Void
  ) throws {
    do {
      try body(&context)
    } catch {
      let error = CommandError(error)
      guard error.kind == .temporary else { throw error }
      context.warning(error.message)
    }
  }

  /// SIGTERM of signal(7).
  private static let terminate: Int32 = 15

  private mutating func fetch(_ context: inout Context) throws {
    for remote in remotes {
      try Self.untilNextTime(&context) { context in
        // Nothing is sent, so nothing stays.
        _ = try SyncRuns.forEach(kinds(remote), with: remote, opened, &context) {
          kind, context in
          var options = options
          options.objects = kind
          options.namesHeldAgain = false
          return try Fetch.fetch(opened, remote, options, after: &said, &context)
        }
      }
    }
    guard try opened.snapshot().receivedBytes != receivedBytes else { return }
    let all = try received()
    guard all.count != cursor else { return }
    // A wipe removes entries.
    let new = all.dropFirst(min(cursor, all.count))
    cursor = all.count
    try show(Array(new), &context)
    try showCursor(&context)
  }

  /// The nodes that were taken into the history, oldest first.
  private mutating func received() throws -> [ObjectID] {
    var ids: [ObjectID] = []
    let snapshot = try opened.snapshot()
    receivedBytes = snapshot.receivedBytes
    try opened.store.received.forEachEntry(to: snapshot.receivedBytes) { id, _ in
      ids.append(id)
      return true
    }
    return ids
  }

  private func show(_ ids: [ObjectID], _ context: inout Context) throws {
    guard !ids.isEmpty else { return }
    let end = end
    try HistoryWalk.forEach(ids, opened.objects, of: nil) { object, _ throws in
      var text: [UInt8] = []
      // Receipts and schemas have no place in a stream of nodes.
      guard object.kind == .node else { return text }
      object.appendContents(to: &text)
      text.append(end)
      return text
    } _: { text throws in
      try context.output.write(text)
    }
  }

  private func showCursor(_ context: inout Context) throws {
    try context.output.write(Array("{\"cursor\":\(cursor)}".utf8) + [end])
    try context.output.flush()
  }
}
