// Which changes of a set a log shows, and in which order: those that match the filters, limited to a number or a page
// of them.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// A choice among the changes of a set.
struct LogChoice {
  static let sort = OptionSpec(
    "sort", .required("order"),
    help: "by wall (default), order, received or lamport; with '-' before it, the oldest first")
  static let skip = OptionSpec("skip", .required("n"), help: "leave out the first <n> changes")
  static let reverse = OptionSpec("reverse", help: "show the oldest change first")
  static let pageSize = OptionSpec(
    "page-size", .required("n"), help: "show a page of <n> changes, and say where the next begins")
  static let pageToken = OptionSpec(
    "page-token", .required("id"), help: "go on after the change that ended the page before")

  static let all = OptionSpec(
    "all", help: "start at every ref, not only at the heads of the store's own history")
  static let ancestryPath = OptionSpec(
    "ancestry-path", help: "of a range, only what descends from what it leaves out")

  static let leftRight = OptionSpec(
    "left-right", help: "mark on which side of '<a>...<b>' a change is: '<' or '>'")
  static let boundary = OptionSpec(
    "boundary", help: "also what ranges leave out and a shown change follows, marked with '-'")

  static let specs = [
    all, ancestryPath, leftRight, boundary, sort, .maxCount, skip, reverse, pageSize, pageToken,
  ]

  /// The changes of one run.
  struct Chosen {
    /// Positions in the graph, in the order in which they are shown.
    var positions: [Int] = []
    /// Whether there is a next page.
    var hasMore = false
    /// How many of the changes that were walked have a wall time that cannot be true.
    var implausibleCount = 0
  }

  /// The order in which changes are shown.
  let order: LogOrder
  /// Whether the order was turned around by `-`: counts begin at the oldest change.
  let isUpward: Bool
  private let limit: Int
  private let skipped: Int
  private let isReverse: Bool
  private let isPage: Bool
  private let token: String?
  private let countsImplausible: Bool

  /// Reads the options.
  ///
  /// - Parameters:
  ///   - options: the options that were given.
  ///   - followsOrder: whether another option speaks of the total order, which is then the one to show.
  /// - Throws: `usage` for invalid numbers, for an order that does not exist or that has no pages, and for a page
  ///   together with a count.
  init(_ options: ParsedOptions, followsOrder: Bool) throws {
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
    let sort = options.value(Self.sort)
    if isPage, let sort, sort != LogOrder.order.rawValue {
      throw CommandError.usage(
        "pages follow the total order: '--page-size' and '--sort=\(sort)' cannot be used together")
    }
    isUpward = sort?.utf8.first == UInt8(ascii: "-")
    if let sort {
      let name = isUpward ? String(sort.dropFirst()) : sort
      guard let order = LogOrder(rawValue: name) else {
        throw CommandError.usage(
          "'\(sort)' is no order of a log",
          hints: Suggestion.hints(for: name, among: LogOrder.allCases.map(\.rawValue)))
      }
      self.order = order
    } else {
      order = isPage || followsOrder ? .order : .wall
    }
    limit =
      isPage
      ? try options.integer(Self.pageSize, in: 1...Int.max) ?? .max
      : try options.integer(.maxCount) ?? .max
    skipped = try options.integer(Self.skip) ?? 0
    countsImplausible = !options.has(.quiet)
  }

  /// Whether the times of receipt are looked at.
  var needsTimes: Bool { countsImplausible || order == .received }

  /// How many changes are examined between two checks of the index: few at first.
  private static let batchCounts = 64...8192

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
    let goesUp = isPage ? isReverse : isUpward
    var first = after.map { $0 + 1 } ?? 0
    var end = set.count
    if let tokenPlace {
      if goesUp { first = max(first, tokenPlace + 1) } else { end = min(end, tokenPlace) }
    }
    var walk =
      order == .order
      ? LogWalk(set, places: first..<max(first, end), isUpward: goesUp)
      : LogWalk(set, by: order, isUpward: goesUp)
    // In another order, places are asked for one by one.
    let isPlaced = order == .order || first == 0
    var chosen = Chosen()
    var left = skipped
    let wanted = isPage && limit < .max ? limit + 1 : limit
    var batchCount = Self.batchCounts.lowerBound
    while chosen.positions.count < wanted {
      // Nothing is walked that nobody asked for.
      let needed = (wanted - chosen.positions.count).addingReportingOverflow(left)
      let most = matches == nil && isPlaced && !needed.overflow ? needed.partialValue : .max
      var batch: [Int] = []
      while batch.count < min(batchCount, most), let position = walk.next() {
        batch.append(position)
      }
      if batch.isEmpty { break }
      batchCount = min(2 * batchCount, Self.batchCounts.upperBound)
      if matches != nil, !set.graph.check(columns, at: batch) { return nil }
      for position in batch where isPlaced || set.place(of: position) ?? -1 >= first {
        guard chosen.positions.count < wanted else { break }
        if countsImplausible {
          guard let isImplausible = set.graph.isImplausible(at: position) else { return nil }
          if isImplausible { chosen.implausibleCount += 1 }
        }
        if let matches, !matches(position) { continue }
        if left > 0 { left -= 1 } else { chosen.positions.append(position) }
      }
    }
    guard !walk.isDamaged else { return nil }
    if isPage, chosen.positions.count > limit {
      chosen.positions.removeLast()
      chosen.hasMore = true
    }
    if isReverse, !isPage { chosen.positions.reverse() }
    return chosen
  }

  /// Adds the boundary of the changes that were chosen: at the end, or where the oldest comes first, before them.
  ///
  /// - Parameters:
  ///   - chosen: the choice.
  ///   - set: the changes that it was made from.
  /// - Returns: `false` when the index is damaged.
  func addBoundary(to chosen: inout Chosen, of set: LogSet) -> Bool {
    guard set.graph.check(.parents, at: chosen.positions) else { return false }
    var walk = LogWalk(set.boundary(of: chosen.positions), by: order)
    var boundary: [Int] = []
    while let position = walk.next() { boundary.append(position) }
    guard !walk.isDamaged else { return false }
    if isUpward != isReverse {
      chosen.positions.insert(contentsOf: boundary.reversed(), at: 0)
    } else {
      chosen.positions += boundary
    }
    return true
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
