// SNOOZE: gives a todo another deadline, or moves the one it has by days of 86,400 seconds.

internal import CanonicalJSON
internal import RedoObject

extension Replay {
  /// Moves a deadline.
  mutating func snooze(_ position: Int, in state: inout TaskState?, _ skips: inout [Skip]) {
    reader.read(position, of: log)
    guard let id = todoID() else { return }
    guard let place = state?.todos.place(of: id), let todo = state?.todos.items[place] else {
      skips.append(Skip(position, .todoMissing, todo: id))
      return
    }
    var deadline: [UInt8] = []
    if let given = reader.content["newDeadline"] {
      deadline = given.bytes
    } else {
      guard let due = todo.due else {
        skips.append(Skip(position, .deadlineMissing, todo: id))
        return
      }
      guard let moved = due.adding(days: days()) else {
        skips.append(Skip(position, .deadlineRange, todo: id))
        return
      }
      deadline.append(UInt8(ascii: "\""))
      moved.append(to: &deadline)
      deadline.append(UInt8(ascii: "\""))
    }
    let notes = reader.content["notes"]?.contentBytes
    state?.todos.update(place) { todo in
      todo.deadline = deadline
      todo.appendNotes(notes ?? [])
    }
  }

  /// The days of the current content, 1 to 36,500.
  private func days() -> Int64 {
    let content = reader.content
    return content["daysToExtend"]?.integer ?? content["snoozeDays"]?.integer ?? 0
  }
}

extension WallTime {
  /// The instant some days of 86,400 seconds later; `nil` beyond the years 1 to 9999.
  fileprivate func adding(days: Int64) -> WallTime? {
    let (more, isFar) = days.multipliedReportingOverflow(by: 86_400_000)
    let (sum, isFarther) = milliseconds.addingReportingOverflow(more)
    let moved = WallTime(milliseconds: sum)
    return !isFar && !isFarther && moved >= Self.earliest && moved <= Self.latest ? moved : nil
  }
}
