// Nodes that were posted as documents go into the store, if they are what they say.

internal import FirestoreModel
internal import NIOConcurrencyHelpers
internal import RedoRepository
internal import RedoObject
internal import RedoStore

extension DocumentStore {
  /// Offers nodes to the store that were posted and not yet offered.
  func admitRest() {
    let rest = state.withLockedValue { state in
      state.table.all.filter { row in
        if case .node = row.key, case .log = row.place { return row.fate == .untried }
        return false
      }
    }
    admit(rest.sorted { $0.created < $1.created }.map(\.key), from: "log")
  }

  /// Offers nodes to the store: those that can be recovered and keep the rules are then in its history.
  ///
  /// - Parameters:
  ///   - keys: documents that were posted, parents before children where both were.
  ///   - client: the account that posted them.
  ///   - replacing: whether access lists may be replaced that nodes have already.
  func admit(
    _ keys: [DocumentKey], from client: String, _ replacing: AccessReplacing = .none
  ) {
    guard !keys.isEmpty else { return }
    admitting.withLock {
      var objects: [StoredObject] = []
      var lists: [AccessNotes.Row] = []
      var refused: [ObjectID] = []
      for key in keys {
        guard case .node(let id) = key, let row = state.withLockedValue({ $0.table[key] }) else {
          continue
        }
        do throws(FirestoreError) {
          let document = FirestoreDocument(name: key.text, fields: try fields(of: row))
          switch NodeFields.object(of: document, id) {
          case .success(let object):
            objects.append(object)
            lists.append((id, Self.accessList(document.fields)))
          case .failure(let unfit):
            say("document '\(key.text)' is not taken as a node: \(unfit.message)")
            refused.append(id)
          }
        } catch {
          say("document '\(key.text)' cannot be read: \(error.message)")
        }
      }
      do {
        // First the lists, so that no node is there without.
        try nodes.note(lists, replacing)
        var admission = ServedNodes.Admission()
        if !objects.isEmpty { admission = try nodes.admit(objects, from: client) }
        for event in admission.events { for line in words(event) { say(line) } }
        try set(.taken, Array(admission.taken))
        try set(.waiting, Array(admission.waiting))
        try set(.refused, refused + admission.refused.map(\.id))
      } catch {
        // They are offered again when the server starts, or with the next ones.
        say("posted nodes are not in the history yet: \(nodes.describe(error))")
      }
    }
  }
}
