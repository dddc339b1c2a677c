// The history beside its entries, as `git log --graph` draws it:
//
//   ◆    a merge
//   ├─╮
//   │ ●  a change
//   ● │
//   ├─╯
//   ●
//   ○    a change without parents
//
// A lane is a line that leads down to one change. It begins at the first child of that change that is
// drawn; the other children join the line at once, so there are never more lanes than changes that
// have been named as parents and are still to come. A lane ends at the change that it leads to,
// unless that change hands it on to a parent. A free column is used again, the leftmost one
// first. Columns never move, except that where two lines come together, the left column is kept.

internal import RedoRepository
internal import RedoShell

/// The drawing beside one change.
struct LaneRows: Sendable {
  /// Rows of lines only, printed before the entry.
  ///
  /// They hold a line that comes back from beyond the last lane; usually there are none.
  let before: [String]
  /// The text to the left of the entry's first line, with the symbol of the change; ends in a space.
  let first: String
  /// The text to the left of its other lines, and of the empty line that follows it, if any; as wide
  /// as `first`, so the caller has to remove trailing blanks of an empty line.
  let rest: String
  /// Rows of lines only, printed after the entry and its empty line: where lines part and
  /// come together.
  let after: [String]
}

/// The lanes below the changes drawn so far.
///
/// - Complexity: a change takes time in proportion to the drawn lanes and its parents; memory holds
///   the lanes, and one number for each awaited change beyond them.
struct Lanes {
  /// The default number of lanes that are drawn; each takes two columns.
  ///
  /// A merge may have as many parents.
  static let limit = 64

  /// A line down to a change.
  private struct Lane {
    var place: Int
    var color: Int
  }

  /// The end of a line that leaves a change sideways.
  private struct End {
    let lane: Int
    /// Whether the lane begins there; otherwise it goes on.
    let isNew: Bool
  }

  private let isASCII: Bool
  private let palette: Palette
  /// The first lane that is not drawn; it stands for all the others.
  private let beyond: Int
  private var lanes: [Lane?] = []
  /// The lane of each awaited change.
  private var laneOf: [Int: Int] = [:]
  /// How many changes are awaited beyond the lanes that are drawn.
  private var beyondCount = 0
  private var colorCount = 0

  /// Creates a drawing without lanes.
  ///
  /// - Parameters:
  ///   - isASCII: whether the lines are written in ASCII.
  ///   - palette: the colours; none by default.
  ///   - limit: the most lanes that are drawn, at least one; an ellipsis stands for the others.
  init(isASCII: Bool, palette: Palette? = nil, limit: Int = Lanes.limit) {
    precondition(limit > 0, "BUG: no lanes")
    self.isASCII = isASCII
    self.palette = palette ?? Palette()
    beyond = limit
  }

  /// Draws the next change.
  ///
  /// - Parameters:
  ///   - place: its place in the list, greater than those of the changes drawn before.
  ///   - parents: the places of its parents, each greater than its own.
  ///   - parentCount: how many parents it has, shown or not; if `nil`, the number of `parents`.
  ///   - mark: what stands in place of the usual symbol, one column wide.
  /// - Returns: the drawing beside it.
  mutating func next(
    place: Int, parents: [Int], parentCount: Int? = nil, mark: Unicode.Scalar? = nil
  )
    -> LaneRows
  {
    precondition(parents.allSatisfy { $0 > place }, "BUG: a parent stands before its child")
    let parents = DrawnChange.distinct(parents)
    let (own, before) = enter(place, isLeaving: !parents.isEmpty)
    let (first, rest) = entry(own, max(parents.count, parentCount ?? 0), mark)
    let after = leave(place, own, to: parents)
    while let last = lanes.last, last == nil { lanes.removeLast() }
    return LaneRows(before: before, first: first, rest: rest, after: after)
  }

  // MARK: - Columns

  private var freeLane: Int? {
    if let free = lanes.firstIndex(where: { $0 == nil }) { return free }
    return lanes.count < beyond ? lanes.count : nil
  }

  /// Begins a lane in the leftmost free column.
  private mutating func begin(_ place: Int) -> Int {
    let lane = freeLane ?? beyond
    if lane == lanes.count, lane < beyond { lanes.append(nil) }
    take(lane, for: place, colorCount)
    colorCount &+= 1
    return lane
  }

  /// Makes a column lead to a change.
  private mutating func take(_ lane: Int, for place: Int, _ color: Int) {
    laneOf[place] = lane
    if lane == beyond { beyondCount += 1 } else { lanes[lane] = Lane(place: place, color: color) }
  }

  /// Ends the lane of a change.
  private mutating func end(_ place: Int) {
    guard let lane = laneOf.removeValue(forKey: place) else { return }
    if lane == beyond { beyondCount -= 1 } else { lanes[lane] = nil }
  }

  private func color(_ lane: Int) -> Int { lane < lanes.count ? lanes[lane]?.color ?? 0 : 0 }

