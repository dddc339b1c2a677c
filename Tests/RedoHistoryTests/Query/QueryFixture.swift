// A log for questions, and the moment to which they refer: 2025-03-10T12:00:00Z, a Monday.
//
//   task            priority  points  todos, made / due / completed
//   1 Water            4        2     1: 01T08:00 / 08T18:00 / 08T20:30     2: 08T21:00 / 15T18:00 / -  "Not the cactus"
//   2 Pay the rent     5        5     3: 01T09:00 / 09T12:00 / -
//   3 Call             3        1     4, 5, 6: 02T10:00 / - / 09T09:15, 09T20:45, 10T09:05
//   4 Old idea         1        1     none; archived
//   5 Read             3        1     7: 03T10:00 / - / -                   8: 03T10:00 / 10T18:00 / -

import RedoHistory
import RedoObject

enum QueryFixture {
  static let now = time("2025-03-10T12:00:00.000Z")

  static func time(_ text: String) -> WallTime {
    guard let (time, _) = WallTime.parse(Array(text.utf8).span) else {
      preconditionFailure("no time: \(text)")
    }
    return time
  }

  /// Minutes after 2025-03-01T08:00, where a `LogMaker` begins.
  static func minute(_ day: Int, _ hour: Int, _ minute: Int = 0) -> Int {
    ((day - 1) * 24 + hour - 8) * 60 + minute
  }

  private static func text(_ day: Int, _ hour: Int, _ minute: Int = 0) -> String {
    WallTime(milliseconds: 1_740_816_000_000 + Int64(Self.minute(day, hour, minute)) * 60_000).text
  }

  static var log: LogMaker {
    var log = LogMaker()
    func todo(_ number: Int, due: String? = nil) -> String {
      "\"todoTaskId\":\"\(LogMaker.todo(number))\"" + (due.map { ",\"deadline\":\"\($0)\"" } ?? "")
    }
    func completed(_ number: Int, _ time: String) -> String {
      todo(number) + ",\"completed\":\"\(time)\""
    }
    var head = log.add(
      "CREATE",
      "\"title\":\"Water the plants\",\"priority\":4,\"storyPoints\":2,\"frequencyDays\":7,"
        + "\"room\":\"Küche\",\"size\":3,\"odd \\\"name\":true,\"tags\":[1]",
      wall: minute(1, 8))
    head = log.add("CREATE_TODO", todo(1, due: text(8, 18)), [head], wall: minute(1, 8))
    head = log.add("COMPLETE_TODO", completed(1, text(8, 20, 30)), [head], wall: minute(8, 20, 30))
    log.add(
      "CREATE_TODO", todo(2, due: text(15, 18)) + ",\"notes\":\"Not the cactus\"", [head],
      wall: minute(8, 21))
    log.add(
      "CREATE",
      "\"title\":\"Pay the rent\",\"priority\":5,\"storyPoints\":5,\"todos\":[{\(todo(3, due: text(9, 12)))}]",
      task: 2, wall: minute(1, 9))
    head = log.add(
      "CREATE",
      "\"title\":\"Call grandmother\",\"priority\":3,\"storyPoints\":1,"
        + "\"todos\":[{\(todo(4))},{\(todo(5))},{\(todo(6))}]",
      task: 3, wall: minute(2, 10))
    for (number, time) in [(4, text(9, 9, 15)), (5, text(9, 20, 45)), (6, text(10, 9, 5))] {
      head = log.add(
        "COMPLETE_TODO", completed(number, time), [head], task: 3, wall: minute(10, 9, number))
    }
    head = log.add("CREATE", "\"title\":\"Old idea\",\"priority\":1", task: 4, wall: minute(2, 11))
    log.add("ARCHIVE", "", [head], task: 4, wall: minute(2, 12))
    log.add(
      "CREATE",
      "\"title\":\"Read\",\"description\":\"Two chapters\",\"todos\":[{\(todo(7))},{\(todo(8, due: text(10, 18)))}]",
      task: 5, wall: minute(3, 10))
    return log
  }

  static var facts: [CompletionFacts] {
    log.states.sorted { $0.key < $1.key }.map { CompletionFacts($0.value) }
  }
}
