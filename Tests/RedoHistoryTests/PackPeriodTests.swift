// A set of nodes by months or years: every pack is closed together with those before it.

import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("Packs of months and years")
struct PackPeriodTests {
  private static let day = 24 * 60
  private static let month = 31 * day

  private func time(_ text: String) -> Int64 {
    WallTime.parse(Array(text.utf8).span)?.time.milliseconds ?? 0
  }

  private func split(
    _ log: NodeHistory, _ isMember: [Bool]? = nil, by length: HistoryPeriod.Length = .month
  ) -> PackPeriods {
    PackPeriods(
      of: isMember ?? [Bool](repeating: true, count: log.count), in: log, by: length
    ) { log.wall(at: $0).milliseconds }
  }

  /// The ids of each period, under its text.
  private func ids(_ periods: PackPeriods, _ log: NodeHistory) -> [String: [ObjectID]] {
    var ids: [String: [ObjectID]] = [:]
    for (index, period) in periods.periods.enumerated() {
      ids[period.text] = periods.positions(of: index, in: log).map { log.id(at: $0) }
    }
    return ids
  }

  @Test(
    "months and years of UTC",
    arguments: [
      ("2024-02-29T23:59:59.999Z", "2024-02", "2024"),
      ("2024-03-01T00:00:00.000Z", "2024-03", "2024"),
      ("1970-01-01T00:00:00.000Z", "1970-01", "1970"),
      ("1969-12-31T23:59:59.999Z", "1969-12", "1969"),
      ("0001-01-01T00:00:00.000Z", "0001-01", "0001"),
      ("9999-12-31T23:59:59.999Z", "9999-12", "9999"),
      ("1900-02-28T23:59:59.999Z", "1900-02", "1900"),
      ("1900-03-01T00:00:00.000Z", "1900-03", "1900"),
    ])
  func texts(_ text: String, _ month: String, _ year: String) {
    #expect(HistoryPeriod(of: time(text), .month).text == month)
    #expect(HistoryPeriod(of: time(text), .year).text == year)
  }

  @Test("what is no time of the protocol counts as the nearest one that is")
  func outside() {
    #expect(HistoryPeriod(of: .min, .month).text == "0001-01")
    #expect(HistoryPeriod(of: .max, .month).text == "9999-12")
    #expect(HistoryPeriod(of: .max, .year).text == "9999")
  }

  @Test("a node is packed with the latest of its own time and those of its ancestors")
  func raised() {
    // The log begins on 1 March 2025.
    var maker = LogMaker()
    let first = maker.add("CREATE", #""title":"a""#)
    let ahead = maker.add("UPDATE", #""title":"b""#, [first], wall: 2 * Self.month)
    let child = maker.add("UPDATE", #""title":"c""#, [ahead], wall: Self.day)
    let other = maker.add("UPDATE", #""title":"d""#, [first], wall: Self.month)
    let merge = maker.add("MERGE", "", [child, other].sorted(), wall: Self.month)
    let log = maker.log
    let periods = split(log)
    #expect(
      ids(periods, log).mapValues(Set.init) == [
        "2025-03": [first], "2025-04": [other], "2025-05": [ahead, child, merge],
      ])
    #expect(periods.periods == periods.periods.sorted())
    #expect(periods.raisedCount == 2)
    #expect(periods.undated == nil)
    #expect((0..<3).map { periods.count(of: $0) } == [1, 1, 3])
    #expect(periods.heads(of: 2, in: log).map { log.id(at: $0) } == [merge])
    let year = split(log, by: .year)
    #expect(year.periods.map(\.text) == ["2025"])
    #expect(year.raisedCount == 0)
  }

  @Test("ancestors count also where they are not of the set")
  func partOfAHistory() {
    var maker = LogMaker()
    let first = maker.add("CREATE", #""title":"a""#, wall: Self.month)
    let child = maker.add("UPDATE", #""title":"b""#, [first], wall: 0)
    let log = maker.log
    let periods = split(log, (0..<2).map { log.id(at: $0) == child })
    #expect(ids(periods, log) == ["2025-04": [child]])
    #expect(periods.raisedCount == 1)
    #expect(split(log, [false, false]).periods.isEmpty)
  }

  @Test("a node of which no time is known is named")
  func undated() {
    var maker = LogMaker()
    let first = maker.add("CREATE", #""title":"a""#)
    maker.add("UPDATE", #""title":"b""#, [first])
    let log = maker.log
    let periods = PackPeriods(of: [true, true], in: log, by: .month) { $0 == 1 ? nil : 0 }
    #expect(periods.undated == 1)
    #expect(ids(periods, log)["1970-01"]?.count == 2)
    let other = PackPeriods(of: [true, false], in: log, by: .month) { $0 == 1 ? nil : 0 }
    #expect(other.undated == nil)
  }

  @Test(
    "each part has the order and the heads that its cut has, and is closed with those before it",
    arguments: SeededRandom.seeds("pack periods"))
  func anyLog(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var maker = LogMaker()
    var made: [ObjectID] = []
    for index in 0..<200 {
      let parents = Set(
        (0..<random.below(3)).compactMap { _ in made.randomElement(using: &random) })
      made.append(
        maker.add(
          "UPDATE", #""title":"\#(index)""#, parents.sorted(), task: random.below(6),
          lamport: UInt64(1 + random.below(20)), wall: random.below(5) * Self.month))
    }
    let log = maker.log
    let periods = split(log)
    let parents = Dictionary(uniqueKeysWithValues: maker.nodes.map { ($0.id, $0.parents) })
    var before: Set<ObjectID> = []
    for index in periods.periods.indices {
      let found = periods.positions(of: index, in: log)
      #expect(found.count == periods.count(of: index))
      var isMember = [Bool](repeating: false, count: log.count)
      for position in found { isMember[position] = true }
      let expected = PackOrder.positions(of: Cut(of: log, members: isMember), in: log)
      #expect(found == expected, "seed \(seed), part \(index)")
      let ids = found.map { log.id(at: $0) }
      let named = Set(ids.flatMap { parents[$0] ?? [] })
      #expect(
        Set(periods.heads(of: index, in: log).map { log.id(at: $0) })
          == Set(ids).subtracting(named))
      for id in ids {
        #expect(before.isSuperset(of: parents[id] ?? []), "seed \(seed), part \(index)")
        before.insert(id)
      }
    }
    #expect(before == Set(made))
  }
}
