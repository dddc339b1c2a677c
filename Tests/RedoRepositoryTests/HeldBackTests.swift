// What is held back from exchanges and accepted, and what the report of an exchange says of both sides.

import RedoObject
import RedoRemote
import RedoStore
import TestSupport
import Testing

@testable import RedoRepository

@Suite("What is held back")
struct HeldBackTests {
  private let ids = (1...4).map { ObjectID(words: (0, 0, 0, $0)) }
  private let rule = Rule.signatureMissing.id

  private func remote(_ url: String = "/there") throws -> Remote {
    Remote(
      name: RemoteName("origin"), url: try RemoteURL(url), text: url, config: Config(),
      storePath: nil)
  }

  private func report(_ kind: SyncSession.Kind = .sync, _ url: String = "/there") throws
    -> SyncReport
  {
    SyncReport(try remote(url), kind)
  }

  private func held(
    _ count: Int, below: Int = 0, _ ids: ArraySlice<ObjectID> = [], digest: UInt64 = 1
  ) -> HeldBack {
    HeldBack(rule: rule, count: count, below: below, ids: Array(ids), digest: digest)
  }

  private func capabilities(_ words: String...) throws -> WireCapabilities {
    try #require(WireCapabilities(words))
  }

  @Test("schemas follow nodes where a side has any, and stay where the remote takes none")
  func schemaSteps() throws {
    for kind in [SyncSession.Kind.push, .sync] {
      #expect(try report(kind).schemaStep(here: 2) == .stay(2))
      #expect(try report(kind).schemaStep(here: 0) == .nothing)
    }
    #expect(try report(.fetch).schemaStep(here: 2) == .nothing)
    for (here, there) in [(0, 1), (1, 0), (3, 3)] {
      var report = try report(.fetch)
      report.schemasThere = there
      #expect(report.schemaStep(here: here) == .exchange)
    }
    var none = try report(.push)
    none.schemasThere = 0
    #expect(none.schemaStep(here: 0) == .nothing)
  }

  // MARK: What is accepted

  @Test("a choice is of rules and ids, and is read as it is written")
  func words() throws {
    let choice = try #require(HeldBackChoice([rule, ids[1].text, ids[0].text, rule]))
    #expect(choice.value == "ignore:\(rule),\(ids[0].text),\(ids[1].text)")
    #expect(HeldBackChoice(value: choice.value) == choice)
    #expect(HeldBackChoice(value: "ignore:")?.isEmpty == true)
    for value in ["", rule, "ignore:\(rule), \(rule)", "ignore:no-rule", "ignore:sha256:12"] {
      #expect(HeldBackChoice(value: value) == nil, "\(value)")
    }
    // A word that stands for a rule on the wire is none.
    #expect(HeldBackChoice([RefusedNode.ancestorUnseen]) == nil)
  }

  @Test("what was added is taken out again, and nothing else")
  func adding() throws {
    var choice = try #require(HeldBackChoice([rule]))
    let more = try #require(HeldBackChoice([Rule.lamportJump.id, ids[0].text]))
    choice.add(more)
    #expect(choice.words == [Rule.lamportJump.id, rule, ids[0].text])
    choice.remove(more)
    #expect(choice == HeldBackChoice([rule]) && !choice.isEmpty)
    choice.remove(choice)
    #expect(choice == .none && choice.isEmpty)
  }

  @Test("settings add up; a bad one is an error, and without a name nothing is accepted")
  func settings() throws {
    func config(_ values: String...) -> Config {
      Config(
        entries: values.map {
          Config.Entry(
            key: "remote.origin.heldback", value: $0, origin: .environment, line: 0)
        })
    }
    let name = try #require(RemoteName("origin"))
    let both = config("ignore:\(rule)", "ignore:\(ids[0].text)")
    #expect(try HeldBackChoice(for: name, both).words == [rule, ids[0].text])
    #expect(try HeldBackChoice(for: nil, both).isEmpty)
    #expect(throws: RemoteFault.self) { try HeldBackChoice(for: name, config("ignore:x")) }
  }

  @Test("a rule accepts the nodes that are there, on each side, and no others")
  func byRule() throws {
    let choice = try #require(HeldBackChoice([rule]))
    var seen: [String: String] = [:]
    var first = try report()
    first.heldHere = [held(1, ids[0...0])]
    first.heldThere = [held(2, digest: 2)]
    first.accept(choice, &seen)
    #expect(first.toldHere.isEmpty && first.toldThere.isEmpty && first.isWhole)
    #expect(seen.keys.sorted() == ["here \(rule)", "there \(rule)"])
    let then = seen
    var second = try report()
    second.heldHere = [held(1, ids[0...0])]
    second.heldThere = [held(2, digest: 3)]
    second.accept(choice, &seen)
    #expect(second.toldHere.isEmpty && second.toldThere.count == 1 && !second.isWhole)
    #expect(seen == then)
  }

  @Test("an id accepts the node and what follows it, once all that break the rule are named")
  func byID() throws {
    let choice = try #require(HeldBackChoice([ids[0].text, ids[1].text]))
    func isAccepted(_ held: HeldBack) throws -> Bool {
      var seen: [String: String] = [:]
      var report = try report()
      report.heldHere = [held]
      report.accept(choice, &seen)
      #expect(seen.isEmpty)
      return report.heldHere[0].isAccepted
    }
    #expect(try isAccepted(held(2, below: 5, ids[0...2])))
    #expect(try !isAccepted(held(3, ids[0...2])))
    // Not all of them are named.
    #expect(try !isAccepted(held(3, ids[0...1])))
    // None breaks the rule itself: whose descendants these are is not known.
    #expect(try !isAccepted(held(0, below: 1, ids[2...2])))
    #expect(try !isAccepted(held(0, below: 1)))
  }

  // MARK: What is equal

  @Test("what a later exchange found takes the place of what an earlier one found")
  func later() throws {
    var first = try report()
    (first.both, first.onlyHere, first.waitingThere) = (3, 0, 0)
    first.heldThere = []
    #expect(first.isEqual == true)
    var second = first
    (second.both, second.onlyHere, second.onlyThere) = (3, 1, 2)
    (second.hasMore, second.waitingThere) = (true, 4)
    first.add(second)
    #expect(first.both == 3 && first.onlyHere == 1 && first.onlyThere == 2 && first.hasMore)
    #expect(first.waitingThere == 4 && first.isEqual == false)
  }

  @Test("a project of which only numbers were compared is not known to be equal")
  func listed() throws {
    var report = try report(.sync, "firestore://project")
    _ = report.noteWithheld(try capabilities("withholds-0"), [])
    #expect(report.isEqual == true)
    report.knownSince = 1_760_000_000_000
    #expect(report.isEqual == nil)
    report.onlyThere = 1
    #expect(report.isEqual == false)
    (report.onlyThere, report.knownSince) = (0, nil)
    report.isVerified = false
    #expect(report.isEqual == false)
    report.isVerified = nil
    _ = report.noteWithheld(try capabilities(), [])
    #expect(report.isEqual == nil)
  }
}
