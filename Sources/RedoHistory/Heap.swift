// A binary heap of numbers that are compared from outside.

/// A binary heap of numbers, the first one on top.
struct Heap: Sendable {
  private var items: [Int] = []

  /// The first number.
  var top: Int? { items.first }

  mutating func push(_ position: Int, _ isBefore: (Int, Int) -> Bool) {
    items.append(position)
    var child = items.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard isBefore(items[child], items[parent]) else { return }
      items.swapAt(child, parent)
      child = parent
    }
  }

  mutating func pop(_ isBefore: (Int, Int) -> Bool) -> Int? {
    guard let top = items.first else { return nil }
    let last = items.removeLast()
    if items.isEmpty { return top }
    items[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < items.count && isBefore(items[child], items[least]) {
        least = child
      }
      if least == parent { return top }
      items.swapAt(parent, least)
      parent = least
    }
  }
}