  /// The lane of a change; the change keeps it until `leave` is called.
  private mutating func enter(_ place: Int, isLeaving: Bool) -> (lane: Int, before: [String]) {
    guard let lane = laneOf[place] else { return (begin(place), []) }
    // A lane that ends at this change may as well end beyond the drawn lanes.
    guard lane == beyond, isLeaving, freeLane != nil else { return (lane, []) }
    end(place)
    let free = begin(place)
    var row = straight(without: free)
    row.put(.lines(.down), color(free), at: 2 * free)
    row.put(.lines(.up), 0, at: 2 * beyond)
    draw(&row, from: free, to: beyond, color(free))
    return (free, [finish(&row)])
  }

  /// Hands the lane of a change on to its parents.
  private mutating func leave(_ place: Int, _ own: Int, to parents: [Int]) -> [String] {
    let ownColor = color(own)
    if parents.count == 1, let lane = laneOf[parents[0]], lane > own {
      // The two lines come together: the left column is kept.
      let row = join(lane, to: own, ending: parents[0])
      end(place)
      take(own, for: parents[0], ownColor)
      return [row]
    }
    var ends: [End] = []
    var heir: Int?
    for parent in parents {
      if let lane = laneOf[parent] {
        if lane != own { ends.append(End(lane: lane, isNew: false)) }
      } else if heir == nil {
        heir = parent
      } else {
        let lane = begin(parent)
        if lane != own { ends.append(End(lane: lane, isNew: true)) }
      }
    }
    end(place)
    if let heir { take(own, for: heir, ownColor) }
    return ends.isEmpty ? [] : [part(own, isKept: heir != nil, ownColor, ends)]
  }

  // MARK: - Rows

  /// The lanes going straight down, except one.
  private func straight(without left: Int) -> LaneRow {
    var row = LaneRow()
    for (index, lane) in lanes.enumerated() where index != left {
      if let lane { row.put(.lines(.vertical), lane.color, at: 2 * index) }
    }
    return row
  }

  /// Draws a line from one lane to another; of several lines, draw the nearest first.
  private func draw(_ row: inout LaneRow, from start: Int, to end: Int, _ color: Int) {
    let (low, high) = (2 * min(start, end), 2 * max(start, end))
    row.add(.right, color, at: low)
    row.add(.left, color, at: high)
    for cell in low + 1..<high {
      if row.isUntouched(at: cell) {
        row.cross(at: cell)
      } else {
        row.add(.horizontal, color, at: cell)
      }
    }
  }

  /// The text of a row of lines.
  private func finish(_ row: inout LaneRow, isBeyond: Bool = false) -> String {
    if isBeyond || beyondCount > 0 { row.put(.beyond, 0, at: 2 * beyond) }
    return row.text(isASCII: isASCII, palette)
  }

  /// The rows of an entry.
  private func entry(
    _ own: Int, _ parentCount: Int, _ mark: Unicode.Scalar?
  ) -> (first: String, rest: String) {
    var row = straight(without: own)
    var rest = row
    if beyondCount > 0 { row.put(.beyond, 0, at: 2 * beyond) }
    let sign: LaneRow.Mark = parentCount == 0 ? .root : parentCount == 1 ? .change : .merge
    row.put(mark.map { .side($0) } ?? sign, color(own), at: 2 * own)
    if own < beyond, parentCount > 0 { rest.put(.lines(.vertical), color(own), at: 2 * own) }
    if beyondCount > (own == beyond && parentCount == 0 ? 1 : 0) {
      rest.put(.beyond, 0, at: 2 * beyond)
    }
    let width = row.cellCount + 1
    return (
      row.text(isASCII: isASCII, palette, width: width),
      rest.text(isASCII: isASCII, palette, width: width)
    )
  }

  /// A row in which the lane of an awaited change joins a lane to its left.
  private mutating func join(_ lane: Int, to own: Int, ending place: Int) -> String {
    let joined = color(lane)
    end(place)
    var row = straight(without: lane)
    if isASCII, lane == own + 1, lane < beyond {
      row.put(.rising, joined, at: 2 * own + 1)
    } else {
      row.put(.lines(.up), joined, at: 2 * lane)
      draw(&row, from: own, to: lane, joined)
    }
    return finish(&row)
  }

  /// A row in which lines leave the lane of a change.
  private func part(_ own: Int, isKept: Bool, _ color: Int, _ ends: [End]) -> String {
    var row = straight(without: own)
    let isNear = ends.allSatisfy { abs($0.lane - own) == 1 && $0.lane < beyond }
    if isASCII, isNear, own < beyond {
      if isKept { row.put(.lines(.vertical), color, at: 2 * own) }
      for end in ends {
        let color = end.isNew ? self.color(end.lane) : color
        if end.isNew { row.put(.blank, 0, at: 2 * end.lane) }
        row.put(end.lane < own ? .rising : .falling, color, at: 2 * min(own, end.lane) + 1)
      }
      return finish(&row)
    }
    row.put(.lines(isKept ? .vertical : .up), color, at: 2 * own)
    for end in ends where end.isNew && end.lane < beyond {
      row.put(.lines(.down), self.color(end.lane), at: 2 * end.lane)
    }
    for end in ends.sorted(by: { abs($0.lane - own) < abs($1.lane - own) }) {
      draw(&row, from: own, to: end.lane, end.isNew ? self.color(end.lane) : color)
    }
    return finish(&row, isBeyond: ends.contains { $0.lane == beyond })
  }
}
