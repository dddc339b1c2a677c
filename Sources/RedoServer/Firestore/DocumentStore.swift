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
    /// How many nodes are no documents any more because they could not be read.
    var leftOutCount = 0
  }

  /// From how many unused bytes on a log is written anew when the server starts.
  private static let wasteLimit = 16 << 20
  /// How many bytes of documents are put into one record then.
  private static let recordBytes = 8 << 20

  let nodes: ServedNodes
  /// The accounts to which nodes are shown that have no access list: the replicas of this store.
  private let replicas: NIOLockedValueBox<[OAuthID]>
  /// The access lists of the store.
  private let access = NIOLockedValueBox(AccessNotes.Found())
  /// The nodes whose rows do not go by their lists yet.
  private let stale = NIOLockedValueBox(Set<ObjectID>())
  let say: @Sendable (String) -> Void
  /// The words for an event, for people, in lines.
  let words: @Sendable (RedoEvent) -> [String]
  let state: NIOLockedValueBox<State>
  let transactions = Transactions()
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
  ///   - replicas: the accounts to which nodes are shown that have no access list.
  ///   - words: gives the words for an event, for people.
  ///   - say: takes a line for people.
  /// - Throws: `SyncFault` when another server has them, `DocumentLogError` when they cannot be used.
  init(
    _ nodes: ServedNodes, replicas: [OAuthID],
    words: @escaping @Sendable (RedoEvent) -> [String],
    say: @escaping @Sendable (String) -> Void
  ) throws {
    self.nodes = nodes
    self.replicas = NIOLockedValueBox(replicas)
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
    try noteRest()
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
        stale.withLockedValue { stale in
          stale.formUnion(access.withLockedValue { nodes.follow(&$0) })
        }
        if let changes = try nodes.changes(since: &next) { try take(changes) }
        place = next
        try showAgain(stale.withLockedValue { $0 })
        stale.withLockedValue { $0 = [] }
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  private func take(_ changes: ServedNodes.Changes) throws {
    var times: [ObjectID: Int64] = [:]
    var posted: [(id: ObjectID, row: DocumentRow, milliseconds: Int64)] = []
    state.withLockedValue { state in
      for (id, milliseconds) in changes.received {
        if let row = state.table[.node(id)] {
          if case .log = row.place, row.fate != .taken { posted.append((id, row, milliseconds)) }
        } else {
          times[id] = milliseconds
        }
      }
    }
    if changes.isWhole { try forgetWiped() }
    let foreign = try posted.filter { try !holds($0.row, $0.id) }
    try set(.taken, posted.map(\.id).filter { id in !foreign.contains { $0.id == id } })
    try drop(foreign.map(\.row.key))
    for entry in foreign { times[entry.id] = entry.milliseconds }
    let rows = try rows(of: times)
    state.withLockedValue { state in
      for row in rows where state.table[row.key] == nil { state.table.put(row) }
    }
  }

  /// Whether a posted document holds the node whose name it has: anybody may post anything under a name.
  ///
  /// - Throws: `UNAVAILABLE` when it cannot be read.
  private func holds(_ row: DocumentRow, _ id: ObjectID) throws(FirestoreError) -> Bool {
    let fields: FirestoreFields
    do throws(FirestoreError) {
      fields = try self.fields(of: row)
    } catch {
      guard error.status != .unavailable else { throw error }
      return false
    }
    let document = FirestoreDocument(name: row.key.text, fields: fields)
    if case .success = NodeFields.object(of: document, id) { return true }
    return false
  }

  /// Deletes documents in whose place the nodes of their names come.
  private func drop(_ keys: [DocumentKey]) throws {
    guard !keys.isEmpty else { return }
    var record: [UInt8] = []
    for key in keys { DocumentRecord.append(deleted: key, to: &record) }
    try append(record, waits: true)
    state.withLockedValue { state in
      for key in keys { state.table.remove(key) }
      state.hasDeletedNodes = true
    }
  }

  /// What is known of nodes as documents, the oldest first.
  ///
  /// - Parameter times: the nodes, and when they came, in milliseconds since 1970.
  /// - Returns: the rows of those that can be documents.
  /// - Throws: the error when the store cannot be opened.
  private func rows(of times: [ObjectID: Int64]) throws -> [DocumentRow] {
    let readers = readers(of: times.keys)
    var rows: [DocumentRow] = []
    try nodes.forEach(
      Array(times.keys),
      { object in
        NodeFields.row(
          of: object, readers: readers[object.id] ?? [], milliseconds: times[object.id] ?? 0)
      }, { if let row = $0 { rows.append(row) } })
    rows.sort { ($0.created, $0.key) < ($1.created, $1.key) }
    return rows
  }

  /// From now on nodes without an access list are shown to other accounts.
  func serve(replicas new: [OAuthID]) {
    let hasChanged = replicas.withLockedValue { replicas in
      defer { replicas = new }
      return Set(replicas) != Set(new)
    }
    guard hasChanged else { return }
    let access = access.withLockedValue { $0 }
    let unlisted = state.withLockedValue { state in
      state.table.all.compactMap { row -> ObjectID? in
        guard case .node(let id) = row.key, case .node = row.place else { return nil }
        return access[id] == nil ? id : nil
      }
    }
    stale.withLockedValue { $0.formUnion(unlisted) }
  }

  /// Who may read nodes that were not posted as documents: those on their access lists, or the replicas.
  func readers(of ids: some Sequence<ObjectID>) -> [ObjectID: [OAuthID]] {
    let access = access.withLockedValue { $0 }
    let replicas = replicas.withLockedValue { $0 }
    var readers: [ObjectID: [OAuthID]] = [:]
    for id in ids {
      readers[id] = access[id].map { $0.accounts.compactMap { try? OAuthID($0) } } ?? replicas
    }
    return readers
  }

  /// Nodes that were not posted as documents have the readers that their access lists name now.
  private func showAgain(_ ids: Set<ObjectID>) throws {
    var times: [ObjectID: Int64] = [:]
    state.withLockedValue { state in
      for id in ids {
        guard let row = state.table[.node(id)], case .node = row.place else { continue }
        times[id] = row.created / 1000
      }
    }
    guard !times.isEmpty else { return }
    let rows = try rows(of: times)
    state.withLockedValue { state in
      for row in rows {
        guard let old = state.table[row.key], case .node = old.place else { continue }
        state.table.put(row)
      }
    }
  }

  /// The access list of a posted node: who may read its document.
  static func accessList(_ fields: FirestoreFields) -> AccessList {
    AccessList(of: (fields[NodeDocument.accessListField]?.elements ?? []).compactMap(\.text))
  }

  /// Notes the access lists of posted nodes that have none, such as those of earlier versions.
  private func noteRest() throws {
    let access = access.withLockedValue { $0 }
    let rest = state.withLockedValue { state in
      state.table.all.filter { row in
        guard case .node(let id) = row.key, case .log = row.place, access[id] == nil else {
          return false
        }
        return row.fate == .taken || row.fate == .waiting
      }
    }
    var rows: [AccessNotes.Row] = []
    for row in rest {
      // A document that does not hold the node says nothing about it.
      guard case .node(let id) = row.key, try holds(row, id) else { continue }
      rows.append((id, Self.accessList(try fields(of: row))))
    }
    try nodes.note(rows, .none)
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
