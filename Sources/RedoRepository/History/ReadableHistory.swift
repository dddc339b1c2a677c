// The part of a history that can be read, where some of it cannot and no index says what that was: the nodes that are
// damaged or missing are left out, and with them what follows them.

package import RedoHistory
package import RedoObject
internal import RedoStore

/// A history without what cannot be read.
package struct ReadableHistory {
  /// A node that is left out.
  package struct Lost: Equatable, Sendable {
    /// The node.
    package let id: ObjectID
    /// The ancestor that cannot be read, if it is not the node itself.
    package let ancestor: ObjectID?
  }

  /// The other nodes, in memory.
  package let graph: Graph
  /// What is wrong with each node that cannot be read.
  package let findings: [ObjectID: Finding]
  /// The nodes that are left out: first those that cannot be read, by id, then those that follow them.
  package let lost: [Lost]

  /// Reads every node that was received, or that a head reaches.
  ///
  /// - Parameter opened: the store.
  /// - Throws: `RefsError` or `StoreError` when the store cannot be read at all.
  package init(_ opened: Repository) throws {
    let times = try HistoryLoad.received(opened)
    var seen = Set(times.keys)
    seen.formUnion(try HistoryLoad.heads(opened))
    var level = seen.sorted()
    var nodes: [HistoryNode] = []
    var findings: [ObjectID: Finding] = [:]
    while !level.isEmpty {
      var next: [ObjectID] = []
      var number = 0
      try HistoryWalk.forEachResult(level, opened.objects) { object, reader throws in
        try HistoryLoad.node(object, &reader).0
      } _: { result throws in
        switch result {
        case .success(let node):
          for parent in node.parents where seen.insert(parent).inserted { next.append(parent) }
          nodes.append(node)
        case .failure(let error):
          guard let finding = UnreadableNode.finding(error) else { throw error }
          findings[level[number]] = finding
        }
        number += 1
      }
      level = next
    }
    let causes = Self.causes(nodes, findings.keys)
    let below = causes.map { Lost(id: $0.key, ancestor: $0.value) }
    self.findings = findings
    lost =
      findings.keys.sorted().map { Lost(id: $0, ancestor: nil) } + below.sorted { $0.id < $1.id }
    var builder = GraphBuilder()
    for node in nodes where causes[node.id] == nil {
      builder.add(node, fingerprint: node.fingerprint, received: times[node.id] ?? 0)
    }
    guard let graph = GraphIndex.passing(builder) else {
      preconditionFailure("BUG: a closed history has no graph")
    }
    self.graph = graph
  }

  /// The nodes that follow unreadable ones, and which one each follows.
  private static func causes(
    _ nodes: [HistoryNode], _ unreadable: some Collection<ObjectID>
  ) -> [ObjectID: ObjectID] {
    var children: [ObjectID: [ObjectID]] = [:]
    for node in nodes {
      for parent in node.parents { children[parent, default: []].append(node.id) }
    }
    var causes: [ObjectID: ObjectID] = [:]
    var open = unreadable.sorted().map { (id: $0, cause: $0) }
    while let (id, cause) = open.popLast() {
      for child in children[id] ?? [] where causes[child] == nil {
        causes[child] = cause
        open.append((child, cause))
      }
    }
    return causes
  }
}
