// The log of documents is written anew when most of it is no longer needed, while the server goes on: readers are never
// held off, writers only while the last of what they have written meanwhile is copied.

internal import FirestoreModel
internal import NIOConcurrencyHelpers
internal import RedoRepository
internal import RedoObject
internal import RedoStore

extension DocumentStore {
  /// How many bytes of documents are put into one record.
  private static let recordBytes = 8 << 20
  /// How many fates of nodes are put into one.
  private static let fateCount = 100_000
  /// Up to how many bytes are copied while writers wait.
  private static let tailBytes = 1 << 20
  /// How often what has come meanwhile is copied before writers have to wait for it, however much it is.
  private static let roundLimit = 8

  /// Whether the log has much that is no longer needed, or something that must not be kept.
  var isWasteful: Bool {
    state.withLockedValue { $0.hasDeletedNodes || Self.waste($0).isTooMuch }
  }

  private static func waste(_ state: State) -> LogWaste {
    LogWaste(
      byteCount: state.log.byteCount, documentCount: state.table.loggedCount,
      documentBytes: state.table.loggedBytes)
  }

  /// Begins to write the log anew, on a thread of its own, if it has to be.
  func rewriteIfWasteful() {
    let begins = state.withLockedValue { state in
      guard !state.isCompacting, !state.log.isBroken, Self.waste(state).isTooMuch,
        state.log.byteCount > state.patienceBytes
      else { return false }
      state.isCompacting = true
      return true
    }
    guard begins else { return }
    let work: @Sendable () -> Void = { [self] in
      do {
        try rewrite()
      } catch {
        say("the documents cannot be written anew: \(nodes.describe(error))")
      }
      state.withLockedValue { state in
        state.isCompacting = false
        state.patienceBytes =
          Self.waste(state).isTooMuch ? state.log.byteCount + LogWaste.minimumBytes : 0
      }
    }
    Threads.detached(work)
  }

  /// What was copied of a document.
  private struct Copied {
    /// Where it was.
    let offset: Int
    /// Where it is in the new log.
    let newOffset: Int
  }

  /// What was copied so far.
  private struct Copy: ~Copyable {
    var writer: DocumentLog.Writer
    var places: [DocumentKey: Copied] = [:]
  }

  /// Writes the log anew with what is needed.
  ///
  /// - Throws: why it stays as it is.
  func rewrite() throws {
    let old = state.withLockedValue { state in
      defer { state.hasDeletedNodes = false }
      return (log: state.log, hasDeletedNodes: state.hasDeletedNodes)
    }
    do {
      var copy = Copy(writer: try old.log.replacement())
      for _ in 0..<Self.roundLimit {
        let rows = missing(in: copy.places)
        try Self.copy(rows, from: old.log, to: &copy)
        try copy.writer.verify()
        guard rows.reduce(0, { $0 + $1.count }) > Self.tailBytes else { break }
      }
      writing.lock()
      defer { writing.unlock() }
      try Self.copy(missing(in: copy.places), from: old.log, to: &copy)
      try end(&copy)
      let places = copy.places
      let new = try old.log.replace(by: copy.writer)
      state.withLockedValue { state in
        state.log = new
        for (key, place) in places { state.table.move(key, to: new, at: place.newOffset) }
      }
    } catch {
      state.withLockedValue { $0.hasDeletedNodes = $0.hasDeletedNodes || old.hasDeletedNodes }
      throw error
    }
  }

  /// An entry of the log.
  private struct LogEntry {
    let key: DocumentKey
    let offset: Int
    let count: Int
  }

  /// The entries of documents that were not copied, or were written anew since.
  private func missing(in places: [DocumentKey: Copied]) -> [LogEntry] {
    state.withLockedValue { state in
      var entries: [LogEntry] = []
      for row in state.table.all {
        guard case .log(let offset, let count) = row.place, places[row.key]?.offset != offset else {
          continue
        }
        entries.append(LogEntry(key: row.key, offset: offset, count: count))
      }
      // In the order in which they were written, which is that of the file.
      return entries.sorted { $0.offset < $1.offset }
    }
  }

  private static func copy(
    _ entries: [LogEntry], from log: DocumentLog, to copy: inout Copy
  ) throws {
    var record: [UInt8] = []
    var waiting: [(entry: LogEntry, start: Int)] = []
    func flush() throws {
      guard !waiting.isEmpty else { return }
      let start = try copy.writer.append(record)
      for (entry, offset) in waiting {
        copy.places[entry.key] = Copied(offset: entry.offset, newOffset: start + offset)
      }
      record = []
      waiting = []
    }
    for entry in entries {
      let bytes = try log.read(entry.count, at: entry.offset)
      do throws(DocumentRecordError) {
        _ = try DocumentRecord.fields(bytes)
      } catch {
        // What is damaged is not copied, and what it was copied from stays.
        throw DocumentLogError.corrupt(
          "documents", offset: entry.offset, rule: "'\(entry.key.text)' is not as it was written")
      }
      waiting.append((entry, DocumentRecord.append(copy: bytes, to: &record).lowerBound))
      if record.count >= recordBytes { try flush() }
    }
    try flush()
  }

  /// Adds which of the copied documents are gone since, and what became of nodes; the caller holds `writing`.
  private func end(_ copy: inout Copy) throws {
    var gone: [DocumentKey] = []
    var fates: [DocumentRow.Fate: [ObjectID]] = [:]
    state.withLockedValue { state in
      for key in copy.places.keys {
        guard let row = state.table[key], case .log = row.place else {
          gone.append(key)
          continue
        }
        if case .node(let id) = key { fates[row.fate, default: []].append(id) }
      }
    }
    var record: [UInt8] = []
    for key in gone {
      DocumentRecord.append(deleted: key, to: &record)
      guard record.count >= Self.recordBytes else { continue }
      _ = try copy.writer.append(record)
      record = []
    }
    if !record.isEmpty { _ = try copy.writer.append(record) }
    for fate in [DocumentRow.Fate.taken, .waiting, .refused] {
      let ids = fates[fate] ?? []
      for start in stride(from: 0, to: ids.count, by: Self.fateCount) {
        var record: [UInt8] = []
        DocumentRecord.append(
          fate, Array(ids[start..<min(start + Self.fateCount, ids.count)]), to: &record)
        _ = try copy.writer.append(record)
      }
    }
  }
}
