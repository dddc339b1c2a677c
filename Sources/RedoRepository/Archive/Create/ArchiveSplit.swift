// An archive for each month or year: what goes into each, and what it is called.

package import RedoHistory
internal import RedoObject

/// A set of nodes as several archives, the oldest first.
package struct ArchiveSplit {
  private let graph: Graph
  private let periods: PackPeriods
  /// Their files; periods alone when none is named.
  package let paths: [String]

  /// Makes sure that files can be named after one.
  ///
  /// - Throws: `ArchiveMakingFault.unnamed` for what is only a directory.
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
  ///   - path: what the files are named after.
  /// - Throws: `ArchiveMakingFault.undated` when it is not known when a node was received.
  package init(
    _ set: ArchiveSet, by length: HistoryPeriod.Length, _ path: String?
  ) throws {
    graph = set.graph
    periods = PackPeriods(of: set.members, in: set.graph, by: length) { set.time(of: $0) }
    if let undated = periods.undated {
      throw ArchiveMakingFault.undated(set.graph.id(at: undated))
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
  ///   - heads: whether heads are asked for.
  /// - Returns: its nodes.
  func part(_ index: Int, heads: Bool) -> ArchivePart {
    ArchivePart(
      path: paths[index],
      ids: periods.positions(of: index, in: graph).map { graph.id(at: $0) },
      heads: heads ? periods.heads(of: index, in: graph).map { graph.id(at: $0) }.sorted() : [])
  }

  /// How many nodes are not where their own times would have them, because of an ancestor.
  package var raisedCount: Int { periods.raisedCount }
}
