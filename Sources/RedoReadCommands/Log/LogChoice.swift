// Which changes of a set a log shows: those that match the filters, limited to a number or a page of them.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// A choice among the changes of a set.
struct LogChoice {
  static let skip = OptionSpec("skip", .required("n"), help: "leave out the first <n> changes")
  static let reverse = OptionSpec("reverse", help: "show the oldest change first")
  static let pageSize = OptionSpec(
    "page-size", .required("n"), help: "show a page of <n> changes, and say where the next begins")
  static let pageToken = OptionSpec(
    "page-token", .required("id"), help: "go on after the change that ended the page before")

  static let specs = [.maxCount, skip, reverse, pageSize, pageToken]

  /// The changes of one run.
  struct Chosen {
    /// Positions in the graph, in the order in which they are shown.
    let positions: [Int]
    /// Whether there is a next page.
    let hasMore: Bool
  }

  private let limit: Int
  private let skipped: Int
  private let isReverse: Bool
  private let isPage: Bool
  private let token: String?

  /// Reads the options.
  ///
  /// - Throws: `usage` for invalid numbers, and for a page together with a count.
  init(_ options: ParsedOptions) throws {
    isPage = options.has(Self.pageSize)
    token = options.value(Self.pageToken)
    isReverse = options.has(Self.reverse)
    if isPage, let other = [.maxCount, Self.skip].first(where: options.has) {
      throw CommandError.usage(
        "options '\(Self.pageSize.spelling)' and '\(other.spelling)' cannot be used together")
    }
    guard isPage || token == nil else {
      throw CommandError.usage("'--page-token' requires '--page-size'")
    }
    limit =
      isPage
      ? try options.integer(Self.pageSize, in: 1...Int.max) ?? .max
      : try options.integer(.maxCount) ?? .max
    skipped = try options.integer(Self.skip) ?? 0
  }

  /// How many changes are examined between two checks of the index.
  private static let batchCount = 8192

  /// Chooses the changes to show.
  ///
  /// A number of changes is counted from the newest; as in git, their order may be reversed after that. Pages
  /// follow each other in the order in which they are shown.
  ///
  /// - Parameters:
  ///   - set: the changes.
  ///   - columns: the columns of the index that `matches` needs.
  ///   - after: only later changes, by their place in the set; `nil` for all.
  ///   - tokenPlace: the place of the change after which the page begins.
  ///   - matches: whether a change at a position matches the filters; `nil` when all do.
  /// - Returns: the choice; `nil` when the index is damaged.
  func choose(
    from set: LogSet, _ columns: GraphSegment.Columns, after: Int?, tokenPlace: Int?,
    _ matches: ((Int) -> Bool)?
  ) -> Chosen? {
    let goesUp = isPage && isReverse
    var first = after.map { $0 + 1 } ?? 0
    var end = set.count
    if let tokenPlace {
      if goesUp { first = max(first, tokenPlace + 1) } else { end = min(end, tokenPlace) }
    }
    guard first < end else { return Chosen(positions: [], hasMore: false) }
    var positions: [Int] = []
    var left = skipped
    var hasMore = false
    for start in stride(from: 0, to: end - first, by: Self.batchCount) {
      let count = min(Self.batchCount, end - first - start)
      let batch = goesUp ? first + start..<first + start + count : end - start - count..<end - start
      if matches != nil, !Self.check(columns, set, batch) { return nil }
      for step in 0..<count {
        let position = set[goesUp ? batch.lowerBound + step : batch.upperBound - 1 - step]
        if let matches, !matches(position) { continue }
        if left > 0 {
          left -= 1
          continue
        }
        guard positions.count < limit else {
          hasMore = true
          break
        }
        positions.append(position)
      }
      if hasMore || positions.count == limit && !isPage { break }
    }
    if isReverse, !goesUp { positions.reverse() }
    return Chosen(positions: positions, hasMore: hasMore)
  }

  private static func check(
    _ columns: GraphSegment.Columns, _ set: LogSet, _ places: Range<Int>
  ) -> Bool {
    LogRows.check(set.graph, columns, places.map { set[$0] })
  }

  /// The place of the change after which the page begins.
  ///
  /// - Throws: `fatal` when the token names no change of the set.
  func tokenPlace(
    in set: LogSet, _ find: (String) throws -> ObjectID
  ) throws -> Int? {
    guard let token else { return nil }
    guard let position = set.graph.position(of: try find(token)),
      let place = set.place(of: position)
    else { throw CommandError.fatal("the page token '\(token)' names no change of this log") }
    return place
  }

  /// Whether pages are shown.
  var showsPage: Bool { isPage }
}
