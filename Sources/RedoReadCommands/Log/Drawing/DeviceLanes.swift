// The upper part of the drawing: one lane per device, time from left to right, one dot per change, and
// lines from each change to its parents. Where there are too many changes for that, bars
// show how many there are.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// The places of the changes of each device.
struct DeviceLanes {
  /// With more changes than this, bars are drawn instead of dots and lines.
  static let changeLimit = 3000
  /// With more lines than this, bars are drawn as well.
  static let edgeLimit = 20_000
  /// With more changes than this, dots are small and lines are pale.
  static let normalLimit = 500
  /// The most lanes; the last one is for all other devices.
  static let laneLimit = 24

  /// The height of a lane, in pixels; with dots that have no place in it, a lane is higher.
  static let laneHeight = 52
  /// The first column of pixels of the lanes, and the one after the last.
  static let columns = 208..<1176
  /// The width of a bar, in pixels.
  static let barWidth = 2

  private static let barCount = columns.count / barWidth
  private static let kindCount = ActionKind.allCases.count

  private struct Lane {
    let name: String
    var count = 0
    /// The first row of pixels, counted from the first of all lanes, and the number of rows.
    var top = 0
    var height = DeviceLanes.laneHeight
  }

  private let changes: [DrawnChange]
  private let top: Int
  private var lanes: [Lane]
  /// The lane of each change.
  private let laneOf: [Int]
  /// The place of each change, in tenths of a pixel; none with bars.
  private var points: [(x: Int, y: Int)] = []
  private let first: Int64
  private let last: Int64
  /// Whether bars are drawn instead of dots.
  let isDense: Bool

  /// Lays out changes, of which there must be at least one, from a row of pixels on.
  init(_ changes: [DrawnChange], top: Int) {
    self.changes = changes
    self.top = top
    (lanes, laneOf) = Self.lanes(changes)
    let times = changes.lazy.map(\.wall.milliseconds)
    let (first, last) = (times.min() ?? 0, times.max() ?? 0)
    // A single moment has no length that could be drawn, so the axis covers at least ten minutes.
    let missing = max(600_000 - (last - first), 0)
    self.first = first - missing / 2
    self.last = last + missing - missing / 2
    isDense =
      changes.count > Self.changeLimit
      || changes.lazy.map(\.parents.count).reduce(0, +) > Self.edgeLimit
    let members = isDense ? [] : members()
    let places = placeDots(members)
    var next = 0
    for number in lanes.indices {
      lanes[number].top = next
      if number < places.count {
        let margin = 2 * Self.laneMargin
        lanes[number].height = max(
          Self.laneHeight, (places[number].rowCount - 1) * rowHeight / 10 + margin)
      }
      next += lanes[number].height
    }
    setPoints(places, members)
  }

  /// The lanes in the order of their first changes.
  private static func lanes(_ changes: [DrawnChange]) -> ([Lane], [Int]) {
    var numbers: [String: Int] = [:]
    var lanes: [Lane] = []
    var laneOf = [Int](repeating: 0, count: changes.count)
    for (place, change) in changes.enumerated().reversed() {
      let number = numbers[change.device] ?? lanes.count
      if number == lanes.count {
        numbers[change.device] = number
        lanes.append(Lane(name: change.device))
      }
      lanes[number].count += 1
      laneOf[place] = number
    }
    guard lanes.count > laneLimit else { return (lanes, laneOf) }
    // The devices with the most changes keep lanes of their own.
    let ranked = lanes.indices.sorted { (lanes[$0].count, $1) > (lanes[$1].count, $0) }
    let kept = ranked.prefix(laneLimit - 1).sorted()
    var newNumbers = [Int](repeating: kept.count, count: lanes.count)
    for (number, old) in kept.enumerated() { newNumbers[old] = number }
    let own = kept.reduce(0) { $0 + lanes[$1].count }
    let others = Lane(
      name: "\(DrawnText.grouped(lanes.count - kept.count)) other devices",
      count: changes.count - own)
    return (kept.map { lanes[$0] } + [others], laneOf.map { newNumbers[$0] })
  }

  /// The height of the lanes and of the axis below, in pixels.
  var height: Int { lanesHeight + 44 }

  private var lanesHeight: Int { lanes.reduce(0) { $0 + $1.height } }

  // MARK: - Places, in tenths of a pixel

