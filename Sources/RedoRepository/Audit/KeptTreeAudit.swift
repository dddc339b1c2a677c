// The digests that exchanges keep: whether they are those of the history.

internal import RedoObject
internal import RedoRemote
internal import RedoStore

/// The check of the kept tree.
enum KeptTreeAudit {
  /// Compares the tree of this moment, if one was kept, with one that is made of an index that is known to be right.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - effects: the surroundings.
  /// - Returns: `nil` when nothing is wrong with it.
  /// - Throws: the error when the history cannot be read.
  static func finding(_ opened: Repository, _ effects: Effects) throws -> StoreFinding? {
    for allowsUnsigned in [false, true] {
      let kept = KeptTree(opened, allowsUnsigned: allowsUnsigned)
      guard let moment = try kept.moment(), kept.isKept(at: moment) else { continue }
      let source = try HistorySource(opened, allowsUnsigned: allowsUnsigned, effects)
      if source.canBeKept, let tree = RangeTree(of: source), kept.tree(at: moment) == tree,
        let outline = kept.outline(at: moment), outline.top == tree.top,
        outline.held == source.unfit.rows(limit: nil), outline.historyCount == source.historyCount
      {
        continue
      }
      return StoreFinding(
        .cacheWrong, path: joinPath(Layout.cache, KeptTree.name),
        detail: "its digests are not those of the history", repair: StoreRepair.cache)
    }
    return nil
  }
}
