// Lanes beside a log: pictures of the usual shapes, and a proof that the lines lead where they
// should.

import TestSupport
import Testing

@testable import RedoCommands
@testable import RedoReadCommands
@testable import RedoWriteCommands
@testable import RedoRepository
@testable import RedoShell

@Suite("Lanes")
struct LaneTests {
  private func check(
    _ parents: [[Int]], _ unicode: String, _ ascii: String, limit: Int = Lanes.limit,
    restCount: Int = 0
  ) {
    let drawn = [false, true].map {
      LanePicture(parents, isASCII: $0, limit: limit, restCount: restCount).text
    }
    #expect(drawn[0] == unicode)
    #expect(drawn[1] == ascii)
  }

  @Test("nothing happened upon nothing")
  func single() { check([[]], "○ 0", "o 0") }

  @Test("a line, with further lines and an empty one")
  func linear() {
    check(
      [[1], [2], []],
      """
      ● 0
      │
      │
      ● 1
      │
      │
      ○ 2


      """,
      """
      * 0
      |
      |
      * 1
      |
      |
      o 2


      """, restCount: 2)
  }

  @Test("diverged and merged")
  func merged() {
    check(
      [[1], [2, 3], [4], [5], [6], [6], [7], []],
      """
      ● 0
      ◆ 1
      ├─╮
      ● │ 2
      │ ● 3
      ● │ 4
      │ ● 5
      ├─╯
      ● 6
      ○ 7
      """,
      """
      * 0
      M 1
      |\\
      * | 2
      | * 3
      * | 4
      | * 5
      |/
      * 6
      o 7
      """)
  }

  @Test("criss-cross")
  func crossed() {
    check(
      [[1, 2], [4, 3], [3, 4], [5], [5], []],
      """
      ◆ 0
      ├─╮
      ◆ │ 1
      ├─│─╮
      │ ◆ │ 2
      ├─┴─┤
      │   ● 3
      ●   │ 4
      ├───╯
      ○ 5
      """,
      """
      M 0
      |\\
      M | 1
      +-|-.
      | M | 2
      |/ \\|
      |   * 3
      *   | 4
      +---'
      o 5
      """)
  }

  @Test("a merge of four")
  func octopus() {
    check(
      [[4, 3, 2, 1], [5], [5], [5], [5], []],
      """
      ◆ 0
      ├─┬─┬─╮
      │ │ │ ● 1
      │ │ ● │ 2
      │ │ ├─╯
      │ ● │ 3
      │ ├─╯
      ● │ 4
      ├─╯
      ○ 5
      """,
      """
      M 0
      +-.-.-.
      | | | * 1
      | | * | 2
      | | |/
      | * | 3
      | |/
      * | 4
      |/
      o 5
      """)
  }

  @Test("tasks side by side: a column is used again")
  func forest() {
    check(
      [[2], [3], [4], [5], [], [], [7], []],
      """
      ● 0
      │ ● 1
      ● │ 2
      │ ● 3
      ○ │ 4
        ○ 5
      ● 6
      ○ 7
      """,
      """
      * 0
      | * 1
      * | 2
      | * 3
      o | 4
        o 5
      * 6
      o 7
      """)
  }

  @Test("lines that cross others, to both sides")
  func crossing() {
    check(
      [[6], [7], [8], [4], [9, 6, 8], [7], [9], [9], [9], []],
      """
      ● 0
      │ ● 1
      │ │ ● 2
      │ │ │ ● 3
      │ │ │ ◆ 4
      ├─│─┼─┤
      │ │ │ │ ● 5
      │ ├─│─│─╯
      ● │ │ │ 6
      ├─│─│─╯
      │ ● │ 7
      ├─╯ │
      │   ● 8
      ├───╯
      ○ 9
      """,
      """
      * 0
      | * 1
      | | * 2
      | | | * 3
      | | | M 4
      +-|-+-+
      | | | | * 5
      | +-|-|-'
      * | | | 6
      +-|-|-'
      | * | 7
      |/  |
      |   * 8
      +---'
      o 9
      """)
  }

  @Test("beyond the last lane there is an ellipsis")
  func beyond() {
    check(
      [[4, 5, 6, 7], [8], [8], [8], [8], [8], [8], [8], []],
      """
      ◆ 0
      ├─┬─…
      │ │ ● 1
      │ │ ● 2
      │ │ ● 3
      ● │ … 4
      ├─│─…
      │ ● … 5
      ├─╯ …
      │ ╭─…
      │ ● … 6
      ├─╯ …
      │ ╭─╯
      │ ● 7
      ├─╯
      ○ 8
      """,
      """
      M 0
      +-.-~
      | | * 1
      | | * 2
      | | * 3
      * | ~ 4
      +-|-~
      | * ~ 5
      |/  ~
      | .-~
      | * ~ 6
      |/  ~
      | .-'
      | * 7
      |/
      o 8
      """, limit: 2)
  }

