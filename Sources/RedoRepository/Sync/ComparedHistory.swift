// The history of a store for one exchange. Where all of it is compared, and the digests of it were kept, it is opened
// only if the other side has something else.

package import RedoCrypto
package import RedoObject
package import RedoRemote
internal import RedoStore
internal import Synchronization

/// The history of one exchange.
///
/// A class, because it is opened once, whoever needs it first.
package final class ComparedHistory: ComparedObjects {
  let opened: Repository
  package let effects: Effects
  let filter: SyncFilter
  let allowsUnsigned: Bool
  private let shows: ((ObjectID) -> Bool)?
  private let unreadable: [ObjectID: Finding]
  private let kept: KeptTree
  /// The moment at which this began; `nil` when nothing is kept of what is compared.
  private let moment: KeptTree.Moment?
  private let shelf: SourceShelf?
  private var made: HistorySource?
  /// Why it could not be opened.
  package var failure: (any Error)?
  /// What was kept of it, as long as it was not opened.
  private var outline: KeptTree.Outline?
  /// The digests of what is compared, as long as it was not opened.
  package var top: RangeTree.Top? { outline?.top }

  /// The history of a store at this moment.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - filter: the requested nodes.
  ///   - allowsUnsigned: whether nodes without a signature are compared, too.
  ///   - shows: whether a node may be seen at all; all may when `nil`.
  ///   - unreadable: nodes that count as absent, because they cannot be read, and why.
  ///   - usesKept: whether what was kept tells what is compared.
  ///   - shelf: where a server keeps histories between exchanges.
  ///   - effects: the surroundings.
  /// - Throws: `RefsError` when the refs cannot be read, and the error when the history cannot be.
  package init(
    _ opened: Repository, filter: SyncFilter = .all, allowsUnsigned: Bool,
    shows: ((ObjectID) -> Bool)? = nil, unreadable: [ObjectID: Finding] = [:],
    usesKept: Bool = true, on shelf: SourceShelf? = nil, _ effects: Effects
  ) throws {
    self.opened = opened
    self.effects = effects
    self.filter = filter
    self.allowsUnsigned = allowsUnsigned
    self.shows = shows
    self.unreadable = unreadable
    self.shelf = shelf
    kept = KeptTree(opened, allowsUnsigned: allowsUnsigned)
    let isKept = usesKept && filter == .all && shows == nil && unreadable.isEmpty
    moment = isKept ? try kept.moment() : nil
    if let moment {
      made = shelf?.source(opened.store.path, at: moment)
      if made == nil { outline = kept.outline(at: moment) }
    }
  }

  /// The nodes that are compared.
  ///
  /// - Throws: the error when the history cannot be read.
  package func source() throws -> HistorySource {
    if let made { return made }
    var source = try HistorySource(
      opened, filter: filter, allowsUnsigned: allowsUnsigned, shows: shows, unreadable: unreadable,
      effects)
    // What came meanwhile would have made another moment of it.
    if let moment, try kept.moment() == moment {
      if source.canBeKept {
        source.tree = kept.tree(at: moment).flatMap { $0.fits(source) ? $0 : nil }
        if source.tree == nil, let tree = RangeTree(of: source) {
          source.tree = tree
          kept.keep(tree, of: source, at: moment)
        }
      }
      if source.isReadable { shelf?.put(source, opened.store.path, at: moment) }
    }
    made = source
    outline = nil
    return source
  }

  /// The number of nodes that are compared, and of all in the history.
  ///
  /// - Throws: the error when the history cannot be read.
  package var counts: (compared: Int, history: Int) {
    get throws {
      if let outline { return (outline.top.count, outline.historyCount) }
      let source = try source()
      return (source.count, source.historyCount)
    }
  }

  /// The digest of all nodes that are compared, if it is known.
  ///
  /// - Throws: the error when the history cannot be read.
  package var root: Digest? { get throws { try outline?.top.root ?? source().tree?.top.root } }

  /// The nodes that a client may see, but not compare, because it may not see all their ancestors.
  ///
  /// - Throws: the error when the history cannot be read.
  package var hidden: [ObjectID] { get throws { outline == nil ? try source().heldBack : [] } }

  /// The nodes that are not compared, as they are told.
  ///
  /// - Parameter limit: how many of each rule are named, as for `UnfitNodes.rows`; all when `nil`.
  /// - Returns: the rows, in the order of the nodes.
  /// - Throws: the error when the history cannot be read.
  package func held(limit: Int?) throws -> [RefusedNode] {
    guard let outline else { return try source().unfit.rows(limit: limit) }
    var named = NamedRows(limit: limit)
    return outline.held.filter { named.names($0.rule, isBelow: $0.ancestor != nil) }
  }

  /// The same, counted by reason.
  ///
  /// - Throws: the error when the history cannot be read.
  package var withheld: Withheld {
    get throws { try outline.map { Withheld(rows: $0.held) } ?? source().unfit.withheld }
  }
}

/// The histories that a server has opened last, whole ones of a moment each.
///
/// A class, because the threads of a server share it.
package final class SourceShelf: Sendable {
  private struct Entry {
    let path: String
    let moment: KeptTree.Moment
    let source: HistorySource
  }

  /// The most stores; each takes some 17 bytes a node in memory, beside the mapped index.
  private static let limit = 8
  private let entries = Mutex<[Entry]>([])

  /// Creates an empty shelf.
  package init() {}

  /// The history of a store, if it was kept at this moment.
  func source(_ path: String, at moment: KeptTree.Moment) -> HistorySource? {
    entries.withLock { entries in
      entries.first { $0.path == path && $0.moment == moment }?.source
    }
  }

  /// Keeps the history of a store in the place of an earlier one.
  func put(_ source: HistorySource, _ path: String, at moment: KeptTree.Moment) {
    entries.withLock { entries in
      entries.removeAll { $0.path == path }
      entries.insert(Entry(path: path, moment: moment, source: source), at: 0)
      if entries.count > Self.limit { entries.removeLast() }
    }
  }
}
