// What the library does when something is wrong: logs that must not be taken, work that is cancelled, and damaged
// stores. Only the public API of RedoRepository is used here, as in Tests/Library, which shows what it does when all
// is well.

import Foundation
import RedoRepository
import TestSupport
import Testing

/// Misuse of the library, and failures around it.
@Suite struct LibraryTests {
  private let scratch = TemporaryDirectory()

  // MARK: Logs

  @Test func aSignatureThatDoesNotHoldIsRefused() throws {
    var log = try Log.first(100)
    log[41] = Log.changing(log[41], "signature") {
      $0.hasPrefix("0") ? "1" + $0.dropFirst() : "0" + $0.dropFirst()
    }
    try expectRefused(log, at: 41, "signature-bad")
  }

  @Test func aChangedWordIsRefused() throws {
    var log = try Log.first(100)
    log[17] = Log.changing(log[17], "wall") { _ in "2020-02-02T02:02:02.000Z" }
    try expectRefused(log, at: 17, "hash-mismatch")
  }

  /// Checks that nothing of a log is taken when one of its nodes is refused, and that an event names that node.
  private func expectRefused(_ log: [String], at place: Int, _ rule: String) throws {
    let events = EventList()
    let store = try makeStore("refused", events)
    let before = scratch.contents(of: store.path)
    let summary = try store.importLog(bytes: Log.bytes(log), name: "log")
    #expect(!summary.isTaken)
    #expect(summary.new == 0 && summary.refused == 1)
    let refusal = try #require(summary.refusals.first)
    #expect(refusal.node == Log.id(log[place]))
    #expect(refusal.source == "log" && refusal.rule == rule)
    #expect(refusal.offset == log[..<place].reduce(0) { $0 + $1.utf8.count + 1 })
    #expect(events.refusals == [refusal])
    #expect(scratch.contents(of: store.path) == before)
    #expect(try store.nodes().isEmpty)
  }

  @Test func aNodeWithoutItsParentIsRefused() throws {
    var log = try Log.first(200)
    let child = try #require(log.firstIndex { !$0.contains(#""parents":[]"#) })
    let parent = try #require(Log.parents(log[child]).first)
    log = Array(log[...child].filter { Log.id($0) != parent })
    let events = EventList()
    let store = try makeStore("orphan", events)
    let summary = try store.importLog(bytes: Log.bytes(log))
    #expect(!summary.isTaken && summary.refused == 1)
    #expect(summary.refusals.map(\.rule) == ["parent-missing"])
    #expect(events.missing == [Log.id(try #require(log.last))])
    #expect(try store.nodes().isEmpty)
  }

  @Test(arguments: ["", "{", "[1,2]", "\u{7F}ELF", "not a log\n"])
  func whatIsNoLogIsNotTaken(_ text: String) throws {
    let store = try makeStore("none")
    let before = scratch.contents(of: store.path)
    var new = 0
    let code = code { new = try store.importLog(bytes: Array(text.utf8)).new }
    #expect(new == 0)
    #expect(code == nil || code == .malformed || code == .invalid)
    #expect(scratch.contents(of: store.path) == before)
  }

  // MARK: Cancellation

  @Test func anImportThatIsCancelledLeavesNothing() throws {
    let flag = Flag()
    let effects = Effects.system(
      isCancelled: { flag.isSet },
      onEvent: { event in
        // Cancelled in the middle: some nodes have been staged, and more are to come.
        if case .progress(let progress) = event, progress.done > 0 { flag.set() }
      })
    let store = try Repository.create(at: scratch.path("cancelled"), effects: effects)
    let before = scratch.contents(of: store.path)
    #expect(code { try store.importLog(bytes: Log.bytes(Log.first(1_500))) } == .cancelled)
    #expect(flag.isSet)
    #expect(scratch.contents(of: store.path) == before)

    let again = try Repository.open(at: store.path, effects: .system())
    #expect(try again.importLog(bytes: Log.bytes(Log.first(1_500))).new == 1_500)
    #expect(try again.verify().isGood)
  }

  // MARK: Stores

  @Test func whatIsNotThereIsMissing() throws {
    let store = try makeStore("empty")
    let line = try #require(Log.first(1).first)
    let id = try #require(Log.id(line))
    #expect(code { try store.read(id) } == .missing)
    #expect(code { try Repository.open(at: scratch.path("nowhere")) } == .missing)
    #expect(code { try store.sync(with: "nowhere") } == .missing)
    #expect(code { try store.state(asOf: .date("last week")) } == .malformed)
  }

  @Test func aDamagedNodeIsFound() throws {
    let store = try makeStore("damaged")
    try store.importLog(bytes: Log.bytes(Log.first(20)))
    #expect(try store.verify().isGood)
    let victim = try #require(try store.nodes().last)
    let hex = String(victim.description.dropFirst("sha256:".count))
    let path = "\(store.path)/objects/\(hex.prefix(2))/\(hex.dropFirst(2))"
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes[bytes.count / 2] ^= 0x10
    try bytes.write(to: URL(filePath: path))
    #expect(code { try store.read(victim) } == .corrupt)
    let report = try store.verify()
    #expect(!report.isGood && report.bad == 1 && report.good == 19)
    #expect(report.findings.contains { $0.node == victim && $0.severity == .error })

    try FileManager.default.removeItem(atPath: path)
    #expect(
      try store.verify().findings.contains { $0.node == victim && $0.rule == "object-missing" })
  }

  @Test func whatNobodySignedDoesNotTravel() throws {
    var log = try Log.first(30)
    log[29] = Log.removing(log[29], "signature")
    let events = EventList()
    let store = try makeStore("unsigned")
    #expect(try store.importLog(bytes: Log.bytes(log)).new == 30)
    #expect(try store.verify().unsigned == 1)
    let other = try makeStore("signed", events)
    let summary = try store.sync(with: other.path, .push)
    #expect(summary.pushed.count == 29 && !summary.isWhole)
    #expect(summary.refusals.map(\.node) == [Log.id(log[29])])
    #expect(summary.refusals.map(\.rule) == ["signature-missing"])
    #expect(try other.nodes().count == 29)
  }

  private func makeStore(_ name: String, _ events: EventList = EventList()) throws -> Repository {
    try Repository.create(
      at: scratch.path(name), effects: .system(onEvent: { events.append($0) }))
  }

  /// The code of the error that ends some work; `nil` if there is no error.
  private func code<Value>(_ work: () throws -> Value) -> RedoError.Code? {
    do {
      _ = try work()
      return nil
    } catch {
      return (error as? RedoError)?.code
    }
  }
}
