// An archive for each month or year: what goes into each, and what it is called.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// A set of nodes as several archives, the oldest first.
struct ArchiveSplit {
  private let graph: Graph
  private let periods: PackPeriods
  /// Their files; periods alone when none is named.
  let paths: [String]

  /// Makes sure that files can be named after one.
  ///
  /// - Throws: `usage` for standard output, and for what is only a directory.
  static func check(_ path: String?) throws {
    guard let path else { return }
    guard path != "-" else {
      throw CommandError.usage(
        "'-o -' and '--split' cannot be used together: they are several files")
    }
    guard !["", ".", ".."].contains(ArchiveTarget.split(path).name) else {
      throw CommandError.usage("'-o' needs the name of a file")
    }
  }

  /// Splits a set.
  ///
  /// - Parameters:
  ///   - set: the nodes, and the clock that counts.
  ///   - length: how long periods are.
  ///   - path: what the files are named after.
  /// - Throws: `fatal` when it is not known when a node was received.
  init(
    _ set: ArchiveSet, by length: HistoryPeriod.Length, _ path: String?
  ) throws {
    graph = set.graph
    periods = PackPeriods(of: set.members, in: set.graph, by: length) { set.time(of: $0) }
    if let undated = periods.undated {
      throw CommandError.fatal(
        "it is not known when node '\(set.graph.id(at: undated).text)' was received",
        hints: ["'--clock=wall' goes by the clocks of authors"])
    }
    paths = periods.periods.map { Self.path($0, path) }
  }

  /// A name with a period before its suffix.
  static func path(_ period: HistoryPeriod, _ path: String?) -> String {
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

  /// Says how many nodes are not where their own times would have them.
  func sayRaised(_ context: inout Context) {
    guard periods.raisedCount > 0 else { return }
    context.note(
      "nodes in a later archive than by their own time, because of an ancestor: "
        + "\(periods.raisedCount)")
  }
}
