// A difference as operations of RFC 6902, on the object whose members are the tasks by their ids:
//
//   {"<guid>": <task as the state has it>, ...}
//
// Todos are elements of an array. First, from the last to the first, those are removed that are gone or move;
// then, from the first to the last, those are inserted that are not there; then the others are in their final
// places, and are changed there.

internal import RedoObject

extension TaskDifference {
  /// Appends the operations, RFC 8785, with commas between them.
  ///
  /// - Parameter output: receives the bytes.
  package func appendPatch(to output: inout [UInt8]) {
    var patch = PatchWriter(task)
    guard let before, let after else {
      patch.write("", after.map(Self.json), isThere: before != nil)
      output += patch.bytes
      return
    }
    for change in ownChanges { patch.write(change, at: "") }
    let places = Self.stays(before, after)
    for place in before.todos.items.indices.reversed() where !places.old.contains(place) {
      patch.write("/todoTasks/\(place)", nil, isThere: true)
    }
    for (place, todo) in after.todos.items.enumerated() where !places.new.contains(place) {
      patch.write("/todoTasks/\(place)", Self.json(todo, after), isThere: false)
    }
    for (place, todo) in after.todos.items.enumerated() where places.new.contains(place) {
      for change in changes(of: todo) { patch.write(change, at: "/todoTasks/\(place)") }
    }
    output += patch.bytes
  }

  /// The places before and after of the todos that need not be moved: the longest run of todos that
  /// are in both states in the same order.
  ///
  /// - Complexity: O(*k* log *k*).
  private static func stays(
    _ before: TaskState, _ after: TaskState
  ) -> (old: Set<Int>, new: Set<Int>) {
    // The last todo of the best run of each length, and the todo before each in its run.
    var ends: [(old: Int, new: Int)] = []
    var previous: [Int: (old: Int, new: Int)] = [:]
    for (old, todo) in before.todos.items.enumerated() {
      guard let new = after.todos.place(of: todo.id) else { continue }
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if ends[middle].new < new { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[old] = ends[low - 1] }
      if low == ends.count { ends.append((old, new)) } else { ends[low] = (old, new) }
    }
    var stays: (old: Set<Int>, new: Set<Int>) = ([], [])
    var last = ends.last
    while let place = last {
      stays.old.insert(place.old)
      stays.new.insert(place.new)
      last = previous[place.old]
    }
    return stays
  }
}

/// Writes operations on one task.
private struct PatchWriter {
  private(set) var bytes: [UInt8] = []
  private let root: String

  init(_ task: TaskID) { root = "/\(task.text)" }

  /// Writes the change of a member at a place.
  mutating func write(_ change: DocumentChange, at place: String) {
    write(Array(place.utf8) + change.path, change.new, isThere: change.old != nil)
  }

  mutating func write(_ path: String, _ value: [UInt8]?, isThere: Bool) {
    write(Array(path.utf8), value, isThere: isThere)
  }

  private mutating func write(_ path: [UInt8], _ value: [UInt8]?, isThere: Bool) {
    let operation: DocumentChange.Operation =
      value == nil ? .remove : isThere ? .replace : .add
    if !bytes.isEmpty { bytes += ",".utf8 }
    bytes += "{\"op\":\"\(operation.rawValue)\",\"path\":\"\(root)".utf8
    bytes += path
    bytes += "\"".utf8
    if let value {
      bytes += ",\"value\":".utf8
      bytes += value
    }
    bytes += "}".utf8
  }
}
