// The history as SVG: well-formed whatever the texts are, each change drawn once, lines between the
// right dots, days in their cells.

import Foundation
import RedoObject
import TestSupport
import Testing

@testable import RedoCommands
@testable import RedoReadCommands
@testable import RedoWriteCommands
@testable import RedoRepository
@testable import RedoShell

@Suite("SVG")
struct SVGTests {
  private func draw(_ changes: [DrawnChange]) throws -> SVGReader {
    var bytes: [UInt8] = []
    HistorySVG(changes).append(to: &bytes)
    var again: [UInt8] = []
    HistorySVG(changes).append(to: &again)
    #expect(bytes == again)
    return try SVGReader(Data(bytes))
  }

  /// The dots: elements whose tooltip ends with an id.
  private func dots(_ drawing: SVGReader) -> [String: SVGReader.Element] {
    var dots: [String: SVGReader.Element] = [:]
    for element in drawing.elements {
      guard let title = element.title, let id = title.split(separator: "\n").last,
        id.hasPrefix("sha256:")
      else { continue }
      #expect(dots.updateValue(element, forKey: String(id)) == nil)
    }
    return dots
  }

  /// The middle of a dot, in its written form.
  private func middle(_ dot: SVGReader.Element) throws -> String {
    switch dot.name {
    case "circle": return "\(number(try dot.number("cx"))) \(number(try dot.number("cy")))"
    case "rect":
      let half = try dot.number("width") / 2
      return "\(number(try dot.number("x") + half)) \(number(try dot.number("y") + half))"
    default:
      // A diamond begins at its top.
      let path = dot.attributes["d"] ?? ""
      let numbers = path.dropFirst().split { " l-".contains($0) }.map { Double($0) ?? 0 }
      return "\(number(numbers[0])) \(number(numbers[1] + numbers[2]))"
    }
  }

  private func number(_ value: Double) -> String {
    SVGText.tenths(Int((value * 10).rounded()))
  }

  @Test("no changes")
  func nothing() throws {
    let drawing = try draw([])
    #expect(drawing.all("text").map(\.text) == ["History", "no changes"])
  }

  @Test("hostile texts stay texts, and are shown")
  func hostile() throws {
    let drawing = try draw(Drawn.hostileLog)
    let names: Set = ["svg", "title", "style", "rect", "path", "circle", "text", "g"]
    #expect(Set(drawing.elements.map(\.name)).isSubset(of: names))
    let attributes: Set = [
      "xmlns", "version", "width", "height", "viewBox", "type", "class", "x", "y", "rx", "cx",
      "cy", "r", "d",
    ]
    #expect(drawing.elements.allSatisfy { attributes.isSuperset(of: $0.attributes.keys) })
    let dots = dots(drawing)
    #expect(dots.count == Drawn.hostile.count)
    for change in Drawn.hostileLog {
      let title = try #require(dots[change.id.text]?.title)
      let shown = DrawnText.line(change.summary, width: 100)
      #expect(title.contains("Z\n\(shown)\n"), "\(change.summary.prefix(20))")
      #expect(title.split(separator: "\n").count == 5)
    }
    #expect(drawing.all("text").contains { $0.text == "<script>alert(1)</script>" })
    #expect(drawing.all("text").contains { $0.text == "\\x1b[31mred" })
  }

