// Nodes that came other ways: what others have done to the history, and whose place they take. A node of the history wins
// over whatever was posted under its id.

internal import FirestoreModel
internal import NIOConcurrencyHelpers
internal import RedoRepository
internal import RedoObject
internal import RedoStore

extension DocumentStore {
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
    if changes.isWhole { try forgetWiped() }
    // Nobody posts a document meanwhile under the id of a node that has come.
    try writing.withLock {
      var times: [ObjectID: Int64] = [:]
      var posted: [(row: DocumentRow, milliseconds: Int64)] = []
      state.withLockedValue { state in
        for (id, milliseconds) in changes.received {
          if let row = state.table[.node(id)] {
            if case .log = row.place, row.fate != .taken { posted.append((row, milliseconds)) }
          } else {
            times[id] = milliseconds
          }
        }
      }
      let held = try holding(posted.map(\.row))
      try set(.taken, posted.map(\.row).filter { held.contains($0.key) })
      let foreign = posted.filter { !held.contains($0.row.key) }
      try drop(foreign.map(\.row.key))
      for entry in foreign {
        if case .node(let id) = entry.row.key { times[id] = entry.milliseconds }
      }
      try show(times)
    }
  }

  /// Shows nodes of the history as documents, where no others are; the caller holds `writing`.
  ///
  /// - Parameter times: the nodes, and when they came, in milliseconds since 1970.
  /// - Throws: the error when the store cannot be opened.
  func show(_ times: [ObjectID: Int64]) throws {
    guard !times.isEmpty else { return }
    let rows = try rows(of: times)
    state.withLockedValue { state in
      state.unshown.formUnion(times.keys)
      for row in rows {
        if case .node(let id) = row.key { state.unshown.remove(id) }
        if state.table[row.key] == nil { state.table.put(row) }
      }
    }
  }

  /// Which posted documents are the nodes whose names they have: anybody may post anything under a name, also a node's body
  /// with a signature that is none, or beside fields that say something else.
  ///
  /// - Parameters:
  ///   - rows: posted documents.
  ///   - areJudged: whether the nodes that they hold were found good before.
  /// - Returns: those that are.
  /// - Throws: `UNAVAILABLE` when one cannot be read; the error when the store cannot be used.
  private func holding(
    _ rows: [DocumentRow], areJudged: Bool = false
  ) throws -> Set<DocumentKey> {
    var objects: [StoredObject] = []
    for row in rows {
      guard case .node(let id) = row.key else { continue }
      let fields: FirestoreFields
      do throws(FirestoreError) {
        fields = try self.fields(of: row)
      } catch {
        guard error.status != .unavailable else { throw error }
        continue
      }
      let document = FirestoreDocument(name: row.key.text, fields: fields)
      if case .success(let object) = NodeFields.object(of: document, id),
        NodeFields.areTrue(fields, to: object)
      {
        objects.append(object)
      }
    }
    return Set((areJudged ? Set(objects.map(\.id)) : try nodes.good(objects)).map { .node($0) })
  }

  /// Takes documents away that are not the nodes whose names they have; the caller holds `writing`.
  func drop(_ keys: [DocumentKey]) throws {
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

  /// From now on other accounts ask here, and nodes without an access list are shown to other ones.
  func serve(replicas new: [OAuthID], readers: [OAuthID]) {
    state.withLockedValue { $0.table.index(readers.map { OrderedValue.bytes(.string($0.text)) }) }
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
  func noteRest() throws {
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
      guard case .node(let id) = row.key, try !holding([row], areJudged: true).isEmpty else {
        continue
      }
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
        let hasLogged = !record.isEmpty
        try writing.withLock {
          if hasLogged { try append(record, waits: true) }
          state.withLockedValue { state in
            for key in gone { state.table.remove(key) }
            state.unshown.formIntersection(present)
            state.hasDeletedNodes = state.hasDeletedNodes || hasLogged
          }
        }
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }
}
