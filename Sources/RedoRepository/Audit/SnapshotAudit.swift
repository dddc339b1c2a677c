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
  ///   - history: what the heads reach.
  ///   - refs: the refs.
  ///   - effects: says whether the work is cancelled.
  /// - Returns: what is damaged or wrong; a snapshot that cannot be made again, because the history is incomplete, is
  ///   skipped.
  /// - Throws: `Interruption`.
  package static func findings(
    _ opened: Repository, _ graph: Graph?, _ history: HistoryAudit, _ refs: RefsCheck,
    _ effects: Effects
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
    var log: NodeHistory?
    if graph == nil {
      guard let heads = try? HistoryLoad.heads(opened),
        let loaded = try? HistoryLoad.nodes(from: heads, opened.objects)
      else { return findings }
      log = NodeHistory(loaded.nodes)
    }
    var good: Set<ObjectID> = []
    for name in whole {
      let verdict: SnapshotVerdict
      if let graph {
        verdict = try SnapshotVerdict(of: name, shelf, graph, effects)
      } else if let log {
        verdict = try SnapshotVerdict(of: name, shelf, log, effects)
      } else {
        continue
      }
      switch verdict {
      case .good: good.insert(name)
      case .stale: continue
      case .corrupt:
        findings.append(finding(.snapshotCorrupt, name, "it is no snapshot of that name"))
      case .wrong: findings.append(finding(.cacheWrong, name, "replay says something else"))
      }
    }
    // A note about another moment is not used; of a snapshot that is not good enough has been said.
    if refs.isWhole, let chain = refs.chain, let noted = shelf.noted(at: chain),
      good.contains(noted), let snapshot = shelf.snapshot(noted), let count = history.headsCount,
      snapshot.nodeCount != count
        || !snapshot.heads.allSatisfy({ history.isOfHeads($0) })
    {
      findings.append(
        StoreFinding(
          .cacheWrong, path: SnapshotShelf.notePath,
          detail: "it names a snapshot that is not of the whole history", repair: StoreRepair.cache)
      )
    }
    return findings
  }

  private static func path(_ name: ObjectID) -> String { joinPath(Layout.snapshots, name.hex) }

  private static func finding(_ rule: Rule, _ name: ObjectID, _ detail: String) -> StoreFinding {
    StoreFinding(
      rule, path: path(name), detail: detail,
      repair: "redo snapshot drop \(name.hex.prefix(8))")
  }
}
