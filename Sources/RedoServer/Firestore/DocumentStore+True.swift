// Whether what is posted under the id of a node is that node. Who knows an id can put anything there, before the node comes
// or while it cannot be read; the node itself always finds the place free.

internal import FirestoreModel
internal import NIOConcurrencyHelpers
internal import RedoRepository
internal import RedoObject
internal import RedoStore

extension FirestoreWrite {
  /// Whether it may put a node where something else is: a whole document, whatever was there, of which only who may read it
  /// and when it was made come from the server.
  var mayBringNode: Bool {
    switch precondition {
    case nil, .exists(false): break
    case .exists(true), .updateTime: return false
    }
    let free = [NodeDocument.accessListField, NodeDocument.createdAtField].map { FieldPath($0) }
    return updateMask == nil && transforms.allSatisfy { free.contains($0.field) }
  }
}

extension DocumentStore {
  /// Whether what is at the place of a node gives way to the node itself.
  ///
  /// - Parameters:
  ///   - row: what is there.
  ///   - isUnshown: whether the history has the node, and it cannot be read.
  /// - Returns: whether it does: not where the node is already, in the history or waiting for its parents.
  /// - Throws: `UNAVAILABLE` when it cannot be read.
  func givesWay(_ row: DocumentRow?, isUnshown: Bool) throws(FirestoreError) -> Bool {
    guard let row else { return isUnshown }
    guard case .node = row.key, case .log = row.place else { return false }
    switch row.fate {
    case .taken, .waiting: return false
    case .refused: return true
    case .untried:
      do throws(FirestoreError) {
        return try !isNode(row.key, try fields(of: row))
      } catch {
        // What is damaged is nothing.
        guard error.status == .dataLoss else { throw error }
        return true
      }
    }
  }

  /// Whether fields are those of the node of a name, with a signature that counts here.
  ///
  /// - Parameters:
  ///   - key: the name.
  ///   - fields: the fields.
  /// - Returns: whether they are, apart from who may read it and when it was made.
  /// - Throws: `UNAVAILABLE` when it cannot be found out.
  func isNode(_ key: DocumentKey, _ fields: FirestoreFields) throws(FirestoreError) -> Bool {
    guard case .node(let id) = key else { return false }
    let document = FirestoreDocument(name: key.text, fields: fields)
    guard case .success(let object) = NodeFields.object(of: document, id),
      NodeFields.areTrue(fields, to: object)
    else { return false }
    do {
      if try nodes.good([object]).contains(id) { return true }
      // One whose key is no longer trusted is in the history still, as it can be read there.
      guard isOfHistory(id), let own = try? nodes.node(id) else { return false }
      return own.signature == object.signature
    } catch {
      say("'\(id.text)' cannot be judged: \(nodes.describe(error))")
      throw FirestoreError(.unavailable, "'\(key.text)' cannot be judged now")
    }
  }

  private func isOfHistory(_ id: ObjectID) -> Bool {
    state.withLockedValue { state in
      state.table[.node(id)]?.fate == .taken || state.unshown.contains(id)
    }
  }
}
