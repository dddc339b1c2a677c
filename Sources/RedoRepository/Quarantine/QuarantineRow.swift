// A change that waits: what it is, and what it waits for.

package import RedoObject

/// A change that waits, as it is listed.
package struct QuarantineRow {
  /// Its id.
  package let id: ObjectID
  /// The readable parts; `nil` when it is damaged.
  package let node: BrokenNode?
  /// Its parents that are neither here nor in the quarantine.
  package let missing: [ObjectID]
  /// Whether it could be taken in now.
  package let isReady: Bool
  /// Whether it is a document of a remote that is not a node.
  package let isDocument: Bool

  /// Creates the row of a document.
  package init(document: ObjectID) {
    id = document
    node = nil
    missing = []
    isReady = false
    isDocument = true
  }

  fileprivate init(id: ObjectID, node: BrokenNode?, missing: [ObjectID], isReady: Bool) {
    (self.id, self.node, self.missing, self.isReady) = (id, node, missing, isReady)
    isDocument = false
  }
}

extension QuarantineShelf {
  /// The rows of some changes.
  ///
  /// - Throws: the error when the store cannot be read.
  package func rows(of ids: [ObjectID]) throws -> [QuarantineRow] {
    guard let waiting, !ids.isEmpty else { return [] }
    let nodes = WaitingNodes(waiting)
    let all = Set(try nodes.ids())
    let lookUp = try HistoryLookUp(opened, .sync, allowsUnsigned: true)
    let ready = Set(try nodes.complete { id throws in try lookUp.node(id) != nil })
    var decoder = NodeDecoder()
    var rows: [QuarantineRow] = []
    for id in ids {
      let object = try nodes.object(id)
      let node = object.flatMap { object in
        decoder.decode(object).map { BrokenNode($0) } ?? decoder.decodeBroken(object)
      }
      var missing: [ObjectID] = []
      for parent in node?.parents ?? [] where !all.contains(parent) {
        if try lookUp.node(parent) == nil { missing.append(parent) }
      }
      rows.append(
        QuarantineRow(
          id: id, node: node, missing: missing, isReady: ready.contains(id)))
    }
    return rows
  }
}