  @Test("colours change nothing but colours, and all of them end in their row")
  func colors() {
    let parents = [[1, 2], [4, 3], [3, 4], [5], [5], []]
    var plain = Lanes(isASCII: false)
    var painted = Lanes(isASCII: false, palette: Palette(isOn: true))
    for place in parents.indices {
      let expected = plain.next(place: place, parents: parents[place])
      let drawn = painted.next(place: place, parents: parents[place])
      let rows = drawn.before + [drawn.first, drawn.rest] + drawn.after
      for (row, plain) in zip(
        rows, expected.before + [expected.first, expected.rest] + expected.after)
      {
        let parts = row.split(separator: "\u{1B}[", omittingEmptySubsequences: false)
        let text = parts.dropFirst().map { $0.drop { $0 != "m" }.dropFirst() }
        #expect(parts[0] + text.joined() == plain)
        #expect(parts.count % 2 == 1)
        #expect(stride(from: 2, to: parts.count, by: 2).allSatisfy { parts[$0].hasPrefix("m") })
      }
    }
    var lanes = Lanes(isASCII: false, palette: Palette(isOn: true))
    #expect(lanes.next(place: 0, parents: []).first == "\u{1B}[31m○\u{1B}[m ")
  }

  /// Histories of several tasks, in which each change has up to four parents shortly below it.
  private static func history(_ random: inout SeededRandom) -> [[Int]] {
    let count = 1 + random.below(60)
    let reach = 1 + random.below(20)
    return (0..<count).map { place in
      let near = min(reach, count - 1 - place)
      guard near > 0, !random.once(in: 8) else { return [] }
      let parentCount = random.once(in: 3) ? 1 + random.below(4) : 1
      return (0..<parentCount).map { _ in place + 1 + random.below(near) }
    }
  }

  @Test(
    "who follows the lines finds the parents", arguments: SeededRandom.seeds("Lanes"),
    [false, true])
  func lines(seed: UInt64, isASCII: Bool) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<200 {
      let parents = Self.history(&random)
      let picture = LanePicture(parents, isASCII: isASCII, restCount: random.below(2))
      let (found, faults) = LaneReader(picture).parents()
      #expect(found == parents.map(Set.init), "seed \(seed)\n\(picture.text)")
      #expect(faults == [], "seed \(seed)\n\(picture.text)")
    }
  }

  @Test("a merge of 64 has all its lines")
  func largest() {
    let parents = [Array(1...64)] + (1...64).map { _ in [65] } + [[]]
    for isASCII in [false, true] {
      let (found, faults) = LaneReader(LanePicture(parents, isASCII: isASCII)).parents()
      #expect(found == parents.map(Set.init))
      #expect(faults == [])
    }
  }

  @Test("rows are never wider than the lanes that are drawn", arguments: [1, 2, 5])
  func width(limit: Int) {
    var random = SeededRandom(seed: UInt64(limit))
    for round in 0..<300 {
      let parents = Self.history(&random)
      var lanes = Lanes(isASCII: round % 2 == 0, limit: limit)
      for place in parents.indices {
        let drawn = lanes.next(place: place, parents: parents[place])
        #expect(drawn.first.count == drawn.rest.count)
        #expect(drawn.first.last == " ")
        #expect(drawn.first.count <= 2 * limit + 2)
        for row in drawn.before + drawn.after {
          #expect(row.count <= 2 * limit + 1)
          #expect(row.last != " " && row.last != nil)
        }
      }
      // Everything awaited has come: the next change is at the left edge again.
      let last = lanes.next(place: parents.count, parents: [])
      #expect(last.before + [last.first] + last.after == [round % 2 == 0 ? "o " : "○ "])
    }
  }

  @Test("many tasks, each open over the whole log, take neither width nor time")
  func manyTasks() {
    let (taskCount, rounds) = (2000, 3)
    var lanes = Lanes(isASCII: false)
    var widest = 0
    for place in 0..<taskCount * rounds {
      let parent = place + taskCount
      let drawn = lanes.next(place: place, parents: parent < taskCount * rounds ? [parent] : [])
      widest = max(widest, drawn.first.count)
    }
    #expect(widest == 2 * Lanes.limit + 2)
  }

  @Test(
    "Unicode by the locale",
    arguments: [
      ([:], false), (["LANG": "C"], false), (["LANG": "de_DE.ISO-8859-1"], false),
      (["LANG": "C.UTF-8"], true), (["LANG": "de_DE.utf8@euro"], true), (["LANG": "UTF-8"], false),
      (["LC_ALL": "", "LANG": "C.UTF-8"], true), (["LC_ALL": "C", "LANG": "C.UTF-8"], false),
      (["LC_ALL": "C.UTF-8", "LC_CTYPE": "C", "LANG": "C"], true),
      (["LC_CTYPE": "en_US.UTF-8", "LANG": "C"], true),
    ] as [([String: String], Bool)])
  func locale(environment: [String: String], isUTF8: Bool) {
    #expect(LocaleEncoding.isUTF8 { environment[$0] } == isUTF8)
  }
}
