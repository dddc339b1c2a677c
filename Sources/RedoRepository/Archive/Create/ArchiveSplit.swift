// An archive for each month or year: what goes into each, and what it is called.

package import RedoHistory
internal import RedoObject

/// A set of nodes as several archives, oldest first.
package struct ArchiveSplit {
  private let graph: Graph
  private let periods: PackPeriods
  /// Their files; only the periods when no name is given.
  package let paths: [String]

  /// Makes sure that file names can be derived from a path.
  ///
  /// - Throws: `ArchiveMakingFault.unnamed` for a path that is only a directory.
  package static func check(_ path: String?) throws {
    guard let path else { return }
    guard !["", ".", ".."].contains(ArchiveTarget.split(path).name) else {
      throw ArchiveMakingFault.unnamed
    }
  }

  /// Splits a set.
  ///
  /// - Parameters:
  ///   - set: the nodes, and the clock that counts.
  ///   - length: how long periods are.
  ///   - path: the path that file names are derived from.
  /// - Throws: `ArchiveMakingFault.undated` when it is unknown when a node was received.
  package init(
    _ set: ArchiveSet, by length: HistoryPeriod.Length, _ path: String?
  ) throws {
    graph = set.graph
    periods = PackPeriods(of: set.members, in: set.graph, by: length) { set.time(of: $0) }
    if let undated = periods.undated {
      throw ArchiveMakingFault.undated(set.kind, set.graph.id(at: undated))
    }
    paths = periods.periods.map { Self.path($0, path) }
  }

  /// A name with a period before its suffix.
  package static func path(_ period: HistoryPeriod, _ path: String?) -> String {
    guard let path else { return period.text }
    let (_, name) = ArchiveTarget.split(path)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      return "\(path)-\(period.text)"
    }
    let suffix = name[dot...]
    let start = path.utf8.index(path.endIndex, offsetBy: -suffix.utf8.count)
    return "\(path[..<start])-\(period.text)\(suffix)"
  }

  /// What goes into one archive.
  ///
  /// - Parameters:
  ///   - index: the archive, as an index of `paths`.
  ///   - heads: whether heads are needed.
  /// - Returns: its nodes.
  func part(_ index: Int, heads: Bool) -> ArchivePart {
    ArchivePart(
      path: paths[index],
      ids: periods.positions(of: index, in: graph).map { graph.id(at: $0) },
      heads: heads ? periods.heads(of: index, in: graph).map { graph.id(at: $0) }.sorted() : [])
  }

  /// How many nodes are in a later period than their own times say, because of an ancestor.
  package var raisedCount: Int { periods.raisedCount }
}
