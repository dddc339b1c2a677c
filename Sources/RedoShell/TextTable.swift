// Columns for people: each as wide as its widest cell, with two blanks between them.

internal import RedoRepository

/// Lays out rows of cells.
package enum TextTable {
  /// One line per row; all rows have as many cells as the first one.
  package static func lines(_ rows: [[String]]) -> [String] {
    guard let heading = rows.first else { return [] }
    let widths = heading.indices.map { column in
      rows.map { $0[column].unicodeScalars.count }.max() ?? 0
    }
    return rows.map { cells in
      var line = ""
      for (column, cell) in cells.enumerated() {
        line += cell
        guard column < cells.count - 1 else { break }
        line += String(repeating: " ", count: widths[column] - cell.unicodeScalars.count + 2)
      }
      return line
    }
  }
}
