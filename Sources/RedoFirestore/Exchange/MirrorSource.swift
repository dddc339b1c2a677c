// The part of a collection that is compared with others (redo-wire(5)): the nodes that are known, in the order of
// lamport, wall and id. Nodes whose parents are not there are still offered: a client keeps them until the
// parents come (requirement K19). Nodes that break the order of the clocks are not, nor those that follow them.

package import RedoRepository
package import RedoCrypto
package import RedoObject
package import RedoRemote

/// The nodes of a mirror that are compared.
package struct MirrorSource: RangeSource {
  private let nodes: [MirrorNode]
  private let fingerprints: MemoryRangeSource
  /// The documents that are there and are no nodes, and why.
  package let unfit: [RefusedNode]
  /// The nodes that are there and not offered, and why.
  package let held: [RefusedNode]

  /// What a mirror has to compare.
  ///
  /// - Parameters:
  ///   - mirror: what is known.
  ///   - filter: restricts what is compared.
  ///   - allowsUnsigned: whether nodes without a signature are compared too.
  package init(_ mirror: Mirror, _ filter: SyncFilter, allowsUnsigned: Bool) {
    var unfit: [RefusedNode] = []
    for document in mirror.unfit.values.sorted(by: { $0.documentID < $1.documentID }) {
      unfit += document.rows.filter { !Self.isThere($0, mirror) }
    }
    let (offered, held) = Self.offered(mirror, allowsUnsigned: allowsUnsigned)
    nodes = Self.chosen(offered, filter)
    self.held = held
    var fingerprints = MemoryRangeSource()
    for node in nodes { fingerprints.append(node.place, node.fingerprint) }
    self.fingerprints = fingerprints
    self.unfit = unfit
  }

  /// The nodes that are offered, and those that are not, both in their order.
  private static func offered(
    _ mirror: Mirror, allowsUnsigned: Bool
  ) -> (offered: [MirrorNode], held: [RefusedNode]) {
    var offered: [MirrorNode] = []
    var rows: [RefusedNode] = []
    // What is held back, because of which node, and by which rule.
    var held: [ObjectID: (cause: ObjectID, rule: String)] = [:]
    // What follows a node comes after it, or is held back because of its own clock.
    for node in mirror.nodes.values.sorted(by: { $0.place < $1.place }) {
      if let row = clockFault(of: node, mirror) {
        held[node.id] = (node.id, row.rule)
        rows.append(row)
      } else if !node.isSigned, !allowsUnsigned {
        let row = RefusedNode(node.id, Finding(.signatureMissing))
        held[node.id] = (node.id, row.rule)
        rows.append(row)
      } else if let cause = node.parents.lazy.compactMap({ held[$0] }).first {
        held[node.id] = cause
        rows.append(RefusedNode(node.id, rule: cause.rule, following: cause.cause))
      } else {
        offered.append(node)
      }
    }
    return (offered, rows)
  }

  /// Whether a row reports a missing parent that has since come.
  private static func isThere(_ row: RefusedNode, _ mirror: Mirror) -> Bool {
    guard row.rule == Rule.parentMissing.id else { return false }
    return row.detail.split(separator: " ").contains { word in
      ObjectID(text: word).map { mirror.nodes[$0] != nil } ?? false
    }
  }

  /// Why the clock of a node does not follow those of its parents.
  private static func clockFault(of node: MirrorNode, _ mirror: Mirror) -> RefusedNode? {
    let parents = node.parents.compactMap { mirror.nodes[$0] }
    guard let greatest = parents.map(\.lamport.value).max() else { return nil }
    if node.lamport.value <= greatest {
      return RefusedNode(
        node.id,
        Finding(
          .lamportNotIncreasing, at: .pointer("/timestamp/lamport"),
          detail: "\(node.lamport.value)"))
    }
    guard parents.count == node.parents.count,
      node.lamport.value - greatest > Lamport.jumpLimit
    else { return nil }
    return RefusedNode(
      node.id,
      Finding(.lamportJump, at: .pointer("/timestamp/lamport"), detail: "\(node.lamport.value)"))
  }

  /// The nodes that match, and their ancestors.
  private static func chosen(_ nodes: [MirrorNode], _ filter: SyncFilter) -> [MirrorNode] {
    guard filter != .all else { return nodes }
    var wanted: Set<ObjectID> = []
    var chosen: [MirrorNode] = []
    // From the newest on: a node that matches brings its ancestors.
    for node in nodes.reversed() {
      let isAskedFor =
        filter.task.map { node.task == $0 } ?? true
        && filter.since.map { node.wall >= $0 } ?? true
        && (filter.nodes.isEmpty || filter.nodes.contains(node.id))
      guard isAskedFor || wanted.contains(node.id) else { continue }
      if !filter.isBare { wanted.formUnion(node.parents) }
      chosen.append(node)
    }
    return chosen.reversed()
  }

  /// The id of a node.
  ///
  /// - Parameter position: 0 to below the count.
  /// - Returns: its id.
  package func id(at position: Int) -> ObjectID { nodes[position].id }

  package var count: Int { nodes.count }
  package func place(at position: Int) -> RangeBound { fingerprints.place(at: position) }
  package func fingerprint(at position: Int) -> NodeFingerprint {
    fingerprints.fingerprint(at: position)
  }
  package func hashFingerprints(of positions: Range<Int>, into hash: inout SHA256) {
    fingerprints.hashFingerprints(of: positions, into: &hash)
  }
}
