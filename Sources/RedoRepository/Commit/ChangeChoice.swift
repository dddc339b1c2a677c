// Which changes are taken back: some by name, ranges of them, or all that somebody wrote, on some device, with some key,
// or in some time. The filters are those of the log, so that it shows beforehand what is going to be taken back.

internal import RedoHistory
package import RedoObject

/// A choice among the changes of a history.
package struct ChangeChoice {
  /// Revisions, each the change itself, and ranges `A..B`; the whole history when there are none.
  package var revisions: [String] = []
  /// Authors, and their devices and keys.
  package var authors = AuthorFilter()
  /// The earliest and the latest wall time, in milliseconds since 1970.
  package var earliest = Int64.min
  package var latest = Int64.max

  /// A choice of everything.
  package init() {}

  /// Whether all changes are chosen that are named.
  package var hasFilter: Bool {
    !authors.isEmpty || earliest != .min || latest != .max
  }

  /// The one change that is named, if it is only one by itself.
  ///
  /// - Throws: `RevisionFault` when the name resolves to nothing.
  package func one(_ revisions: Revisions) throws -> ObjectID? {
    guard !hasFilter, self.revisions.count == 1,
      case .include(let name) = try RevisionRange(self.revisions[0])
    else { return nil }
    return try revisions.one(name)
  }

  /// The changes.
  ///
  /// - Throws: `RevisionFault` for a name that resolves to nothing, `CommitFault.noChoice` for a range of another form;
  ///   the error when a node is missing or corrupt.
  package func changes(_ revisions: Revisions) throws -> Set<ObjectID> {
    let store = revisions.opened.objects
    var chosen: Set<ObjectID>?
    for text in self.revisions {
      switch try RevisionRange(text) {
      case .include(let name): chosen = (chosen ?? []).union([try revisions.one(name)])
      case .difference:
        let (tips, hidden, _) = try revisions.walk([text])
        let range = Set(try HistoryWalk.order(from: tips, store))
          .subtracting(try HistoryWalk.order(from: hidden, store))
        chosen = (chosen ?? []).union(range)
      case .exclude, .symmetric: throw CommitFault.noChoice(text)
      }
    }
    guard hasFilter || chosen == nil else { return chosen ?? [] }
    let tips = try HistoryLoad.heads(revisions.opened)
    let all = try HistoryLoad.nodes(from: tips + (chosen.map(Array.init) ?? []), store)
    return Set(
      all.nodes.compactMap { entry in
        guard chosen?.contains(entry.id) ?? true, let node = entry.node, matches(node) else {
          return nil
        }
        return entry.id
      })
  }

  private func matches(_ node: Node) -> Bool {
    node.wall.milliseconds >= earliest && node.wall.milliseconds <= latest
      && (authors.isEmpty || authors.matches(GraphAuthor(node)))
  }
}
