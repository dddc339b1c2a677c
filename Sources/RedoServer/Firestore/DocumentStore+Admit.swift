// Nodes that were posted as documents go into the store, if they are what they say.

internal import FirestoreModel
internal import NIOConcurrencyHelpers
internal import RedoRepository
internal import RedoObject
internal import RedoStore

extension DocumentStore {
  /// How many bytes of documents are offered together when the server starts: all of them may be more than memory has
  /// room for.
  private static let restBytes = 32 << 20

  /// Offers nodes to the store that were posted and not yet offered.
  func admitRest() {
    let rest = state.withLockedValue { state in
      state.table.all.filter { row in
        if case .node = row.key, case .log = row.place { return row.fate == .untried }
        return false
      }
    }.sorted { $0.created < $1.created }
    var part: [DocumentKey] = []
    var bytes = 0
    for row in rest {
      part.append(row.key)
      bytes += row.use?.bytes ?? 0
      guard bytes >= Self.restBytes else { continue }
      admit(part, from: "log", isCounted: false)
      (part, bytes) = ([], 0)
    }
    admit(part, from: "log", isCounted: false)
  }

  /// A posted node, as its document was when it was offered.
  private struct Offered {
    let row: DocumentRow
    let object: StoredObject
    let list: AccessList
    /// Whether the document says what the node says.
    let isTrue: Bool
  }

  /// Offers nodes to the store: those that can be recovered and keep the rules are then in its history.
  ///
  /// - Parameters:
  ///   - keys: documents that were posted, parents before children where both were.
  ///   - client: the account that posted them.
  ///   - replacing: whether access lists may be replaced that nodes have already.
  ///   - isCounted: whether what waits for its parents counts for that account.
  func admit(
    _ keys: [DocumentKey], from client: String, _ replacing: AccessReplacing = .none,
    isCounted: Bool = true
  ) {
    guard !keys.isEmpty else { return }
    admitting.withLock {
      var offered: [Offered] = []
      var refused: [DocumentRow] = []
      for key in keys {
        guard case .node(let id) = key, let row = state.withLockedValue({ $0.table[key] }),
          case .log = row.place
        else { continue }
        do throws(FirestoreError) {
          let fields = try fields(of: row)
          let document = FirestoreDocument(name: key.text, fields: fields)
          switch NodeFields.object(of: document, id) {
          case .success(let object):
            offered.append(
              Offered(
                row: row, object: object, list: Self.accessList(fields),
                isTrue: NodeFields.areTrue(fields, to: object)))
          case .failure(let unfit):
            say("document '\(key.text)' is not taken as a node: \(unfit.message)")
            refused.append(row)
          }
        } catch {
          say("document '\(key.text)' cannot be read: \(error.message)")
        }
      }
      do {
        try admit(offered, refused, from: client, replacing, isCounted: isCounted)
      } catch {
        // They are offered again when the server starts, or with the next ones.
        say("posted nodes are not in the history yet: \(nodes.describe(error))")
      }
    }
  }

  private func admit(
    _ offered: [Offered], _ refused: [DocumentRow], from client: String,
    _ replacing: AccessReplacing, isCounted: Bool
  ) throws {
    // First the lists, so that no node is there without. Who posts a node with a signature that is none says nothing about
    // who may see the node.
    let good = try nodes.good(offered.map(\.object))
    try nodes.note(
      offered.filter { good.contains($0.object.id) }.map { ($0.object.id, $0.list) }, replacing)
    var admission = ServedNodes.Admission()
    if !offered.isEmpty {
      admission = try nodes.admit(offered.map(\.object), from: client, isCounted: isCounted)
    }
    for event in admission.events { for line in words(event) { say(line) } }
    let unfit = Set(admission.refused.map(\.id))
    try writing.withLock {
      let taken = offered.filter { admission.taken.contains($0.object.id) }
      try set(.taken, taken.map(\.row))
      try set(.waiting, offered.filter { admission.waiting.contains($0.object.id) }.map(\.row))
      try set(.refused, refused + offered.filter { unfit.contains($0.object.id) }.map(\.row))
      // Such a node is shown as it is, not as somebody put it.
      try showTrue(taken.filter { !$0.isTrue }.map(\.row))
    }
  }

  /// Shows nodes in place of the documents that they came in; the caller holds `writing`.
  private func showTrue(_ rows: [DocumentRow]) throws {
    var times: [ObjectID: Int64] = [:]
    state.withLockedValue { state in
      for row in rows {
        guard case .node(let id) = row.key, state.table[row.key]?.updated == row.updated else {
          continue
        }
        times[id] = row.created / 1000
      }
    }
    try drop(times.keys.map { .node($0) })
    try show(times)
  }
}
