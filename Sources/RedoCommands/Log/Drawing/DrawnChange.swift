// What a drawing of the history is made from.

internal import RedoObject
internal import RedoRepository

/// A change as the drawings see it; a list of them is newest first, children always before parents.
struct DrawnChange: Sendable {
  let id: ObjectID
  /// Where the changes stand that it was made upon: places in the list, each greater than its own;
  /// of hidden changes the nearest shown ancestors.
  let parents: [Int]
  /// How many parents it has, shown or not.
  let parentCount: Int
  let wall: WallTime
  let lamport: UInt64
  let action: String
  let task: TaskID?
  /// The device, for people: its name or else its id; not escaped.
  let device: String
  /// The author for people; not escaped.
  let author: String
  /// A few words of what it is about (a title, or else nothing); not escaped.
  let summary: String
}

extension DrawnChange {
  /// Whether it was made upon nothing.
  var isRoot: Bool { parentCount == 0 }
  /// Whether it was made upon several others.
  var isMerge: Bool { parentCount > 1 }

  /// The parents, each once, in their order.
  var distinctParents: [Int] { Self.distinct(parents) }

  /// Places, each once, in their order.
  static func distinct(_ places: [Int]) -> [Int] {
    guard places.count > 1 else { return places }
    var seen: Set<Int> = []
    return places.filter { seen.insert($0).inserted }
  }
}
