// The documents of one store: those that clients have written, in the log, and the nodes of the history, which
// appear as documents however they came.

internal import FirestoreModel
internal import NIOConcurrencyHelpers
internal import RedoRepository
internal import RedoObject
internal import RedoStore

/// The documents of a store.
///
/// A class, because all threads of a server share them; what changes is behind locks.
final class DocumentStore: Sendable {
  /// What changes.
  struct State {
    var table = DocumentTable()
    var log: DocumentLog
    /// The greatest time that was given to a change.
    var lastMicroseconds: Int64 = 0
    /// Whether the log still has bytes of nodes that were deleted, such as wiped ones.
    var hasDeletedNodes = false
  }

  /// From how many unused bytes on a log is written anew when the server starts.
  private static let wasteLimit = 16 << 20
  /// How many bytes of documents are put into one record then.
  private static let recordBytes = 8 << 20

  let nodes: ServedNodes
  /// Who may read nodes that were not posted as documents: the accounts of this store.
  let readers: [OAuthID]
  let say: @Sendable (String) -> Void
  /// The words for an event, for people, in lines.
  let words: @Sendable (RedoEvent) -> [String]
  let state: NIOLockedValueBox<State>
  /// Held by writers: one after the other.
  let writing = NIOLock()
  /// Held while nodes are offered to the store.
  let admitting = NIOLock()
  /// Up to where the history is known.
  private let place = NIOLockedValueBox(ServedNodes.Place())

  /// Opens the documents of a store.
  ///
  /// - Parameters:
  ///   - nodes: the store's nodes.
  ///   - readers: who may read nodes that were not posted as documents.
  ///   - words: gives the words for an event, for people.
  ///   - say: takes a line for people.
  /// - Throws: `SyncFault` when another server has them, `DocumentLogError` when they cannot be used.
  init(
    _ nodes: ServedNodes, readers: [OAuthID],
    words: @escaping @Sendable (RedoEvent) -> [String],
    say: @escaping @Sendable (String) -> Void
  ) throws {
    self.nodes = nodes
    self.readers = readers
    self.say = say
    self.words = words
    var table = DocumentTable()
    var last: Int64 = 0
    var hasDeletedNodes = false
    let opened = try nodes.documents { payload, start throws(DocumentLogError) in
      do throws(DocumentRecordError) {
        try DocumentRecord.read(payload) { entry in
          switch entry {
          case .document(var row, let offset, let count):
            row.place = .log(offset: start + offset, count: count)
            last = max(last, row.updated)
            table.put(row)
          case .deletion(let key):
            table.remove(key)
            if case .node = key { hasDeletedNodes = true }
          case .fates(let fate, let ids): for id in ids { table.set(fate, id) }
          }
        }
      } catch {
        throw .corrupt("documents", offset: start, rule: "a record is not of the format")
      }
    }
    if opened.cutBytes > 0 {
      say("\(opened.cutBytes) bytes of a write that was never acknowledged were cut off")
    }
    state = NIOLockedValueBox(
      State(
        table: table, log: opened.log, lastMicroseconds: last, hasDeletedNodes: hasDeletedNodes))
    try follow()
    try rewrite()
    admitRest()
  }

