// One row of lanes: which lines meet in each of its cells, and how that is written as text.
//
// A lane has two cells, its own and the gap to its right. Lines always lead down: a line that comes from
// the side ends in a corner or joins a lane there. A line that only crosses a lane passes under it:
//
//   ├─│─╮   the line goes to the third lane; the second one is not touched

internal import RedoRepository
internal import RedoShell

/// A row that is being drawn.
struct LaneRow {
  /// The sides on which lines leave a cell.
  struct Sides: OptionSet {
    let rawValue: UInt8
    static let up = Sides(rawValue: 1)
    static let down = Sides(rawValue: 2)
    static let left = Sides(rawValue: 4)
    static let right = Sides(rawValue: 8)
    static let vertical: Sides = [.up, .down]
    static let horizontal: Sides = [.left, .right]
  }

  /// The content of a cell.
  enum Mark {
    case lines(Sides)
    /// A lane with a line passing under it.
    case crossing
    /// A line down to the right, in a gap, ASCII only.
    case falling
    /// A line down to the left, in a gap, ASCII only.
    case rising
    /// A change without parents, with one, with several.
    case root, change, merge
    /// A change on a side of a range.
    case side(Unicode.Scalar)
    /// A sign for everything beyond the last lane that is drawn.
    case beyond

    static let blank = Mark.lines([])
  }

  private struct Cell {
    var mark = Mark.blank
    var color = 0
  }

  private var cells: [Cell] = []

  /// The number of cells up to the last one with a mark.
  var cellCount: Int { (cells.lastIndex { !$0.mark.isBlank } ?? -1) + 1 }

  /// The sides of a cell; empty when the cell has another mark.
  private func sides(at cell: Int) -> Sides {
    guard cell < cells.count, case .lines(let sides) = cells[cell].mark else { return [] }
    return sides
  }

  /// Whether a lane goes straight through a cell, with or without a line that crosses it.
  func isUntouched(at cell: Int) -> Bool {
    guard cell < cells.count else { return false }
    if case .crossing = cells[cell].mark { return true }
    return sides(at: cell) == .vertical
  }

  /// Puts a mark in a cell.
  mutating func put(_ mark: Mark, _ color: Int, at cell: Int) {
    while cells.count <= cell { cells.append(Cell()) }
    cells[cell] = Cell(mark: mark, color: color)
  }

  /// Lets a line pass under the lane of a cell.
  mutating func cross(at cell: Int) { cells[cell].mark = .crossing }

  /// Adds a side on which a line leaves a cell; the colour is used only if the cell was blank.
  mutating func add(_ more: Sides, _ color: Int, at cell: Int) {
    let isBlank = cell >= cells.count || cells[cell].mark.isBlank
    let all = sides(at: cell).union(more)
    put(.lines(all), isBlank ? color : cells[cell].color, at: cell)
  }

  /// The text, padded to a number of cells, or without trailing blanks.
  func text(isASCII: Bool, _ palette: Palette, width: Int = 0) -> String {
    var output: [UInt8] = []
    var isPainting = false
    var color = 0
    func end() {
      if isPainting { output += Palette.end.utf8 }
      isPainting = false
    }
    let count = cellCount
    for cell in cells[..<count] {
      if palette.isOn, !cell.mark.isBlank, !isPainting || color != cell.color {
        end()
        output += Palette.start(.lane(cell.color)).utf8
        (isPainting, color) = (true, cell.color)
      } else if cell.mark.isBlank {
        end()
      }
      output += (isASCII ? cell.mark.ascii : cell.mark.unicode).utf8
    }
    end()
    if width > count { output += Array(repeating: UInt8(ascii: " "), count: width - count) }
    return String(decoding: output, as: UTF8.self)
  }
}

extension LaneRow.Mark {
  var isBlank: Bool {
    if case .lines(let sides) = self { return sides.isEmpty }
    return false
  }

  /// Indexed by the sides: up 1, down 2, left 4, right 8.
  private static let lines: [String] = [
    " ", "╵", "╷", "│", "╴", "╯", "╮", "┤", "╶", "╰", "╭", "├", "─", "┴", "┬", "┼",
  ]
  /// As in git's octopus merges: a dot where a line turns down, an apostrophe where it comes from above.
  private static let asciiLines: [String] = [
    " ", "'", ".", "|", "-", "'", ".", "+", "-", "'", ".", "+", "-", "'", ".", "+",
  ]

  fileprivate var unicode: String {
    switch self {
    case .lines(let sides): Self.lines[Int(sides.rawValue)]
    case .crossing: "│"
    case .falling: "╲"
    case .rising: "╱"
    case .side(let mark): String(mark)
    case .root: "○"
    case .change: "●"
    case .merge: "◆"
    case .beyond: "…"
    }
  }

  fileprivate var ascii: String {
    switch self {
    case .lines(let sides): Self.asciiLines[Int(sides.rawValue)]
    case .crossing: "|"
    case .falling: "\\"
    case .rising: "/"
    case .side(let mark): String(mark)
    case .root: "o"
    case .change: "*"
    case .merge: "M"
    case .beyond: "~"
    }
  }
}
