// A change that waits: what it is, and what it waits for.

package import RedoHistory
package import RedoObject

/// A change that waits, as it is listed.
package struct QuarantineRow {
  /// Its id.
  package let id: ObjectID
  /// Where it stands in its history; `nil` when it is damaged.
  package let place: HistoryPlace?
  /// The readable parts of a node.
  package let node: BrokenNode?
  /// Its parents that are neither here nor in the quarantine.
  package let missing: [ObjectID]
  /// Whether it could be taken in now.
  package let isReady: Bool
  /// What the trust file says about it, if it waits because of that.
  package let untrusted: UntrustedObject?
  /// Whether it is a document of a remote that is not a node.
  package let isDocument: Bool

  /// Creates the row of a document.
  package init(document: ObjectID) {
    id = document
    place = nil
    node = nil
    missing = []
    isReady = false
    untrusted = nil
    isDocument = true
  }

  fileprivate init(
    id: ObjectID, place: HistoryPlace?, node: BrokenNode?, missing: [ObjectID], isReady: Bool,
    _ untrusted: UntrustedObject?
  ) {
    (self.id, self.place, self.node) = (id, place, node)
    (self.missing, self.isReady, self.untrusted) = (missing, isReady, untrusted)
    isDocument = false
  }
}

extension QuarantineShelf {
  /// The rows of some changes.
  ///
  /// - Parameters:
  ///   - ids: the changes.
  ///   - effects: where the trust file is found.
  /// - Returns: a row for each, in their order.
  /// - Throws: the error when the store or the trust file cannot be read.
  package func rows(of ids: [ObjectID], _ effects: Effects) throws -> [QuarantineRow] {
    guard let waiting, !ids.isEmpty else { return [] }
    let nodes = WaitingNodes(waiting)
    let all = Set(try nodes.ids())
    let lookUp = try HistoryLookUp(opened, .sync, allowsUnsigned: true)
    var ready = Set(try nodes.complete { id throws in try lookUp.node(id) != nil })
    for kind in ObjectKind.grouped {
      ready.formUnion(try nodes.complete(of: kind) { id throws in try opened.contains(id) })
    }
    let untrusted = try untrusted(among: ready, effects)
    ready.subtract(untrusted.keys)
    var decoder = PlaceDecoder()
    var rows: [QuarantineRow] = []
    for id in ids {
      let object = try nodes.object(id)
      let place = object.flatMap { decoder.place(of: $0) }
      var node: BrokenNode?
      if let object, object.kind == .node {
        node =
          decoder.nodes.decode(object).map { BrokenNode($0) } ?? decoder.nodes.decodeBroken(object)
      }
      var missing: [ObjectID] = []
      for parent in place?.parents ?? [] where !all.contains(parent) {
        let isHere =
          try object?.kind == .node ? lookUp.node(parent) != nil : opened.contains(parent)
        if !isHere { missing.append(parent) }
      }
      rows.append(
        QuarantineRow(
          id: id, place: place, node: node, missing: missing, isReady: ready.contains(id),
          untrusted[id]))
    }
    return rows
  }
}
