// Receipts as a picture: self-contained SVG 1.1, with the same bytes for the same list.
//
//   Receipts
//   3 receipts of 2 authors, 2025-03-01 to 2025-03-02 by time of receipt, times in UTC
//   (legend)
//   2025-03-01   o session.created        08:00   bafyrei...   did:buds:...
//                o session.edited         09:30   ...
//   2025-03-02   o memory.shared          10:00   ...
//
// Many receipts are dots beside each other, by day, month or year. There is nothing in it but what the rows of the list have.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// A document with a mark for each receipt, in the order of the list.
struct ReceiptTimeline {
  /// A receipt of the list.
  struct Entry {
    /// Its CID.
    let cid: String
    /// What it tells.
    let type: String
    /// Its author.
    let did: String
    /// The time by which it is listed, in milliseconds since 1970; `nil` where there is none.
    let time: Int64?
    /// Whether it is listed only because deleted chains are, too.
    let isDeleted: Bool
  }

  /// The colours.
  private enum Theme: Int, CaseIterable {
    case session, edit, deletion, share, circle, device, other

    init(_ type: String) {
      let words = type.split(separator: "/")[0].split(separator: ".").map(String.init)
      let name = words.dropFirst(words.starts(with: ["app", "buds"]) ? 2 : 1).joined(separator: ".")
      switch name {
      case "session.deleted", "memory.deleted": self = .deletion
      case "memory.shared", "memory.unshared": self = .share
      case "session.edited", "session.updated": self = .edit
      case _ where name.hasPrefix("session."): self = .session
      case _ where name.hasPrefix("circle."): self = .circle
      case _ where name.hasPrefix("device."): self = .device
      default: self = .other
      }
    }

    var label: String {
      switch self {
      case .session: "sessions"
      case .edit: "edits of sessions"
      case .deletion: "deletions"
      case .share: "shares"
      case .circle: "circle"
      case .device: "devices"
      case .other: "other"
      }
    }

    var colors: (light: String, dark: String) {
      switch self {
      case .session: ("#1a7f37", "#3fb950")
      case .edit: ("#1b7c83", "#39c5cf")
      case .deletion: ("#cf222e", "#ff7b72")
      case .share: ("#0969da", "#58a6ff")
      case .circle: ("#8250df", "#bc8cff")
      case .device: ("#9a6700", "#d29922")
      case .other: ("#57606a", "#9da7b3")
      }
    }
  }

  /// What a group of receipts has in common.
  private enum Period: CaseIterable { case day, month, year }

  /// Receipts that follow each other in the list, and are of one period.
  private struct Group {
    let label: String
    var entries: [Entry]
  }

  private static let width = 1200
  /// Where the marks begin and end, in pixels.
  private static let columns = 176..<1176
  /// Where the first mark is.
  private static let top = 112
  /// The most receipts that have a line each.
  private static let lineLimit = 100
  /// The most groups of days, and of months.
  private static let groupLimit = 120
  private static let (lineHeight, dotPitch, gap) = (20, 12, 12)
  /// The most columns of a type, and of an author.
  private static let (typeWidth, didWidth) = (40, 40)

  private let entries: [Entry]
  private let clock: String
  private let groups: [Group]
  private let hasLines: Bool

  /// A picture of receipts.
  ///
  /// - Parameters:
  ///   - entries: the receipts, in the order of the list.
  ///   - clock: what their times are, in words.
  init(_ entries: [Entry], clock: String) {
    self.entries = entries
    self.clock = clock
    hasLines = entries.count <= Self.lineLimit
    var groups = Self.groups(entries, .day)
    for period in [Period.month, .year] where groups.count > Self.groupLimit {
      groups = Self.groups(entries, period)
    }
    self.groups = groups
  }

  private static func groups(_ entries: [Entry], _ period: Period) -> [Group] {
    var groups: [Group] = []
    for entry in entries {
      let label = day(entry).map { day in
        switch period {
        case .day: "\(day)"
        case .month: day.month
        case .year: DrawnText.digits(day.date.year, 4)
        }
      }
      if groups.last?.label == label ?? "-" {
        groups[groups.count - 1].entries.append(entry)
      } else {
        groups.append(Group(label: label ?? "-", entries: [entry]))
      }
    }
    return groups
  }

  /// The day of a receipt; none where its time is in no year from 1 to 9999.
  private static func day(_ entry: Entry) -> CivilDay? {
    guard let time = entry.time,
      WallTime.earliest.milliseconds...WallTime.latest.milliseconds ~= time
    else { return nil }
    return CivilDay(milliseconds: time)
  }

  /// The time of a receipt, as the list has it.
  private static func text(_ entry: Entry) -> String {
    guard day(entry) != nil, let time = entry.time else { return entry.time.map { "\($0)" } ?? "-" }
    return WallTime(milliseconds: time).text
  }

