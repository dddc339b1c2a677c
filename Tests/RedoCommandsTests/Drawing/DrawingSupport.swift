// Support for the tests of drawings: histories of several devices, and hostile texts.

import Foundation
import RedoObject
import TestSupport
import Testing

@testable import RedoCommands
@testable import RedoReadCommands
@testable import RedoWriteCommands
@testable import RedoRepository
@testable import RedoShell

enum Drawn {
  /// The instant 2024-05-01T10:00:00.000Z.
  static let now: Int64 = 1_714_557_600_000

  static func id(_ number: Int) -> ObjectID {
    var random = SeededRandom(seed: UInt64(number))
    return ObjectID(words: (random.next(), random.next(), random.next(), random.next()))
  }

  static func task(_ number: Int) -> TaskID {
    var random = SeededRandom(seed: UInt64(number))
    return TaskID.random { random.next() }
  }

  static func change(
    _ number: Int, _ parents: [Int], _ wall: Int64 = now, action: String = "UPDATE",
    task: Int? = 1, device: String = "phone", author: String = "Ada", summary: String = ""
  ) -> DrawnChange {
    DrawnChange(
      id: id(number), parents: parents, parentCount: parents.count,
      wall: WallTime(milliseconds: wall),
      lamport: UInt64(number), action: action, task: task.map(Self.task), device: device,
      author: author, summary: summary)
  }

  /// The changes of a file of nodes, oldest first, as a drawing sees them.
  static func log(_ name: String) throws -> [DrawnChange] {
    struct Author: Decodable { let deviceId: String, userId: String }
    struct Line: Decodable {
      let id: String, parents: [String], action: String, author: Author, taskId: String?
      let timestamp: Timestamp
    }
    struct Timestamp: Decodable { let wall: String, lamport: UInt64 }
    let lines = try VectorFolder.own("log").lines(name).reversed().map {
      try JSONDecoder().decode(Line.self, from: Data($0))
    }
    let places = Dictionary(uniqueKeysWithValues: lines.enumerated().map { ($1.id, $0) })
    return try lines.map { line in
      let wall = Array(line.timestamp.wall.utf8)
      let task = Array((line.taskId ?? "").utf8)
      let time = WallTime.parse(wall.span)?.time
      let id = ObjectID(text: line.id)
      return DrawnChange(
        id: try #require(id), parents: line.parents.compactMap { places[$0] },
        parentCount: line.parents.count,
        wall: try #require(time), lamport: line.timestamp.lamport, action: line.action,
        task: TaskID(task.span), device: line.author.deviceId, author: line.author.userId,
        summary: "")
    }
  }

  /// Texts that must not be interpreted as markup.
  static let hostile = [
    "]]>", "<script>alert(1)</script>", "a\0b", "\u{1B}[31mred", "\u{1B}", "\" onload=\"x", "'",
    "&amp;",
    "&#x0;", "\\N \\G \\l \\", "\\", "\"", "line\nbreak\r\n", "\u{FFFE}\u{FFFF}", "\u{202E}evil",
    "\u{85}",
    "<!--", "-->", "<![CDATA[", "%s", "é 平板 🌱", "\u{7F}", String(repeating: "long ", count: 1000),
    "e" + String(repeating: "\u{301}", count: 5000),
  ]

  /// Changes with each of the hostile texts in every member, each the child of the previous one.
  static let hostileLog = hostile.enumerated().map { number, text in
    change(
      number, number + 1 < hostile.count ? [number + 1] : [], action: number == 3 ? text : "UPDATE",
      device: text, author: text, summary: text)
  }

  /// A history of some devices that diverge and merge.
  static func history(_ random: inout SeededRandom, count: Int, days: Int64 = 200) -> [DrawnChange]
  {
    let devices = ["phone", "laptop", "平板", "web"]
    let actions = Action.allCases.map(\.rawValue) + ["OTHER"]
    return (0..<count).map { place in
      let below = min(count - 1 - place, 6)
      let parentCount = below == 0 || random.once(in: 12) ? 0 : random.once(in: 5) ? 2 : 1
      let parents = (0..<parentCount).map { _ in place + 1 + random.below(below) }
      let wall =
        now + Int64(count - place) * days * 86_400_000 / Int64(count)
        + Int64(random.below(86_400_000))
      return change(
        place, parents, wall, action: actions[random.below(actions.count)],
        task: random.once(in: 9) ? nil : random.below(5), device: devices[random.below(4)])
    }
  }
}
