// Support for the tests of lanes: a picture of some changes, and a reader of pictures that knows
// nothing about how they are drawn and follows the lines as an eye does.

@testable import RedoCommands
@testable import RedoReadCommands
@testable import RedoWriteCommands
@testable import RedoRepository
@testable import RedoShell

/// The lanes of a list of changes, with one row of characters each.
struct LanePicture {
  enum Row {
    /// The first row of a change.
    case change(Int)
    /// A further row of a change.
    case rest
    /// A row of lines that leave the change above it, or that come back from beyond the last lane.
    case lines
  }

  private(set) var rows: [(row: Row, text: [Character])] = []

  /// Draws changes, given by the places of their parents, with the given number of further lines each.
  init(_ parents: [[Int]], isASCII: Bool, limit: Int = Lanes.limit, restCount: Int = 1) {
    var lanes = Lanes(isASCII: isASCII, limit: limit)
    for (place, parents) in parents.enumerated() {
      let drawn = lanes.next(place: place, parents: parents)
      rows += drawn.before.map { (.lines, Array($0)) }
      rows.append((.change(place), Array(drawn.first)))
      for _ in 0..<restCount { rows.append((.rest, Array(drawn.rest))) }
      rows += drawn.after.map { (.lines, Array($0)) }
    }
  }

  /// The rows in their printed form, each followed by the place of its change.
  var text: String {
    rows.map { row, text in
      if case .change(let place) = row { return String(text) + "\(place)" }
      var line = String(text)
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }
}

/// Follows the lines of a picture down from each change.
struct LaneReader {
  private let picture: LanePicture
  private static let signs: Set<Character> = ["●", "◆", "○", "*", "M", "o"]

  init(_ picture: LanePicture) { self.picture = picture }

  /// The changes that the lines of each change lead to, and any irregularities.
  func parents() -> (found: [Set<Int>], faults: [String]) {
    var found: [Set<Int>] = []
    var faults: [String] = []
    for (index, row) in picture.rows.enumerated() {
      guard case .change(let place) = row.row else { continue }
      let columns = row.text.indices.filter { Self.signs.contains(row.text[$0]) }
      guard columns.count == 1, place == found.count else {
        faults.append("row \(index): \(columns.count) signs")
        found.append([])
        continue
      }
      var reached: Set<Int> = []
      let isRoot = "○o".contains(row.text[columns[0]])
      if !isRoot { follow(index, columns[0], &reached, &faults) }
      found.append(reached)
    }
    return (found, faults)
  }

  private func follow(
    _ start: Int, _ column: Int, _ reached: inout Set<Int>, _ faults: inout [String]
  ) {
    var columns: Set<Int> = [column]
    // The row of lines below a change is where its own lines part.
    var isOwn = true
    for index in picture.rows.indices.dropFirst(start + 1) where !columns.isEmpty {
      var next: Set<Int> = []
      for column in columns {
        switch picture.rows[index].row {
        case .change(let place):
          isOwn = false
          if Self.signs.contains(character(index, column)) {
            reached.insert(place)
          } else if "│|".contains(character(index, column)) {
            next.insert(column)
          } else {
            faults.append("row \(index), column \(column): a line ends before a change")
          }
        case .rest:
          if !"│|".contains(character(index, column)) {
            faults.append("row \(index), column \(column): a line ends beside a change")
          }
          next.insert(column)
        case .lines:
          let targets = self.targets(index, column, isOwn: isOwn)
          if targets.isEmpty {
            faults.append("row \(index), column \(column): a line ends between changes")
          }
          next.formUnion(targets)
        }
      }
      columns = next
    }
    if !columns.isEmpty { faults.append("a line of row \(start) leads nowhere") }
  }

  private func character(_ row: Int, _ column: Int) -> Character {
    let text = picture.rows[row].text
    return text.indices.contains(column) ? text[column] : " "
  }

  private func leaves(_ row: Int, _ column: Int, _ side: Int) -> Bool {
    let character = character(row, column)
    // An ASCII character has no sides of its own, but those of its neighbour.
    let isASCII = "+.'".contains(character)
    if isASCII { return self.character(row, column + side) == "-" }
    return (side < 0 ? "─┤╯╮┼┴┬╴" : "─├╰╭┼┴┬╶").contains(character)
  }

  /// The columns below a row of lines that a line from above leads to.
  private func targets(_ row: Int, _ column: Int, isOwn: Bool) -> Set<Int> {
    let here = character(row, column)
    var targets: Set<Int> = []
    let goesDown = "│|├┤┼+".contains(here)
    if goesDown { targets.insert(column) }
    guard isOwn || !goesDown else { return targets }
    if character(row, column - 1) == "/" { targets.insert(column - 2) }
    if character(row, column + 1) == "\\" { targets.insert(column + 2) }
    for side in [-1, 1] where leaves(row, column, side) {
      var column = column + side
      while true {
        let here = character(row, column)
        if "─-│|".contains(here) {
          column += side
          continue
        }
        if "├┤┼┬╭╮+.".contains(here) { targets.insert(column) }
        guard leaves(row, column, side) else { break }
        column += side
      }
    }
    return targets
  }
}