  private static let inset = 8
  /// The least distance between dots and the edge of their lane, in pixels.
  private static let laneMargin = 8

  private func x(_ time: Int64) -> Int {
    let inset = Self.inset
    let width = Int64(10 * (Self.columns.count - 2 * inset))
    return 10 * (Self.columns.lowerBound + inset) + Int((time - first) * width / (last - first))
  }

  private func middle(_ lane: Int) -> Int { 10 * (top + lanes[lane].top) + 5 * lanes[lane].height }

  // MARK: - Parts

  /// Appends the lanes.
  func append(to svg: inout SVGText) {
    appendGround(to: &svg)
    if isDense { appendBars(to: &svg) } else { appendDots(to: &svg) }
  }

  private func appendGround(to svg: inout SVGText) {
    let bottom = top + lanesHeight
    for (number, lane) in lanes.enumerated() where number % 2 == 0 {
      let (y, height) = (top + lane.top, lane.height)
      svg.raw(
        "<rect class=\"b\" x=\"16\" y=\"\(y)\" width=\"1168\" height=\"\(height)\" rx=\"4\"/>\n")
    }
    for tick in TimeTicks.ticks(from: first, to: last, limit: 11) {
      let place = x(tick.time)
      svg.raw("<path class=\"g\" d=\"M\(SVGText.tenths(place)) \(top)V\(bottom + 5)\"/>\n")
      svg.label(tick.label, x: place / 10, y: bottom + 18, "t")
      if let date = tick.date { svg.label(date, x: place / 10, y: bottom + 32, "t") }
    }
    for lane in lanes {
      let y = top + lane.top + (lane.height - Self.laneHeight) / 2
      svg.raw("<g>")
      svg.title(lane.name)
      svg.label(DrawnText.line(lane.name, width: 26), x: 24, y: y + 24)
      svg.label(DrawnText.counted(lane.count, "change"), x: 24, y: y + 40, "m")
      svg.raw("</g>\n")
    }
  }

  private var isSmall: Bool { changes.count > Self.normalLimit }

  private func appendDots(to svg: inout SVGText) {
    svg.raw("<path class=\"\(isSmall ? "e f" : "e")\" d=\"")
    for (place, change) in changes.enumerated() {
      for parent in change.distinctParents {
        let (from, to) = (points[place], points[parent])
        svg.raw("M\(SVGText.tenths(from.x)) \(SVGText.tenths(from.y))")
        if laneOf[place] == laneOf[parent] {
          svg.raw("L")
        } else {
          let half = SVGText.tenths((from.x + to.x) / 2)
          svg.raw("C\(half) \(SVGText.tenths(from.y)) \(half) \(SVGText.tenths(to.y)) ")
        }
        svg.raw("\(SVGText.tenths(to.x)) \(SVGText.tenths(to.y))\n")
      }
    }
    svg.raw("\"/>\n")
    for (place, change) in changes.enumerated().reversed() {
      appendDot(change, points[place].x, points[place].y, to: &svg)
    }
  }

  /// The distance between rows of dots, in tenths of a pixel.
  private var rowHeight: Int { isSmall ? 60 : 90 }

  /// Lays out the dots of each lane.
  private func placeDots(_ members: [[Int]]) -> [LanePlaces] {
    let (left, right) = (Self.columns.lowerBound, Self.columns.upperBound)
    let room = LanePlaces.Room(
      distance: isSmall ? 58 : 85,
      columns: 10 * (left + Self.inset)...10 * (right - Self.inset), rowCount: isSmall ? 7 : 5)
    return members.map { members in
      var numbers: [Int: Int] = [:]
      for (number, place) in members.enumerated() { numbers[place] = number }
      let items = members.enumerated().map { number, place in
        LanePlaces.Item(
          x: x(changes[place].wall.milliseconds),
          parents: changes[place].distinctParents.compactMap { parent in
            // A parent with a later wall time leads no line to the right.
            numbers[parent].flatMap { $0 < number ? $0 : nil }
          })
      }
      return LanePlaces(items, room)
    }
  }

  /// The changes of each lane in the order of time, parents before children of the same moment.
  private func members() -> [[Int]] {
    var members = [[Int]](repeating: [], count: lanes.count)
    let walls = changes.map(\.wall.milliseconds)
    for place in changes.indices.sorted(by: { (walls[$0], $1) < (walls[$1], $0) }) {
      members[laneOf[place]].append(place)
    }
    return members
  }