  @Test("each change is a dot, and lines join those of children and parents")
  func lines() throws {
    for seed in SeededRandom.seeds("SVG") {
      var random = SeededRandom(seed: seed)
      let count = random.once(in: 2) ? 40 : DeviceLanes.normalLimit + 100
      let changes = Drawn.history(&random, count: count)
      let drawing = try draw(changes)
      let middles = try dots(drawing).mapValues(middle)
      #expect(middles.count == count)
      var expected: [String] = []
      for change in changes {
        for parent in Set(change.parents) {
          let ends = [change.id, changes[parent].id].map { middles[$0.text] ?? "" }
          expected.append(ends.joined(separator: " to "))
        }
      }
      let path = drawing.all("path").first { $0.attributes["class"]?.hasPrefix("e") == true }
      // White space in attributes is read as blanks.
      let edges = try #require(path?.attributes["d"]).split(separator: "M").map { edge in
        let numbers = edge.split { " LC\n".contains($0) }
        #expect(numbers.count == (edge.contains("C") ? 8 : 4))
        return (numbers.prefix(2) + ["to"] + numbers.suffix(2)).joined(separator: " ")
      }
      #expect(edges.sorted() == expected.sorted(), "seed \(seed)")
    }
  }

  @Test("no dot covers another, however many there are in one minute")
  func bursts() throws {
    for seed in SeededRandom.seeds("SVG bursts") {
      var random = SeededRandom(seed: seed)
      let count = random.once(in: 2) ? 300 : 2900
      // Three bursts, and a few changes over a year.
      let changes = (0..<count).map { place in
        let day = Int64(random.once(in: 20) ? random.below(365) : [10, 200, 364][random.below(3)])
        let wall = Drawn.now + day * 86_400_000 + Int64(random.below(60_000))
        return Drawn.change(place, [], wall, device: random.once(in: 5) ? "tablet" : "phone")
      }
      let middles = try dots(draw(changes)).values.map { dot in
        try middle(dot).split(separator: " ").map { Double($0) ?? 0 }
      }
      #expect(middles.count == count)
      let least = count > DeviceLanes.normalLimit ? 5.8 : 8.5
      let rows = Dictionary(grouping: middles) { $0[1] }
      for row in rows.values {
        let columns = row.map { $0[0] }.sorted()
        #expect(
          zip(columns, columns.dropFirst()).allSatisfy { $1 - $0 > least - 0.06 }, "seed \(seed)")
        #expect(columns.allSatisfy { $0 >= 216 && $0 <= 1168 }, "seed \(seed)")
      }
      let heights = rows.keys.sorted()
      #expect(zip(heights, heights.dropFirst()).allSatisfy { $1 - $0 >= least }, "seed \(seed)")
    }
  }

  @Test("a change that stands alone stands at its time; a burst stays around its own")
  func spread() {
    let room = LanePlaces.Room(distance: 10, columns: 0...1000, rowCount: 1)
    func columns(_ wanted: [Int]) -> [Int] {
      LanePlaces(wanted.map { LanePlaces.Item(x: $0, parents: []) }, room).columns
    }
    #expect(columns([0, 500, 1000]) == [0, 500, 1000])
    #expect(columns([500, 500, 500, 700]) == [490, 500, 510, 700])
    #expect(columns([0, 0, 0]) == [0, 10, 20])
    #expect(columns([1000, 1000, 1000]) == [980, 990, 1000])
    // What the row does not hold goes to a second one.
    let many = LanePlaces(
      [Int](repeating: 300, count: 150).map { LanePlaces.Item(x: $0, parents: []) }, room)
    #expect(many.rowCount == 2)
    #expect(Set(many.columns.indices.map { [many.columns[$0], many.rows[$0]] }).count == 150)
  }

  @Test("a line leads over no dot of its device: a branch has a line of its own")
  func branches() throws {
    // 0 is the newest: 3 is the root, 2 and 1 one line, and 0 follows the root, too.
    let hour = Int64(3_600_000)
    let changes = [
      Drawn.change(0, [3], Drawn.now + 3 * hour), Drawn.change(1, [2], Drawn.now + 2 * hour),
      Drawn.change(2, [3], Drawn.now + hour), Drawn.change(3, [], Drawn.now),
    ]
    let middles = try dots(draw(changes)).mapValues(middle)
    let heights = (0...3).map { middles[Drawn.id($0).text]?.split(separator: " ").last }
    #expect(heights[3] == heights[2] && heights[2] == heights[1])
    #expect(heights[0] != heights[1])
  }

  @Test("a deletion is a square, a merge a diamond, a beginning a ring")
  func shapes() throws {
    let dots = dots(
      try draw([
        Drawn.change(0, [1, 2], action: "MERGE"), Drawn.change(1, [2], action: "DELETE"),
        Drawn.change(2, [3]), Drawn.change(3, [], action: "CREATE"),
      ]))
    let classes = (0...3).map { dots[Drawn.id($0).text]?.attributes["class"] ?? "" }
    #expect(classes == ["a6 d", "a7 d", "a2 d", "o0 o"])
    #expect((0...3).map { dots[Drawn.id($0).text]?.name } == ["path", "rect", "circle", "circle"])
    #expect(
      dots[Drawn.id(3).text]?.title == """
        CREATE 2024-05-01T10:00:00.000Z
        Ada on phone, lamport 3
        task \(Drawn.task(1).text)
        \(Drawn.id(3).text)
        """)
  }

  @Test("with too many changes, bars tell how many there are")
  func dense() throws {
    var random = SeededRandom(seed: 5)
    let count = DeviceLanes.changeLimit + 1
    let changes = Drawn.history(&random, count: count)
    let drawing = try draw(changes)
    #expect(dots(drawing).isEmpty)
    #expect(!drawing.all("path").contains { $0.attributes["class"]?.hasPrefix("e") == true })
    #expect(drawing.all("text").contains { $0.text.hasSuffix("edges are left out") })
    #expect(drawing.all("text").contains { $0.text.hasPrefix("3,001 changes on 4 devices, ") })
    #expect(
      dots(
        try draw(
          Array(changes.dropFirst()).map {
            Drawn.change(
              Int($0.lamport), [], $0.wall.milliseconds)
          })
      ).count == count - 1)
  }

  @Test("bars are as high as their counts, in proportion over all lanes")
  func bars() throws {
    let drawing = try draw(
      (0..<3600).map { Drawn.change($0, [], device: $0 < 2400 ? "later" : "earlier") })
    let bars = drawing.all("path").filter { $0.attributes["class"] == "a2" }
    #expect(
      bars.compactMap { $0.attributes["d"] } == ["M692 148h2V125h-2z", "M692 200h2V154h-2z"])
  }

  @Test("lanes of the devices with most changes, and one for all others")
  func devices() throws {
    let count = DeviceLanes.laneLimit + 5
    let changes = (0..<count * 2).map { place in
      Drawn.change(place, [], device: "device \(min(place, count - 1))")
    }
    let names = try draw(changes).all("g").compactMap(\.title)
    #expect(names.count == DeviceLanes.laneLimit)
    #expect(names.first == "device \(count - 1)")
    #expect(names.last == "6 other devices")
  }

  @Test("each day of the years with changes has its cell")
  func calendar() throws {
    let day = Int64(86_400_000)
    let walls = [
      Drawn.now, Drawn.now, Drawn.now + day, Drawn.now + 800 * day, -62_135_596_800_000,
      WallTime.latest.milliseconds,
    ]
    let drawing = try draw(
      walls.enumerated().map { Drawn.change($0, [], $1) })
    let cells = drawing.all("rect").filter { $0.title != nil }
    #expect(cells.count == 366 + 3 * 365)
    func cell(_ title: String) -> [String: String]? {
      cells.first { $0.title == title }?.attributes
    }
    #expect(cell("2024-05-01: 2 changes")?["class"] == "c2")
    #expect(cell("2024-05-02: 1 change")?["class"] == "c1")
    #expect(cell("2024-05-03: 0 changes")?["class"] == "c0")
    #expect(cell("2026-07-10: 1 change") != nil)
    #expect(cell("0001-01-01: 1 change") != nil)
    #expect(cell("9999-12-31: 1 change") != nil)
    // 2024-04-29 was a Monday, 2024-05-05 a Sunday.
    let monday = try #require(cell("2024-04-29: 0 changes"))
    let sunday = try #require(cell("2024-05-05: 0 changes"))
    #expect(monday["x"] == sunday["x"])
    #expect(Int(monday["y"] ?? "").map { $0 + 6 * 17 } == Int(sunday["y"] ?? ""))
    #expect(cell("2024-05-06: 0 changes")?["y"] == monday["y"])
    // No two cells are in the same place.
    #expect(Set(cells.map { [$0.attributes["x"], $0.attributes["y"]] }).count == cells.count)
  }

  @Test("only the latest years are drawn, and that is said")
  func years() throws {
    let drawing = try draw(
      (0..<40).map { Drawn.change($0, [], Drawn.now - Int64($0) * 366 * 86_400_000) })
    let cells = drawing.all("rect").compactMap(\.title)
    #expect(Set(cells.map { $0.prefix(4) }).count == ActivityCalendar.yearLimit)
    #expect(cells.contains { $0.hasPrefix("2024-05-01: 1") })
    #expect(
      drawing.all("text").contains {
        $0.text == "the latest 30 years with changes; 10 more are left out"
      })
  }

  @Test("a vector of the repository", arguments: ["merged", "diverged", "octopus", "linear"])
  func vector(name: String) throws {
    let changes = try Drawn.log("\(name).ndjson")
    #expect(dots(try draw(changes)).count == changes.count)
  }
}
