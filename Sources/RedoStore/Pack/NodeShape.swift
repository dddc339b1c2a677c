// What nodes have in common: their text with a mark in the place of each value. The marks are bytes
// that no canonical JSON contains.

internal import CanonicalJSON
internal import RedoObject

/// What is in the place of a mark.
enum LeafKind: UInt8, CaseIterable {
  /// A string.
  case text = 1
  /// A number that is not a small integer.
  case number
  /// An integer of at most 15 digits.
  case integer
  /// An id, `sha256:` and 64 hex digits.
  case id
  /// A UUID in lower case.
  case uuid
  /// A time with milliseconds.
  case time
  /// 32 hex digits.
  case hex16
  /// 64 hex digits.
  case hex32
  /// The first half of the 64 hex digits before it in the same node.
  case half

  /// The most bytes of a difference of two times.
  static let planeCount = 7

  /// Whether the value is between quotes.
  var isQuoted: Bool { self != .number && self != .integer }
}

/// A column of values: their kind, and the last string before them.
struct ColumnKey: Hashable {
  let kind: LeafKind
  let name: [UInt8]
}

/// A mark of a shape.
struct Leaf {
  let kind: LeafKind
  /// The index of its column.
  let column: Int
  /// The place of its value in the text of the shape.
  let place: Int
  /// Whether it is one of the node's parents, its logical time or its wall time.
  let isClock: Bool
}

/// One shape, ready to be filled.
struct NodeShape {
  /// The text without its marks; where a mark of a string was, there are its quotes.
  let text: [UInt8]
  /// The marks in the order of the text.
  let leaves: [Leaf]
  /// The marks in the order in which their values are coded: the ids named `parents`, the integers
  /// named `lamport`, the times named `wall`, then all others in their order.
  let order: [Int]
}

/// The shapes of a frame, and the columns that they name.
struct ShapeTable {
  private(set) var shapes: [NodeShape] = []
  /// The columns in the order in which the shapes name them first.
  private(set) var columns: [ColumnKey] = []
  private var columnIndex: [ColumnKey: Int] = [:]
  /// For each column, the place of its values among those of a node: parents, logical time, wall time, others.
  private var groups: [Int] = []

  private static let parents = Array("parents".utf8)
  private static let lamport = Array("lamport".utf8)
  private static let wall = Array("wall".utf8)

  /// Adds a shape and the columns that it names.
  ///
  /// - Throws: when a shape cannot contain a byte.
  mutating func add(_ text: [UInt8]) throws(PackFault) {
    var leaves: [Leaf] = []
    leaves.reserveCapacity(shapes.last?.leaves.count ?? 0)
    var frame: [UInt8] = []
    frame.reserveCapacity(text.count)
    var first: [[Int]] = [[], [], []]
    var others: [Int] = []
    var name = 0..<0
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "\"") {
        guard let end = StringEscape.end(text.span, from: index) else {
          throw PackFault("a shape ends in a string")
        }
        name = index + 1..<end
        frame.append(text.span, index..<end + 1)
        index = end
      } else if byte < 0x20 {
        guard let kind = LeafKind(rawValue: byte) else {
          throw PackFault("a shape has an unknown mark")
        }
        let column = column(kind, text, name, at: leaves.count)
        let group = groups[column]
        if group < first.count {
          first[group].append(leaves.count)
        } else {
          others.append(leaves.count)
        }
        if kind.isQuoted { frame.append(UInt8(ascii: "\"")) }
        leaves.append(
          Leaf(kind: kind, column: column, place: frame.count, isClock: group < first.count))
        if kind.isQuoted { frame.append(UInt8(ascii: "\"")) }
      } else {
        frame.append(byte)
      }
      index += 1
    }
    shapes.append(NodeShape(text: frame, leaves: leaves, order: first.flatMap { $0 } + others))
  }

  /// Whether ids with this name count as a node's parents.
  static func isParents(_ name: [UInt8]) -> Bool { name == parents }
  /// Whether integers with this name count as a node's logical time.
  static func isLamport(_ name: [UInt8]) -> Bool { name == lamport }
  /// Whether times with this name count as a node's wall time.
  static func isWall(_ name: [UInt8]) -> Bool { name == wall }

  private static func group(_ kind: LeafKind, _ name: [UInt8]) -> Int {
    switch kind {
    case .id where name == parents: 0
    case .integer where name == lamport: 1
    case .time where name == wall: 2
    default: 3
    }
  }

  /// The column of a mark.
  ///
  /// Shapes resemble each other: most often it is that of the same mark of the last shape.
  private mutating func column(
    _ kind: LeafKind, _ text: [UInt8], _ range: Range<Int>, at place: Int
  ) -> Int {
    if let leaves = shapes.last?.leaves, place < leaves.count {
      let column = leaves[place].column
      let key = columns[column]
      if key.kind == kind, key.name.elementsEqual(text[range]) { return column }
    }
    let key = ColumnKey(kind: kind, name: Array(text[range]))
    if let known = columnIndex[key] { return known }
    columnIndex[key] = columns.count
    columns.append(key)
    groups.append(Self.group(kind, key.name))
    return columns.count - 1
  }
}