  private mutating func setPoints(_ places: [LanePlaces], _ members: [[Int]]) {
    guard !places.isEmpty else { return }
    points = changes.map { _ in (0, 0) }
    for (lane, members) in members.enumerated() {
      for (number, place) in members.enumerated() {
        // With an even number of rows there is one more above the middle.
        let lift = places[lane].rowCount % 2 == 0 ? rowHeight / 2 : 0
        let y = middle(lane) + places[lane].rows[number] * rowHeight + lift
        points[place] = (places[lane].columns[number], y)
      }
    }
  }

  private func appendDot(_ change: DrawnChange, _ x: Int, _ y: Int, to svg: inout SVGText) {
    let kind = ActionKind(action: change.action)
    let shape: DotShape =
      kind == .delete ? .square : change.isRoot ? .ring : change.isMerge ? .diamond : .disc
    shape.append(kind, x, y, isSmall ? .small : .normal, to: &svg) { svg in
      var lines = ["\(change.action) \(change.wall.text)"]
      if !change.summary.isEmpty { lines.append(DrawnText.line(change.summary, width: 100)) }
      lines.append("\(change.author) on \(change.device), lamport \(change.lamport)")
      if let task = change.task { lines.append("task \(task.text)") }
      lines.append(change.id.text)
      svg.raw("<title>")
      for (index, line) in lines.enumerated() {
        if index > 0 { svg.raw("\n") }
        svg.text(DrawnText.line(line, width: 200))
      }
      svg.raw("</title>")
    }
  }

  // MARK: - Bars

  /// The time that a bar covers, for people.
  private var barLength: String {
    let milliseconds = (last - first) / Int64(Self.barCount)
    for (unit, name) in [(86_400_000, "day"), (3_600_000, "hour"), (60_000, "minute")]
    where milliseconds >= unit {
      let tenths = Int(milliseconds) * 10 / unit
      return "\(SVGText.tenths(tenths)) \(name)\(tenths == 10 ? "" : "s")"
    }
    return "\(SVGText.tenths(Int(milliseconds) / 100)) seconds"
  }

  /// How many changes of each kind each bar of each lane has.
  private func counts() -> [Int] {
    var counts = [Int](repeating: 0, count: lanes.count * Self.barCount * Self.kindCount)
    for (place, change) in changes.enumerated() {
      let column = x(change.wall.milliseconds) / 10 - Self.columns.lowerBound
      let bar = laneOf[place] * Self.barCount + min(column / Self.barWidth, Self.barCount - 1)
      counts[bar * Self.kindCount + ActionKind(action: change.action).rawValue] += 1
    }
    return counts
  }

  private func appendBars(to svg: inout SVGText) {
    let counts = counts()
    let totals = (0..<lanes.count * Self.barCount).map { bar in
      counts[bar * Self.kindCount..<(bar + 1) * Self.kindCount].reduce(0, +)
    }
    let most = totals.max() ?? 1
    let note =
      "more than can be shown one by one: a bar has the changes of \(barLength), "
      + "the highest one \(DrawnText.grouped(most)); edges are left out"
    svg.label(note, x: Self.columns.upperBound, y: top - 40, "m r")
    // The rest of the height separates the lane from its neighbours.
    let room = 10 * (Self.laneHeight - 6)
    for lane in lanes.indices {
      let bottom = 10 * (top + lanes[lane].top + lanes[lane].height)
      var paths = [String](repeating: "", count: Self.kindCount)
      for bar in 0..<Self.barCount where totals[lane * Self.barCount + bar] > 0 {
        let index = lane * Self.barCount + bar
        let x = Self.columns.lowerBound + bar * Self.barWidth
        // Even the smallest count stays visible.
        let height = max(totals[index] * room / most, 10)
        var below = 0
        for kind in paths.indices {
          let count = counts[index * Self.kindCount + kind]
          guard count > 0 else { continue }
          let start = SVGText.tenths(bottom - below * height / totals[index])
          below += count
          let end = SVGText.tenths(bottom - below * height / totals[index])
          paths[kind] += "M\(x) \(start)h\(Self.barWidth)V\(end)h-\(Self.barWidth)z"
        }
      }
      for kind in paths.indices where !paths[kind].isEmpty {
        svg.raw("<path class=\"a\(kind)\" d=\"\(paths[kind])\"/>\n")
      }
    }
  }
}
