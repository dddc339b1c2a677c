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
    /// What is in the history and no document: nodes that cannot be read or are too large, and objects of other kinds.
    ///
    /// Nothing else is put into their places.
    var unshown: Set<ObjectID> = []
    /// Whether the log is being written anew.
    var isCompacting = false
    /// Up to how many bytes the log grows before it is tried again, when that did not succeed.
    var patienceBytes = 0
  }

  let nodes: ServedNodes
  /// The accounts to which nodes are shown that have no access list: the replicas of this store.
  let replicas: NIOLockedValueBox<[OAuthID]>
  /// The access lists of the store.
  let access = NIOLockedValueBox(AccessNotes.Found())
  /// The nodes whose rows do not go by their lists yet.
  let stale = NIOLockedValueBox(Set<ObjectID>())
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
  let place = NIOLockedValueBox(ServedNodes.Place())
  /// How much each account may keep here.
  let quota: ServeQuota

  /// Opens the documents of a store.
  ///
  /// - Parameters:
  ///   - nodes: the store's nodes.
  ///   - replicas: the accounts to which nodes are shown that have no access list.
  ///   - readers: the accounts that ask here.
  ///   - words: gives the words for an event, for people.
  ///   - say: takes a line for people.
  /// - Throws: `SyncFault` when another server has them, `DocumentLogError` when they cannot be used.
  init(
    _ nodes: ServedNodes, replicas: [OAuthID], readers: [OAuthID],
    words: @escaping @Sendable (RedoEvent) -> [String],
    say: @escaping @Sendable (String) -> Void
  ) throws {
    self.nodes = nodes
    self.replicas = NIOLockedValueBox(replicas)
    self.say = say
    self.words = words
    quota = try nodes.quota()
    var table = DocumentTable()
    var last: Int64 = 0
    var hasDeletedNodes = false
    let opened = try nodes.documents { log, payload, start throws(DocumentLogError) in
      do throws(DocumentRecordError) {
        try DocumentRecord.read(payload) { entry in
          switch entry {
          case .document(var row, let offset, let count):
            row.place = .log(offset: start + offset, count: count)
            row.log = log
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
    table.index(readers.map { OrderedValue.bytes(.string($0.text)) })
    state = NIOLockedValueBox(
      State(
        table: table, log: opened.log, lastMicroseconds: last, hasDeletedNodes: hasDeletedNodes))
    try follow()
    try noteRest()
    // What this version adds is not known to those that read a log of the version before.
    if opened.log.isOld || isWasteful { try rewrite() }
    admitRest()
  }

  // MARK: Writing

  /// Remembers what became of nodes; the caller holds `writing`.
  ///
  /// - Parameters:
  ///   - fate: what became of them.
  ///   - rows: their documents as they were offered; one that was written anew since is not meant.
  /// - Throws: `DocumentLogError` when it cannot be written.
  func set(_ fate: DocumentRow.Fate, _ rows: [DocumentRow]) throws {
    let ids = state.withLockedValue { state in
      rows.compactMap { row -> ObjectID? in
        guard case .node(let id) = row.key, let now = state.table[row.key], case .log = now.place,
          now.updated == row.updated
        else { return nil }
        return id
      }
    }
    guard !ids.isEmpty else { return }
    var record: [UInt8] = []
    DocumentRecord.append(fate, ids, to: &record)
    // What a crash destroys of this is found out again.
    try append(record, waits: false)
    state.withLockedValue { state in
      for id in ids {
        state.table.set(fate, id)
        if fate == .taken { state.unshown.remove(id) }
      }
    }
  }

  /// Adds to the log; the caller holds `writing`.
  func append(_ record: [UInt8], waits: Bool) throws {
    _ = try state.withLockedValue { $0.log }.append(record, waits: waits)
  }
}
