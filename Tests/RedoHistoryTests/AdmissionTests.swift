// What an admission says about parents and clocks.

import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("Admission")
struct AdmissionTests {
  /// The problems of nodes as `number rule@pointer`, with a store that knows some.
  static func problems(
    _ profile: Profile, _ nodes: [Node], known: [Node] = []
  ) -> [String] {
    let model = Model(known)
    var admission = Admission(profile: profile)
    for (number, node) in nodes.enumerated() { admission.add(node, record: number) }
    return admission.resolve { model.lookUp($0) }
      .filter { profile.severity(of: $0.finding.rule) == .error }
      .map { problem in
        guard case .pointer(let pointer) = problem.finding.place else { return "no pointer" }
        return "\(problem.record ?? -1) \(problem.finding.rule.id)@\(pointer)"
      }
  }

  @Test("each missing parent is named by its place; its clock is not judged")
  func missing() {
    var maker = NodeMaker()
    let (here, gone) = (maker.node(task: 1), maker.node(task: 1, lamport: 3_000_000))
    let child = maker.node(task: 1, parents: [here.id, gone.id].sorted(), lamport: 1)
    let place = [here.id, gone.id].sorted()[0] == gone.id ? 0 : 1
    #expect(Self.problems(.sync, [here, child]) == ["1 parent-missing@/parents/\(place)"])
    #expect(Self.problems(.v1, [child], known: [here]) == ["0 parent-missing@/parents/\(place)"])
    #expect(Self.problems(.v1, [child], known: [here, gone]) == [])
  }

  @Test("a clock breaks one rule at a time")
  func clocks() {
    var maker = NodeMaker()
    let root = maker.node(task: 1, lamport: 1)
    func child(_ lamport: UInt64) -> Node {
      maker.node(task: 1, parents: [root.id], lamport: lamport)
    }
    let rule = { (profile: Profile, lamport: UInt64) in
      Self.problems(profile, [child(lamport)], known: [root])
    }
    #expect(rule(.v1, 1) == [] && rule(.v1, 5_000_000) == [])
    #expect(rule(.sync, 1) == ["0 lamport-not-increasing@/timestamp/lamport"])
    #expect(rule(.sync, 2) == [] && rule(.sync, 1_000_001) == [])
    #expect(rule(.sync, 1_000_002) == ["0 lamport-jump@/timestamp/lamport"])
    #expect(rule(.genesis, 1) == ["0 lamport-not-increasing@/timestamp/lamport"])
    #expect(rule(.genesis, 3) == ["0 genesis-lamport@/timestamp/lamport"])
    #expect(rule(.genesis, 1_000_002) == ["0 lamport-jump@/timestamp/lamport"])
  }

  @Test("under genesis a CREATE stands alone at 1, and a task has one")
  func creates() {
    var maker = NodeMaker()
    let first = maker.node(task: 1, lamport: 1, action: "CREATE")
    let second = maker.node(task: 1, lamport: 1, milliseconds: 1, action: "CREATE")
    let late = maker.node(task: 2, lamport: 2, action: "CREATE")
    let child = maker.node(task: 3, parents: [first.id], lamport: 2, action: "CREATE")
    #expect(Self.problems(.genesis, [first]) == [])
    #expect(Self.problems(.genesis, [late]) == ["0 genesis-create@/timestamp/lamport"])
    #expect(Self.problems(.genesis, [first, child]) == ["1 genesis-create@/parents"])
    #expect(Self.problems(.sync, [first, second, late, child]) == [])
    // The first in total order counts, whichever comes first.
    #expect(Self.problems(.genesis, [first, second]) == ["1 genesis-create-duplicate@/action"])
    #expect(Self.problems(.genesis, [second, first]) == ["0 genesis-create-duplicate@/action"])
  }

  @Test("a node is taken once")
  func once() {
    var maker = NodeMaker()
    let node = maker.node(task: 1)
    var admission = Admission(profile: .v1)
    let added = [admission.add(node, record: 0), admission.add(node, record: 1)]
    #expect(added == [true, false])
    #expect(admission.count == 1 && admission.contains(node.id))
  }

  @Test("what is left out takes its descendants along, even where the store still has it")
  func leavingOut() {
    var maker = NodeMaker()
    let bad = maker.node(task: 1, lamport: 2_000_000)
    let child = maker.node(task: 1, parents: [bad.id], lamport: 2_000_001)
    let grandchild = maker.node(task: 2, parents: [child.id], lamport: 2_000_002)
    let good = maker.node(task: 3)
    var admission = Admission(profile: .sync)
    for (number, node) in [grandchild, child, good].enumerated() {
      admission.add(node, record: number)
    }
    // The bad node lies in the store, outside of the history.
    let lookUp = { (id: ObjectID) in id == bad.id ? KnownNode(bad, isInHistory: false) : nil }
    let problems = admission.resolve(lookUp)
    #expect(problems.map(\.finding.rule) == [.lamportJump])
    #expect(problems.map(\.id) == [bad.id] && problems[0].record == nil)

    let orphans = admission.descendants(of: [bad.id])
    #expect(orphans.map(\.id) == [child.id, grandchild.id])
    #expect(orphans.map(\.finding.detail) == [bad.id.text, child.id.text])
    #expect(orphans.allSatisfy { $0.finding.rule == .parentRefused })

    // Taken out alone it does not come back by way of the store: its child is refused for it.
    var rest = admission.excluding([bad.id])
    #expect(rest.resolve(lookUp).map(\.finding.rule) == [.parentRefused])
    #expect(rest.count == 3)
    rest = admission.excluding([bad.id, child.id, grandchild.id])
    #expect(rest.resolve(lookUp).isEmpty)
    #expect(rest.ids == [good.id])
  }

  @Test("what was found in the store is told from what was added")
  func recorded() {
    var maker = NodeMaker()
    let stored = maker.node(task: 1)
    let child = maker.node(task: 1, parents: [stored.id], lamport: 2)
    let other = maker.node(task: 2)
    var admission = Admission(profile: .sync)
    for (number, node) in [child, other].enumerated() { admission.add(node, record: number) }
    let lookUp = { (id: ObjectID) in
      id == stored.id ? KnownNode(stored, isInHistory: false) : nil
    }
    #expect(admission.resolve(lookUp).isEmpty)
    #expect(admission.ids == [child.id, other.id, stored.id])
    #expect(admission.recordedCount(among: admission.ids) == 2)
    #expect(admission.recordedCount(among: [stored.id, other.id]) == 1)
    #expect(admission.recordedCount(among: [stored.id]) == 0)
    #expect(admission.recordedCount(among: []) == 0)
  }

  @Test("a set keeps its CREATEs when others are left out")
  func createsStay() {
    var maker = NodeMaker()
    let other = maker.node(task: 2)
    let late = maker.node(task: 1, lamport: 2, action: "CREATE")
    var admission = Admission(profile: .genesis)
    for (number, node) in [other, late].enumerated() { admission.add(node, record: number) }
    var rest = admission.excluding([other.id])
    #expect(rest.resolve { _ in nil }.map(\.finding.rule) == [.genesisCreate])
  }
}
