// Best common ancestors, against their definitions written out.

import RedoHistory
import TestSupport
import Testing

@Suite("Merge bases")
struct MergeBaseTests {
  /// A graph and the ancestors of each of its nodes, the node itself among them.
  private struct Model {
    var log = ColumnLog(rows: [], taskCount: 1)
    var ancestors: [Set<Int>] = []

    init(_ parents: [[Int]]) {
      for (position, parents) in parents.enumerated() {
        log.rows.append(ColumnLog.Row(parents: parents.map(Int32.init)))
        ancestors.append(
          parents.reduce(into: [position]) { if $1 >= 0 { $0.formUnion(ancestors[$1]) } })
      }
    }

    /// The last of a set come first; those that are ancestors of others are left out.
    func best(_ common: Set<Int>) -> [Int] {
      common.filter { node in !common.contains { $0 != node && ancestors[$0].contains(node) } }
        .sorted(by: >)
    }

    func reached(_ tips: [Int]) -> Set<Int> {
      tips.reduce(into: []) { $0.formUnion(ancestors[$1]) }
    }
  }

  @Test("random graphs: every question, of one to five nodes")
  func random() {
    for seed in SeededRandom.seeds("merge bases") {
      var random = SeededRandom(seed: seed)
      for _ in 0..<200 {
        let count = 1 + random.below(30)
        let isWide = random.once(in: 2)
        let model = Model(
          (0..<count).map { position in
            guard position > 0, !random.once(in: 6) else { return random.once(in: 9) ? [-1] : [] }
            let parents = (0...random.below(3)).map { _ in
              isWide ? random.below(position) : max(0, position - 1 - random.below(4))
            }
            return Array(Set(parents)).shuffled(using: &random)
          })
        for _ in 0..<12 {
          let tips = (0...random.below(5)).map { _ in random.below(count) }
          let note: Comment = "seed \(seed), \(model.log.rows.map(\.parents)), \(tips)"
          let rest = Array(tips.dropFirst())
          #expect(
            MergeBase.best([tips[0]], rest, in: model.log)
              == model.best(model.ancestors[tips[0]].intersection(model.reached(rest))), note)
          let half = Array(tips.prefix(tips.count / 2)), other = Array(tips.dropFirst(half.count))
          #expect(
            MergeBase.best(half, other, in: model.log)
              == model.best(model.reached(half).intersection(model.reached(other))), note)
          let all = rest.reduce(model.ancestors[tips[0]]) { $0.intersection(model.ancestors[$1]) }
          #expect(MergeBase.octopus(tips, in: model.log) == model.best(all), note)
          let independent = MergeBase.independent(tips, in: model.log)
          #expect(independent.sorted(by: >) == model.best(Set(tips)), note)
          #expect(
            independent
              == independent.sorted { tips.firstIndex(of: $0)! < tips.firstIndex(of: $1)! })
          #expect(
            MergeBase.isAncestor(tips[0], of: tips[tips.count - 1], in: model.log)
              == model.ancestors[tips[tips.count - 1]].contains(tips[0]), note)
        }
      }
    }
  }

  @Test("nothing has nothing in common")
  func empty() {
    let log = ColumnLog.chain(3)
    #expect(MergeBase.best([], [], in: log).isEmpty)
    #expect(MergeBase.best([2], [], in: log).isEmpty)
    #expect(MergeBase.octopus([], in: log).isEmpty)
    #expect(MergeBase.independent([], in: log).isEmpty)
  }

  @Test("two branches that merge each other: both are best, the newer one first")
  func crossed() {
    let model = Model([[], [0], [0], [1, 2], [1, 2]])
    #expect(MergeBase.best([3], [4], in: model.log) == [2, 1])
    #expect(MergeBase.octopus([3, 4], in: model.log) == [2, 1])
  }

  @Test("a chain of 100,000, and as many roots below one merge")
  func large() {
    let chain = ColumnLog.chain(100_000)
    #expect(MergeBase.best([99_999], [50_000], in: chain) == [50_000])
    #expect(MergeBase.isAncestor(0, of: 99_999, in: chain))
    #expect(MergeBase.independent([0, 99_999, 1], in: chain) == [99_999])
    var wide = ColumnLog(rows: [], taskCount: 1)
    for _ in 0..<100_000 { wide.rows.append(ColumnLog.Row()) }
    for _ in 0..<2 { wide.rows.append(ColumnLog.Row(parents: Array(0..<100_000))) }
    #expect(MergeBase.best([100_000], [100_001], in: wide).count == 100_000)
  }

  @Test("the walk ends where everything that is left is covered")
  func end() {
    // A log that notes how far down it was asked.
    let log = ReadLog(log: ColumnLog.chain(1000))
    #expect(MergeBase.best([999], [990], in: log) == [990])
    #expect(log.lowest.value == 990)
    #expect(MergeBase.isAncestor(995, of: 999, in: log))
    #expect(!MergeBase.isAncestor(999, of: 995, in: log))
    #expect(log.lowest.value == 990)
  }
}