  /// Appends the document.
  func append(to output: inout [UInt8]) {
    var marks = SVGText()
    let height = append(marksTo: &marks)
    var svg = SVGText()
    svg.raw(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="no"?>
      <svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="\(Self.width)" \
      height="\(height)" viewBox="0 0 \(Self.width) \(height)">

      """)
    svg.title("Receipts")
    svg.raw("\n" + Self.style)
    svg.raw("<rect class=\"bg\" width=\"\(Self.width)\" height=\"\(height)\"/>\n")
    svg.label("Receipts", x: 24, y: 34, "h")
    svg.label(span, x: 24, y: 56, "m")
    appendLegend(to: &svg)
    output += svg.bytes
    output += marks.bytes
    output += "</svg>\n".utf8
  }

  private static let style: String = {
    var (light, dark) = (".q { font-family: monospace; font-size: 11px; fill: #57606a; }\n", "")
    dark += ".q { fill: #9da7b3; }\n"
    for theme in Theme.allCases {
      let (number, colors) = (theme.rawValue, theme.colors)
      // What is deleted is a ring: filled with the background, outlined in the colour.
      light += ".a\(number) { fill: \(colors.light); }\n"
      light += ".o\(number) { fill: #ffffff; stroke: \(colors.light); }\n"
      dark += ".a\(number) { fill: \(colors.dark); }\n"
      dark += ".o\(number) { fill: #0d1117; stroke: \(colors.dark); }\n"
    }
    return SVGStyle.sheet(light: light, dark: dark)
  }()

  /// How many receipts of how many authors there are, and the days that they are of.
  private var span: String {
    guard !entries.isEmpty else { return "no receipts" }
    var text = DrawnText.counted(entries.count, "receipt")
    text += " of " + DrawnText.counted(Set(entries.lazy.map(\.did)).count, "author")
    let days = entries.compactMap { Self.day($0) }
    if let first = days.min(), let last = days.max() {
      text += ", " + (first == last ? "\(first)" : "\(first) to \(last)")
    }
    return text + " by \(clock), times in UTC"
  }

  private func appendLegend(to svg: inout SVGText) {
    var counts: [Theme: Int] = [:]
    for entry in entries { counts[Theme(entry.type), default: 0] += 1 }
    var x = 24
    func item(_ shape: String, _ text: String) {
      svg.raw(
        "<rect class=\"\(shape)\" x=\"\(x)\" y=\"70\" width=\"10\" height=\"10\" rx=\"2\"/>\n")
      svg.label(text, x: x + 16, y: 79, "m")
      x += 34 + 7 * text.utf8.count
    }
    for theme in Theme.allCases {
      guard let count = counts[theme] else { continue }
      item("a\(theme.rawValue)", "\(theme.label) \(DrawnText.grouped(count))")
    }
    let deleted = entries.count { $0.isDeleted }
    if deleted > 0 {
      item("o\(Theme.other.rawValue) o", "deleted, or put away \(DrawnText.grouped(deleted))")
    }
  }

  /// Appends the marks of all groups.
  ///
  /// - Returns: the height of the picture.
  private func append(marksTo svg: inout SVGText) -> Int {
    var y = Self.top
    for group in groups {
      svg.raw(
        "<path class=\"g\" d=\"M24 \(y - Self.lineHeight + 4)H\(Self.columns.upperBound)\"/>\n")
      svg.label(group.label == "-" ? "no day" : group.label, x: 24, y: y, "s")
      if hasLines {
        for entry in group.entries {
          append(entry, x: Self.columns.lowerBound, y: y - 4, radius: 5, to: &svg)
          let type = DrawnText.line(entry.type, width: Self.typeWidth)
          svg.label(type, x: Self.columns.lowerBound + 16, y: y)
          svg.label(Self.text(entry), x: Self.columns.lowerBound + 296, y: y, "q")
          svg.label("\(entry.cid.prefix(14))…", x: Self.columns.lowerBound + 480, y: y, "q")
          let did = DrawnText.line(entry.did, width: Self.didWidth)
          svg.label(did, x: Self.columns.lowerBound + 600, y: y, "q")
          y += Self.lineHeight
        }
      } else {
        svg.label(
          DrawnText.grouped(group.entries.count), x: Self.columns.lowerBound - 12, y: y, "m r")
        let perLine = Self.columns.count / Self.dotPitch
        for (place, entry) in group.entries.enumerated() {
          append(
            entry, x: Self.columns.lowerBound + 5 + place % perLine * Self.dotPitch,
            y: y - 4 + place / perLine * Self.dotPitch, radius: 4, to: &svg)
        }
        y += (group.entries.count - 1) / perLine * Self.dotPitch + Self.lineHeight
      }
      y += Self.gap
    }
    return groups.isEmpty ? 96 : y
  }

  /// Appends the mark of a receipt: the only kind of circle.
  private func append(
    _ entry: Entry, x: Int, y: Int, radius: Int, to svg: inout SVGText
  ) {
    let number = Theme(entry.type).rawValue
    let classes = entry.isDeleted ? "o\(number) o" : "a\(number)"
    svg.raw("<circle class=\"\(classes)\" cx=\"\(x)\" cy=\"\(y)\" r=\"\(radius)\"><title>")
    for line in [entry.type, Self.text(entry), entry.did] {
      svg.text(line)
      svg.raw("\n")
    }
    svg.text(entry.cid)
    svg.raw("</title></circle>\n")
  }
}
