// The contents of documents: read from the log, or made from nodes of the store.

internal import CanonicalJSON
internal import FirestoreModel
internal import NIOConcurrencyHelpers
internal import RedoRepository
internal import RedoObject
internal import RedoStore

extension DocumentStore {
  /// The fields of a document.
  ///
  /// - Throws: `DATA_LOSS` when it is not as it was written, `UNAVAILABLE` when it cannot be read.
  func fields(of row: DocumentRow) throws(FirestoreError) -> FirestoreFields {
    if case .node = row.place { return try nodeFields(of: row) }
    let json = try json(of: row).get()
    do throws(FirestoreFormatError) {
      let text = try MessageText(json)
      return try FirestoreFields(text.root)
    } catch {
      throw FirestoreError(.dataLoss, "'\(row.key.text)' is damaged: \(error.message)")
    }
  }

  /// The fields of a document as JSON.
  func json(of row: DocumentRow) -> Result<[UInt8], FirestoreError> {
    do throws(FirestoreError) {
      guard case .log(let offset, let count) = row.place else {
        var output: [UInt8] = []
        try nodeFields(of: row).appendJSON(to: &output)
        return .success(output)
      }
      let bytes: [UInt8]
      do throws(DocumentLogError) {
        guard let log = row.log else { preconditionFailure("BUG: a document in no log") }
        bytes = try log.read(count, at: offset)
      } catch {
        throw FirestoreError(.unavailable, "'\(row.key.text)' cannot be read now")
      }
      do throws(DocumentRecordError) {
        return .success(Array(try DocumentRecord.fields(bytes)))
      } catch {
        throw FirestoreError(.dataLoss, "'\(row.key.text)' is damaged")
      }
    } catch {
      return .failure(error)
    }
  }

  private func nodeFields(of row: DocumentRow) throws(FirestoreError) -> FirestoreFields {
    guard case .node(let id) = row.key else { return FirestoreFields() }
    do {
      if let object = try nodes.node(id),
        let fields = NodeFields.fields(
          of: object, readers: readers(of: [id])[id] ?? [], milliseconds: row.created / 1000)
      {
        return fields
      }
    } catch {
      say("'\(id.text)' cannot be read: \(nodes.describe(error))")
    }
    leaveOut([id])
    throw FirestoreError(.unavailable, "'\(row.key.text)' cannot be read now")
  }

  /// Takes nodes that are missing or damaged out of the documents, as they are when the server starts, until they come again.
  private func leaveOut(_ ids: [ObjectID]) {
    guard !ids.isEmpty else { return }
    for id in nodes.unreadable(ids) {
      state.withLockedValue { state in
        state.table.remove(.node(id))
        state.unshown.insert(id)
        state.leftOutCount += 1
      }
      say("'\(id.text)' cannot be read, and is no document until somebody sends it again")
    }
  }

  /// The fields of some documents as JSON, those of the store's nodes read together.
  func json(of rows: [DocumentRow]) -> [DocumentKey: Result<[UInt8], FirestoreError>] {
    var found: [DocumentKey: Result<[UInt8], FirestoreError>] = [:]
    var times: [ObjectID: Int64] = [:]
    for row in rows {
      if case .node = row.place, case .node(let id) = row.key {
        times[id] = row.created / 1000
      } else {
        found[row.key] = json(of: row)
      }
    }
    guard !times.isEmpty else { return found }
    let (known, readers) = (times, readers(of: times.keys))
    do {
      try nodes.forEach(
        Array(times.keys),
        { object -> (ObjectID, [UInt8]?) in
          var output: [UInt8]?
          if let fields = NodeFields.fields(
            of: object, readers: readers[object.id] ?? [], milliseconds: known[object.id] ?? 0)
          {
            var json: [UInt8] = []
            fields.appendJSON(to: &json)
            output = json
          }
          return (object.id, output)
        }, { if let json = $0.1 { found[.node($0.0)] = .success(json) } })
      leaveOut(times.keys.filter { found[.node($0)] == nil })
    } catch {
      say("nodes cannot be read: \(nodes.describe(error))")
    }
    return found
  }
}
