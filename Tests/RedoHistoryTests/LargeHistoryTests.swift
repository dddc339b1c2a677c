// Depth and width: nothing recurses over the DAG, and one task's work is proportional to its own nodes.

import RedoHistory
import RedoObject
import Testing

@Suite("Large histories")
struct LargeHistoryTests {
  private static let depth = 100_000

  @Test("a chain of 100,000 changes of one task")
  func chain() {
    let found = Replayed(ColumnLog.chain(Self.depth))
    #expect(found.text.contains(#""priority":2"#) && found.skips.isEmpty)
  }

  @Test("a chain of 100,000 that a DELETE ends, and one that begins with a broken node")
  func deletedChain() {
    var log = ColumnLog.chain(Self.depth)
    log.rows[Self.depth - 1].action = .delete
    var found = Replayed(log)
    #expect(found.state.isEmpty && found.skips.count == Self.depth - 1)
    log.rows[1].isBroken = true
    found = Replayed(log)
    #expect(found.text.contains(#""priority":3"#) && found.skips.count == Self.depth - 1)
  }

  @Test("a chain of 100,000 through two tasks in turn, one of them deleted")
  func twoTasks() {
    var log = ColumnLog.chain(Self.depth)
    log.taskCount = 2
    for position in stride(from: 1, to: Self.depth, by: 2) { log.rows[position].task = 1 }
    log.rows[1].action = .create
    log.rows[1].data = #"{"fields":{"title":"b"}}"#
    log.rows[50_000].action = .delete
    let found = Replayed(log)
    #expect(found.state.count { $0 == UInt8(ascii: "\n") } == 1)
    #expect(found.skips.count == 25_000 + 24_999)
  }

  @Test("a merge of 64 branches of 1,500 changes each, decided by every strategy")
  func wideMerge() {
    for strategy in ["ours", "union", "max", "min"] {
      var log = ColumnLog(rows: [], taskCount: 1)
      log.rows.append(ColumnLog.Row(action: .create, data: #"{"fields":{"title":"a"}}"#))
      var tips: [Int32] = []
      for branch in 0..<64 {
        var last: Int32 = 0
        for _ in 0..<1500 {
          let data: StaticString =
            branch == 7
            ? #"{"fields":{"priority":5,"tags":["x"]}}"#
            : #"{"fields":{"priority":1,"tags":["y"]}}"#
          log.rows.append(ColumnLog.Row(parents: [last], data: data))
          last = Int32(log.rows.count - 1)
        }
        tips.append(last)
      }
      let data: StaticString =
        switch strategy {
        case "ours": #"{"payload":{"policy":{"defaultStrategy":"ours"}}}"#
        case "union": #"{"payload":{"policy":{"defaultStrategy":"union"}}}"#
        case "max": #"{"payload":{"policy":{"defaultStrategy":"max"}}}"#
        default: #"{"payload":{"policy":{"defaultStrategy":"min"}}}"#
        }
      log.rows.append(ColumnLog.Row(action: .merge, parents: tips, data: data))
      let text = Replayed(log).text
      #expect(text.contains(#""priority":\#(strategy == "max" ? 5 : 1),"#), "\(strategy)")
      #expect(text.contains(strategy == "union" ? #"["x","y"]"# : #"["y"]"#), "\(strategy)")
    }
  }

  @Test("1,000 merges one behind the other, each decided by its ancestors")
  func nestedMerges() {
    var log = ColumnLog.chain(1)
    for _ in 0..<1000 {
      let last = Int32(log.rows.count - 1)
      log.rows.append(ColumnLog.Row(parents: [last]))
      log.rows.append(ColumnLog.Row(parents: [last], data: #"{"fields":{"priority":4}}"#))
      log.rows.append(
        ColumnLog.Row(
          action: .merge, parents: [last + 1, last + 2],
          data: #"{"payload":{"policy":{"defaultStrategy":"ours"}}}"#))
    }
    #expect(Replayed(log).text.contains(#""priority":2"#))
  }

  @Test("points in time of a chain of 100,000")
  func points() {
    let log = ColumnLog.chain(Self.depth)
    let half = WallTime(milliseconds: 49_999_500)
    for point in [
      PointInTime.instant(half, .closed), .instant(half, .wall), .lamport(50_000), .node(49_999),
    ] {
      #expect(Cut(of: log, members: point.members(of: log)).count == 50_000)
    }
    #expect(Cut(of: log, members: PointInTime.instant(half, .received).members(of: log)).count == 0)
  }
}
