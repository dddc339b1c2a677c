// The lower part of the drawing: how many changes each day has, in UTC. One block per year, one column
// per week, one row per weekday, starting with Monday.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// The days of all years that have changes.
struct ActivityCalendar {
  /// How many years are drawn at most; the latest ones.
  static let yearLimit = 30

  private static let cell = 14
  private static let pitch = 17
  private static let blockHeight = 160
  private static let headHeight = 40
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private let top: Int
  private let counts: [CivilDay: Int]
  /// The years that are drawn, latest first.
  private let years: [Int64]
  private let hiddenYearCount: Int
  /// The largest counts for the first three shades.
  private let shadeLimits: [Int]

  /// Counts changes, for a drawing that begins at a row of pixels.
  init(_ changes: [DrawnChange], top: Int) {
    self.top = top
    var counts: [CivilDay: Int] = [:]
    for change in changes {
      counts[CivilDay(milliseconds: change.wall.milliseconds), default: 0] += 1
    }
    self.counts = counts
    let years = Set(counts.keys.map(\.date.year)).sorted(by: >)
    self.years = Array(years.prefix(Self.yearLimit))
    hiddenYearCount = years.count - self.years.count
    shadeLimits = Self.shadeLimits(counts.values.sorted())
  }

  /// Quartiles of the days that have changes, each limit greater than the previous one.
  private static func shadeLimits(_ sorted: [Int]) -> [Int] {
    var limits: [Int] = []
    for quarter in 1...3 where !sorted.isEmpty {
      let quantile = sorted[(sorted.count * quarter - 1) / 4]
      limits.append(max(quantile, (limits.last ?? 0) + 1))
    }
    return limits
  }

  private func shade(_ count: Int) -> Int {
    count == 0 ? 0 : 1 + shadeLimits.count { count > $0 }
  }

  /// The height, in pixels.
  var height: Int { Self.headHeight + years.count * Self.blockHeight }

  /// Appends the calendar.
  func append(to svg: inout SVGText) {
    svg.label("Activity by day", x: 24, y: top + 18, "s")
    appendShades(to: &svg)
    if hiddenYearCount > 0 {
      let text =
        "the latest \(years.count) years with changes; \(hiddenYearCount) more are left out"
      svg.label(text, x: DeviceLanes.columns.lowerBound, y: top + 18, "m")
    }
    var perYear: [Int64: (changes: Int, days: Int)] = [:]
    for (day, count) in counts {
      let sums = perYear[day.date.year] ?? (0, 0)
      perYear[day.date.year] = (sums.changes + count, sums.days + 1)
    }
    for (index, year) in years.enumerated() {
      let y = top + Self.headHeight + index * Self.blockHeight
      appendYear(year, perYear[year] ?? (0, 0), y, to: &svg)
    }
  }

  private func appendShades(to svg: inout SVGText) {
    var texts = ["0"]
    var least = 1
    for limit in shadeLimits {
      texts.append(least == limit ? "\(least)" : "\(least)–\(limit)")
      least = limit + 1
    }
    texts.append("\(least)+")
    // A cell, a gap, and about 7 pixels for each character.
    let widths = texts.map { 38 + 7 * $0.count }
    var x = DeviceLanes.columns.upperBound - widths.reduce(0, +) + 16
    svg.label("changes a day:", x: x - 12, y: top + 18, "m r")
    for (shade, text) in texts.enumerated() {
      appendCell(shade, x, top + 7, to: &svg)
      svg.raw("</rect>\n")
      svg.label(text, x: x + 20, y: top + 18, "m")
      x += widths[shade]
    }
  }

  /// Begins a cell.
  private func appendCell(_ shade: Int, _ x: Int, _ y: Int, to svg: inout SVGText) {
    svg.raw(
      "<rect class=\"c\(shade)\" x=\"\(x)\" y=\"\(y)\" width=\"\(Self.cell)\" "
        + "height=\"\(Self.cell)\" rx=\"3\">")
  }

  private func appendYear(
    _ year: Int64, _ sums: (changes: Int, days: Int), _ y: Int, to svg: inout SVGText
  ) {
    let left = DeviceLanes.columns.lowerBound
    let grid = y + 20
    svg.label(DrawnText.digits(year, 4), x: 24, y: grid + 12, "s")
    svg.label(DrawnText.counted(sums.changes, "change"), x: 24, y: grid + 32, "m")
    svg.label("on \(DrawnText.counted(sums.days, "day"))", x: 24, y: grid + 48, "m")
    for (row, name) in [(0, "Mon"), (2, "Wed"), (4, "Fri")] {
      svg.label(name, x: left - 8, y: grid + row * Self.pitch + 11, "m r")
    }
    let first = CivilDay(year, 1, 1)
    let end = CivilDay(year + 1, 1, 1)
    for number in first.number..<end.number {
      let day = CivilDay(number: number)
      let column = (Int(number - first.number) + first.weekday) / 7
      let x = left + column * Self.pitch
      let (_, month, dayOfMonth) = day.date
      if dayOfMonth == 1 { svg.label(Self.months[Int(month) - 1], x: x, y: y + 12, "m") }
      let count = counts[day] ?? 0
      appendCell(shade(count), x, grid + day.weekday * Self.pitch, to: &svg)
      svg.title("\(day): \(DrawnText.counted(count, "change"))")
      svg.raw("</rect>\n")
    }
  }
}
