// The snapshots of a store: their bytes, and whether replay gives the same.

package import RedoHistory
internal import RedoObject
package import RedoStore

/// The check of kept states.
package enum SnapshotAudit {
  /// Looks at every snapshot.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - graph: the index of the history, if it was found to agree with every node.
  ///   - effects: says whether the work is cancelled.
  /// - Returns: what is damaged or wrong; a snapshot that cannot be made again, because the history is incomplete, is
  ///   skipped.
  /// - Throws: `Interruption`.
  package static func findings(
    _ opened: Repository, _ graph: Graph?, _ effects: Effects
  ) throws -> [StoreFinding] {
    var findings = CacheCheck.snapshots(in: opened.store.directory)
    let damaged = Set(findings.map(\.path))
    guard let shelf = try? SnapshotShelf(opened), let names = try? shelf.names() else {
      return findings
    }
    let whole = names.filter { name in
      !damaged.contains(path(name)) && shelf.status(name)?.kind == .regular
    }
    guard !whole.isEmpty else { return findings }
    var history: NodeHistory?
    if graph == nil {
      guard let heads = try? HistoryLoad.heads(opened),
        let loaded = try? HistoryLoad.nodes(from: heads, opened.objects)
      else { return findings }
      history = NodeHistory(loaded.nodes)
    }
    for name in whole {
      let verdict: SnapshotVerdict
      if let graph {
        verdict = try SnapshotVerdict(of: name, shelf, graph, effects)
      } else if let history {
        verdict = try SnapshotVerdict(of: name, shelf, history, effects)
      } else {
        continue
      }
      switch verdict {
      case .good, .stale: continue
      case .corrupt: findings.append(finding(name, "it is no snapshot of that name"))
      case .wrong: findings.append(finding(name, "replay says something else"))
      }
    }
    return findings
  }

  private static func path(_ name: ObjectID) -> String { joinPath(Layout.snapshots, name.hex) }

  private static func finding(_ name: ObjectID, _ detail: String) -> StoreFinding {
    StoreFinding(
      .snapshotCorrupt, path: path(name), detail: detail,
      repair: "redo snapshot drop \(name.hex.prefix(8))")
  }
}
