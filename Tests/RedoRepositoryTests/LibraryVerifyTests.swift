// What the library finds in a store, and how it counts nodes: it finds what `redo verify` finds. Only the public API of
// RedoRepository is used here.

import Foundation
import RedoRepository
import TestSupport
import Testing

@Suite("The verification of the library")
struct LibraryVerifyTests {
  private let scratch = TemporaryDirectory()

  // MARK: Numbers

  @Test("counts the verdicts that are expected", arguments: [false, true])
  func verdicts(isPacked: Bool) throws {
    let expected = try VectorFolder.own("log").table()
    for name in ["linear", "unsigned", "mixed-forms", "without-key", "digest"] {
      let letters = expected.filter { $0[0] == "\(name).ndjson" && $0[1] == "letter" }
        .compactMap { $0[3].first }
      let store = try makeStore(name, isPacked: isPacked)
      let log = try VectorFolder.own("log").bytes("\(name).ndjson")
      try #require(try store.importLog(bytes: log).isTaken)
      try #require(isPacked == !packs(of: store).isEmpty)
      let report = try store.verify()
      #expect(report.isGood, "\(name): \(report.findings)")
      #expect(report.nodes == letters.count, "\(name)")
      #expect(report.good == letters.count { $0 == "G" }, "\(name)")
      #expect(report.unsigned == letters.count { $0 == "N" }, "\(name)")
      #expect(report.unknownKey == letters.count { $0 == "E" }, "\(name)")
      #expect(report.bad == 0 && report.untrusted == 0, "\(name)")
      // Each of those that are not good is worth knowing, and nothing else is.
      #expect(report.findings.count == letters.count { $0 != "G" }, "\(name): \(report.findings)")
    }
  }

  @Test("counts a node once, by a copy that can be read")
  func copies() throws {
    let (store, ids) = try makeBoth()
    #expect(try counts(store) == [20, 20, 0])
    #expect(try store.verify().findings.isEmpty)

    // A damaged loose copy is found, and the node is as good as its other copy.
    try flip(loosePath(ids[3], store))
    var report = try store.verify()
    #expect(report.findings.map(\.node) == [ids[3]])
    #expect(report.findings.map(\.rule) == ["object-corrupt"])
    #expect(!report.isGood)
    #expect(try counts(store) == [20, 20, 0])

    // The other way round.
    let pack = try #require(packs(of: store).first)
    try flip(pack)
    report = try store.verify()
    #expect(report.findings.contains { $0.rule == "pack-corrupt" })
    #expect(try counts(store) == [20, 19, 1])

    // Two packs and no loose copy.
    let (other, _) = try makeBoth("twice")
    for id in ids { try FileManager.default.removeItem(atPath: loosePath(id, other)) }
    let again = try makeStore("again", isPacked: true)
    try again.importLog(bytes: Log.bytes(Log.first(19)))
    try copyPacks(from: again, to: other)
    #expect(packs(of: other).count == 2)
    #expect(try counts(other) == [20, 20, 0])
    try flip(try #require(packs(of: other).first))
    #expect(try !other.verify().isGood)
    #expect(try other.verify().good >= 19)
  }

  // MARK: Findings

  @Test("finds a flipped bit in a pack")
  func pack() throws {
    let store = try makeStore("packed", isPacked: true)
    try store.importLog(bytes: Log.bytes(Log.first(20)))
    #expect(try counts(store) == [20, 20, 0])
    let pack = try #require(packs(of: store).first)
    try flip(pack)
    let report = try store.verify()
    #expect(!report.isGood)
    #expect(report.findings.contains { $0.rule == "pack-corrupt" && pack.hasSuffix($0.path) })
    // All of them were in one frame.
    #expect(try counts(store) == [20, 0, 20])
  }

  @Test("finds a missing parent")
  func missing() throws {
    let log = try Log.first(200)
    let store = try makeStore("orphan")
    try store.importLog(bytes: Log.bytes(log))
    let child = try #require(log.first { !Log.parents($0).isEmpty })
    let parent = try #require(Log.parents(child).first)
    try FileManager.default.removeItem(atPath: loosePath(parent, store))
    let report = try store.verify()
    let rules = report.findings.filter { $0.node == parent }.map(\.rule)
    #expect(rules.contains("parent-missing") && rules.contains("object-missing"))
    #expect(report.nodes == 199 && report.good == 199 && !report.isGood)
  }

  @Test("finds a forged index, and a snapshot that is none")
  func derived() throws {
    let store = try makeStore("index")
    try store.importLog(bytes: Log.bytes(Log.first(50)))
    #expect(try store.nodes().count == 50)
    let index = store.path + "/cache/graph"
    try #require(FileManager.default.fileExists(atPath: index))
    #expect(try store.verify().findings.isEmpty)
    try flip(index)
    var report = try store.verify()
    #expect(report.findings.map(\.rule) == ["index-corrupt"])
    #expect(report.findings.first?.path == "cache/graph")

    try FileManager.default.removeItem(atPath: index)
    let shelf = store.path + "/cache/snapshots"
    try FileManager.default.createDirectory(atPath: shelf, withIntermediateDirectories: true)
    let name = String(repeating: "5", count: 64)
    try Data("no snapshot".utf8).write(to: URL(filePath: "\(shelf)/\(name)"))
    report = try store.verify()
    #expect(
      report.findings.contains {
        $0.rule == "snapshot-corrupt" && $0.path == "cache/snapshots/\(name)"
      })
    #expect(try counts(store) == [50, 50, 0])
  }

