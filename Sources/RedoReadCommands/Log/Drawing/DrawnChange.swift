// The input of the drawings of the history.

internal import RedoObject
internal import RedoRepository

/// A change as the drawings see it; a list of them is newest first, and children always precede parents.
struct DrawnChange: Sendable {
  let id: ObjectID
  /// The parents: their places in the list, each greater than the change's own; a hidden parent is replaced by its
  /// nearest shown ancestors.
  let parents: [Int]
  /// How many parents it has, shown or not.
  let parentCount: Int
  let wall: WallTime
  let lamport: UInt64
  let action: String
  let task: TaskID?
  /// The device, for people: its name, or its id if it has none; not escaped.
  let device: String
  /// The author, for people; not escaped.
  let author: String
  /// A few words about its content (a title, or nothing); not escaped.
  let summary: String
}

extension DrawnChange {
  /// Whether it has no parents.
  var isRoot: Bool { parentCount == 0 }
  /// Whether it has several parents.
  var isMerge: Bool { parentCount > 1 }

  /// The parents without repetitions, in their order.
  var distinctParents: [Int] { Self.distinct(parents) }

  /// Places without repetitions, in their order.
  static func distinct(_ places: [Int]) -> [Int] {
    guard places.count > 1 else { return places }
    var seen: Set<Int> = []
    return places.filter { seen.insert($0).inserted }
  }
}