  /// Writes the log anew if much of it is no longer needed, or must not be kept.
  private func rewrite() throws {
    let failure = state.withLockedValue { state -> (any Error)? in
      guard
        state.hasDeletedNodes
          || state.log.byteCount > 2 * state.table.loggedBytes + Self.wasteLimit
      else { return nil }
      do {
        state.log = try Self.rewritten(state.log, &state.table)
        state.hasDeletedNodes = false
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  /// Writes the log anew with what is still needed.
  private static func rewritten(
    _ log: DocumentLog, _ table: inout DocumentTable
  ) throws -> DocumentLog {
    var writer = try log.replacement()
    var record: [UInt8] = []
    var waiting: [(row: DocumentRow, range: Range<Int>)] = []
    var moved: [DocumentRow] = []
    var fates: [DocumentRow.Fate: [ObjectID]] = [:]
    for row in table.all.sorted(by: { $0.key < $1.key }) {
      guard case .log(let offset, let count) = row.place else { continue }
      let range = DocumentRecord.append(copy: try log.read(count, at: offset), to: &record)
      waiting.append((row, range))
      if case .node(let id) = row.key { fates[row.fate, default: []].append(id) }
      guard record.count >= recordBytes else { continue }
      moved += try append(&record, &waiting, &writer)
    }
    moved += try append(&record, &waiting, &writer)
    for fate in [DocumentRow.Fate.taken, .waiting, .refused] {
      guard let ids = fates[fate] else { continue }
      var record: [UInt8] = []
      DocumentRecord.append(fate, ids, to: &record)
      _ = try writer.append(record)
    }
    let new = try log.replace(by: writer)
    for row in moved { table.put(row) }
    return new
  }

  private static func append(
    _ record: inout [UInt8], _ waiting: inout [(row: DocumentRow, range: Range<Int>)],
    _ writer: inout DocumentLog.Writer
  ) throws(DocumentLogError) -> [DocumentRow] {
    guard !waiting.isEmpty else { return [] }
    let start = try writer.append(record)
    let rows = waiting.map { entry in
      var row = entry.row
      row.place = .log(offset: start + entry.range.lowerBound, count: entry.range.count)
      return row
    }
    record = []
    waiting = []
    return rows
  }

  // MARK: Nodes that came other ways

  /// Notices what others have done to the history.
  ///
  /// - Throws: `DocumentLogError` or `StoreError` when it cannot be read.
  func follow() throws {
    let failure = place.withLockedValue { place -> (any Error)? in
      do {
        var next = place
        guard let changes = try nodes.changes(since: &next) else {
          place = next
          return nil
        }
        try take(changes)
        place = next
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  private func take(_ changes: ServedNodes.Changes) throws {
    var times: [ObjectID: Int64] = [:]
    var posted: [ObjectID] = []
    state.withLockedValue { state in
      for (id, milliseconds) in changes.received {
        if let row = state.table[.node(id)] {
          if case .log = row.place, row.fate != .taken { posted.append(id) }
        } else {
          times[id] = milliseconds
        }
      }
    }
    if changes.isWhole { try forgetWiped() }
    try set(.taken, posted)
    let readers = readers
    let known = times
    var rows: [DocumentRow] = []
    try nodes.forEach(
      Array(times.keys),
      { object in
        NodeFields.row(of: object, readers: readers, milliseconds: known[object.id] ?? 0)
      }, { if let row = $0 { rows.append(row) } })
    rows.sort { ($0.created, $0.key) < ($1.created, $1.key) }
    state.withLockedValue { state in
      for row in rows where state.table[row.key] == nil { state.table.put(row) }
    }
  }

  /// Forgets the nodes that were wiped, the posted ones as well.
  ///
  /// Nobody takes nodes into the history meanwhile, so that what is not there now was not there before.
  private func forgetWiped() throws {
    let failure = admitting.withLock { () -> (any Error)? in
      do {
        var start = ServedNodes.Place()
        let present = Set((try nodes.changes(since: &start)?.received ?? []).map(\.id))
        var gone: [DocumentKey] = []
        var record: [UInt8] = []
        state.withLockedValue { state in
          for row in state.table.all {
            guard case .node(let id) = row.key, !present.contains(id) else { continue }
            if case .log = row.place {
              guard row.fate == .taken else { continue }
              DocumentRecord.append(deleted: row.key, to: &record)
            }
            gone.append(row.key)
          }
        }
        if !record.isEmpty { try append(record, waits: true) }
        let hasLogged = !record.isEmpty
        state.withLockedValue { state in
          for key in gone { state.table.remove(key) }
          state.hasDeletedNodes = state.hasDeletedNodes || hasLogged
        }
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  /// Remembers what became of nodes.
  func set(_ fate: DocumentRow.Fate, _ ids: [ObjectID]) throws {
    guard !ids.isEmpty else { return }
    var record: [UInt8] = []
    DocumentRecord.append(fate, ids, to: &record)
    // What a crash destroys of this is found out again.
    try append(record, waits: false)
    state.withLockedValue { state in for id in ids { state.table.set(fate, id) } }
  }

  private func append(_ record: [UInt8], waits: Bool) throws {
    _ = try state.withLockedValue { $0.log }.append(record, waits: waits)
  }
}
