// The history as a picture: self-contained SVG 1.1, with the same bytes for the same changes.
//
//   History
//   1,204 changes on 3 devices, 2024-01-02 to 2024-06-30, times in UTC
//   (legend)
//   phone    | o---*---*-------*------*            a lane per device, see DeviceLanes
//   laptop   |          `--*--*---'
//              2024-02   2024-03   2024-04
//   2024     | Jan  Feb  Mar                       the days, see ActivityCalendar

internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// A document with the lanes of the devices and a calendar.
struct HistorySVG {
  private static let width = 1200

  private let changes: [DrawnChange]

  /// A picture of changes.
  init(_ changes: [DrawnChange]) { self.changes = changes }

  /// Appends the document.
  func append(to output: inout [UInt8]) {
    var svg = SVGText()
    let top = 96
    let lanes = DeviceLanes(changes, top: top)
    let calendar = ActivityCalendar(changes, top: top + lanes.height + 16)
    let height = changes.isEmpty ? top : top + lanes.height + 16 + calendar.height + 8
    svg.raw(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="no"?>
      <svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="\(Self.width)" \
      height="\(height)" viewBox="0 0 \(Self.width) \(height)">

      """)
    svg.title("History")
    svg.raw("\n" + SVGStyle.changes)
    svg.raw("<rect class=\"bg\" width=\"\(Self.width)\" height=\"\(height)\"/>\n")
    svg.label("History", x: 24, y: 34, "h")
    svg.label(span, x: 24, y: 56, "m")
    if !changes.isEmpty {
      appendLegend(lanes, to: &svg)
      lanes.append(to: &svg)
      calendar.append(to: &svg)
    }
    svg.raw("</svg>\n")
    output += svg.bytes
  }

  /// The number of changes and devices, and the dates that the drawing covers.
  private var span: String {
    let times = changes.lazy.map(\.wall.milliseconds)
    guard let first = times.min(), let last = times.max() else { return "no changes" }
    let devices = Set(changes.lazy.map(\.device)).count
    let (start, end) = (CivilDay(milliseconds: first), CivilDay(milliseconds: last))
    return "\(DrawnText.counted(changes.count, "change")) on "
      + "\(DrawnText.counted(devices, "device")), "
      + (start == end ? "\(start)" : "\(start) to \(end)") + ", times in UTC"
  }

  private func appendLegend(_ lanes: DeviceLanes, to svg: inout SVGText) {
    let present = Set(changes.lazy.map { ActionKind(action: $0.action) })
    var x = 29
    let y = 78
    func entry(_ shape: DotShape, _ kind: ActionKind, _ text: String) {
      shape.append(kind, 10 * x, 10 * y - 40, to: &svg)
      svg.label(text, x: x + 10, y: y, "m")
      x += 30 + 7 * text.utf8.count
    }
    for kind in ActionKind.allCases where present.contains(kind) {
      let shape: DotShape = kind == .merge ? .diamond : kind == .delete ? .square : .disc
      entry(lanes.isDense ? .disc : shape, kind, kind.label)
    }
    if !lanes.isDense, changes.contains(where: \.isRoot) {
      entry(.ring, .create, "made upon nothing")
    }
  }
}