  @Test("finds settings that are damaged since the store was opened")
  func settings() throws {
    let store = try makeStore("settings")
    try store.importLog(bytes: Log.bytes(Log.first(5)))
    let config = store.path + "/config"
    let text = try String(contentsOfFile: config, encoding: .utf8)
    try Data((text + "[broken\n").utf8).write(to: URL(filePath: config))
    let report = try store.verify()
    #expect(report.findings.contains { $0.path == "config" && $0.severity == .error })
    #expect(report.good == 5)
  }

  @Test("says which authors a trust file does not know, or has revoked")
  func trust() throws {
    let log = try Log.first(20)
    let store = try makeStore("trust")
    try store.importLog(bytes: Log.bytes(log))
    let known = log.filter { $0.contains(#""publicKey":"\#(Self.key)""#) }.count
    try #require(known > 0 && known < 20)
    let trust = store.path + "/trust"
    try Data("\(Self.key)\n".utf8).write(to: URL(filePath: trust))
    var report = try store.verify()
    #expect(report.nodes == 20 && report.good == known && report.untrusted == 20 - known)
    #expect(report.findings.filter { $0.rule == "key-untrusted" }.count == 20 - known)

    // What a revocation leaves good is known only after other nodes were looked at.
    let first = try #require(log.first.flatMap { Log.id($0) })
    try Data("\(Self.key) revoked,valid-through=\(first)\n".utf8).write(to: URL(filePath: trust))
    report = try store.verify()
    #expect(report.nodes == 20 && report.good == 1 && report.untrusted == 19)
    #expect(report.findings.filter { $0.rule == "key-revoked" }.count == known - 1)

    // A trust file that cannot be used is a finding, too.
    try Data("nonsense\n".utf8).write(to: URL(filePath: trust))
    report = try store.verify()
    #expect(!report.isGood && report.good == 20)
    #expect(report.findings.map(\.rule) == ["trust-form"])
  }

  // MARK: Surroundings

  @Test("tells how far it is, and ends when it is cancelled")
  func cancelled() throws {
    let flag = Flag()
    let steps = EventList()
    let made = try makeStore("cancelled", isPacked: true)
    try made.importLog(bytes: Log.bytes(Log.first(100)))
    let effects = Effects.system(
      isCancelled: { flag.isSet },
      onEvent: { event in
        steps.append(event)
        if case .progress(let progress) = event, progress.done > 32 { flag.set() }
      })
    let store = try Repository.open(at: made.path, effects: effects)
    var code: RedoError.Code?
    do throws(RedoError) { _ = try store.verify() } catch { code = error.code }
    #expect(code == .cancelled)
    #expect(steps.progress.allSatisfy { $0.work == .verifying && $0.done < 128 })
    let all = EventList()
    let again = try Repository.open(
      at: made.path, effects: .system(onEvent: { all.append($0) }))
    #expect(try again.verify().isGood)
    #expect(all.progress.last?.done == 257 && all.progress.last?.total == 257)
  }

  // MARK: Stores

  /// The key of the first author of the log.
  private static let key = "0c2ba740931ba4dc1d93b026c60a5609141bcff8d85e24d711dc99d4bf61402c"

  private func makeStore(_ name: String, isPacked: Bool = false) throws -> Repository {
    try Repository.create(
      at: scratch.path(name),
      effects: .system(settings: isPacked ? ["core.bulkLimit": "1"] : [:]))
  }

  /// A store with each of 20 nodes loose and packed, and their IDs.
  private func makeBoth(_ name: String = "both") throws -> (Repository, [NodeID]) {
    let log = Log.bytes(try Log.first(20))
    let packed = try makeStore("\(name)-packed", isPacked: true)
    try packed.importLog(bytes: log)
    let store = try makeStore(name)
    try store.importLog(bytes: log)
    try copyPacks(from: packed, to: store)
    return (store, try Log.first(20).compactMap { Log.id($0) })
  }

  private func packs(of store: Repository) -> [String] {
    let folder = store.path + "/objects/pack"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".pack") }.sorted().map { "\(folder)/\($0)" }
  }

  private func copyPacks(from store: Repository, to other: Repository) throws {
    let (source, target) = (store.path + "/objects/pack", other.path + "/objects/pack")
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    for name in try FileManager.default.contentsOfDirectory(atPath: source) {
      try FileManager.default.copyItem(atPath: "\(source)/\(name)", toPath: "\(target)/\(name)")
    }
  }

  private func loosePath(_ id: NodeID, _ store: Repository) -> String {
    let hex = id.description.dropFirst("sha256:".count)
    return "\(store.path)/objects/\(hex.prefix(2))/\(hex.dropFirst(2))"
  }

  /// Flips a bit in the middle of a file.
  private func flip(_ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes[bytes.count / 2] ^= 0x10
    try bytes.write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
  }

  /// How many nodes were checked, are good, and are bad.
  private func counts(_ store: Repository) throws -> [Int] {
    let report = try store.verify()
    return [report.nodes, report.good, report.bad]
  }
}
