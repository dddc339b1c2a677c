// Making archives: what goes into them, what is refused, and what is removed from the store.

import Foundation
import RedoCrypto
import RedoHistory
import RedoObject
import RedoStore
import Testing

@testable import RedoRepository

/// What was reported while archives were made.
private struct Told {
  var chosen: [Int] = []
  var paths: [String] = []
  var removed = 0

  mutating func note(_ step: ArchiveMaking.Step) {
    switch step {
    case .chosen(let set): chosen.append(set.count)
    case .made(let row): paths.append(row.path)
    case .raised, .builds, .away, .nothingNew: break
    }
  }
}

extension VectorStore {
  /// Makes archives.
  @discardableResult
  fileprivate func make(
    _ choice: ArchiveMaking.Request.Choice, _ path: String,
    _ change: (inout ArchiveMaking.Request) -> Void = { _ in }
  ) throws -> (made: ArchiveMaking.Made?, told: Told) {
    var request = ArchiveMaking.Request(choice)
    request.path = path
    change(&request)
    var told = Told()
    let log = EventLog()
    let made = try ArchiveMaking.run(
      request, try open(), effects.telling(log), write: { _ in }, tell: { told.note($0) })
    told.removed = log.events.count { if case .archive(.removed) = $0 { true } else { false } }
    return (made, told)
  }

  /// The fault that keeps archives from being made.
  fileprivate func refused(
    _ choice: ArchiveMaking.Request.Choice, _ path: String,
    _ change: (inout ArchiveMaking.Request) -> Void = { _ in }
  ) -> ArchiveMakingFault? {
    fault(ArchiveMakingFault.self) { try make(choice, path, change) }
  }
}

@Suite("Archives that are made")
struct ArchiveMakingTests {
  @Test("have all nodes, or those from before an instant with their ancestors, or what ranges name")
  func choices() throws {
    let store = try VectorStore("linear")
    let all = try store.make(.all, "all.redo")
    #expect(all.made?.ids.count == 18)
    #expect(all.told.paths == ["all.redo"])
    let limit = store.nodes[8].wall.milliseconds
    #expect(try store.make(.before(limit), "old.redo").made?.ids.count == 8)
    let range = "\(store.nodes[0].id.text)..\(store.nodes[2].id.text)"
    let some = try store.make(.revisions([range]), "some.redo")
    #expect(some.made.map { Set($0.ids) } == [store.nodes[1].id, store.nodes[2].id])
    #expect(some.made?.directory.prerequisites == [store.nodes[0].id])
  }

  @Test("are written nowhere in a dry run, and into a stream where that is asked for")
  func places() throws {
    let store = try VectorStore("linear")
    let dry = try store.make(.all, "dry.redo") { $0.isDryRun = true }
    #expect(dry.made == nil)
    #expect(dry.told.paths == ["dry.redo"])
    #expect(!store.has("dry.redo"))
    var request = ArchiveMaking.Request(.all)
    request.path = "-"
    var bytes: [UInt8] = []
    let made = try ArchiveMaking.run(
      request, try store.open(), store.effects, write: { bytes += $0 }, tell: { _ in })
    #expect(made == nil)
    try store.make(.all, "all.redo")
    let file = try Data(contentsOf: URL(filePath: store.path + "/all.redo"))
    #expect(Array(file) == bytes)
  }

  @Test("are one for each month, named after it")
  func split() throws {
    let store = try VectorStore("linear")
    let (made, told) = try store.make(.all, "log.redo") { $0.split = .month }
    #expect(made == nil)
    #expect(told.paths == ["log-2025-03.redo"])
    #expect(store.has("log-2025-03.redo"))
  }

  @Test("do not take the place of another file, unless that is asked for")
  func taken() throws {
    let store = try VectorStore("linear")
    try store.make(.all, "a.redo")
    let refusal = fault(FileFault.self) { try store.make(.all, "a.redo") }
    guard case .taken("a.redo") = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    try store.make(.all, "a.redo") { $0.isForced = true }
    let other = fault(FileFault.self) { try store.make(.all, ".redo") { $0.isForced = true } }
    guard case .irregular(".redo") = other else {
      Issue.record("\(String(describing: other))")
      return
    }
  }

  @Test("need nodes")
  func empty() throws {
    let store = try VectorStore()
    guard case .empty = store.refused(.all, "a.redo") else {
      Issue.record()
      return
    }
    try store.add(try VectorStore.nodes(of: "linear"))
    guard case .noneBefore(.node, 5) = store.refused(.before(5), "a.redo") else {
      Issue.record()
      return
    }
    #expect(!store.has("a.redo"))
  }

  @Test("take their nodes out of the store, which reads them still")
  func removed() throws {
    let store = try VectorStore("linear")
    let (made, told) = try store.make(.all, "a.redo") { $0.removes = true }
    #expect(made == nil)
    #expect(told.removed == 1)
    let opened = try store.open()
    #expect(try opened.objects.listHere(withAlternates: false).isEmpty)
    for node in store.nodes { #expect(try opened.objects.contains(node.id)) }
    let again = store.refused(.all, "b.redo") { $0.removes = true }
    guard case .allArchived(.node, 18) = again else {
      Issue.record()
      return
    }
    let over = store.refused(.all, "a.redo") { $0.isForced = true }
    guard case .registered("a.redo") = over else {
      Issue.record()
      return
    }
  }

  @Test("are not encrypted where somebody must read what they have")
  func sealed() throws {
    let store = try VectorStore("linear")
    let user = VectorStore.identity().userID.text
    let text = Hex.text(try #require(store.nodes[0].publicKey).bytes.span)
    let removal = store.refused(.all, "a.redo") {
      $0.recipients = [text]
      $0.removes = true
    }
    guard case .sealedRemoval = removal else {
      Issue.record()
      return
    }
    let remote = store.refused(.all, "a.redo") {
      $0.recipients = [text]
      $0.isOfRemote = true
    }
    guard case .sealedRemote = remote else {
      Issue.record()
      return
    }
    try store.make(.all, "a.redo") { $0.recipients = [text] }
    #expect(store.has("a.redo"))
    func refusal(of recipient: String) -> SealingFault? {
      fault(SealingFault.self) { try store.make(.all, "b.redo") { $0.recipients = [recipient] } }
    }
    guard case .keyless(user: .text(user)) = refusal(of: user) else {
      Issue.record()
      return
    }
    guard case .unknown(.text("zz")) = refusal(of: "zz") else {
      Issue.record()
      return
    }
    let zero = String(repeating: "0", count: 64)
    guard case .weak(.text(zero)) = refusal(of: zero) else {
      Issue.record()
      return
    }
  }

  @Test("have manifests beside them that say what is in them")
  func manifests() throws {
    let store = try VectorStore("linear")
    let (made, _) = try store.make(.all, "a.redo") { $0.manifestKey = PassphraseSource() }
    let directory = try #require(made?.directory)
    let heads = try ArchiveSet(try store.open(), usesCache: false).heads
    #expect(heads == [5, 11, 17].map { store.nodes[$0].id }.sorted())
    func findings() throws -> [ManifestFinding] {
      try ManifestCheck.findings(
        "a.redo", directory, isSealed: false, heads: heads, ids: store.nodes.map(\.id),
        store.effects)
    }
    #expect(store.has("a.redo.manifest"))
    #expect(try findings().isEmpty)
    let text = try String(contentsOfFile: store.path + "/a.redo.manifest", encoding: .utf8)
    try store.write(text + "x", to: "a.redo.manifest")
    #expect(try findings().map(\.defect) == [.manifestDiffers])
    #expect(try findings().map(\.pointer) == [""])
    // It states the ids as a checkpoint does; manifests of earlier releases did not.
    let ids = try #require(text.firstRange(of: ",\"ids\":\""))
    let end = text.index(ids.upperBound, offsetBy: 65)
    try store.write(String(text[..<ids.lowerBound] + text[end...]), to: "a.redo.manifest")
    #expect(try findings().isEmpty)
    let zeros = String(repeating: "0", count: 64)
    try store.write(
      String(text[..<ids.upperBound] + zeros + text[text.index(before: end)...]),
      to: "a.redo.manifest")
    #expect(try findings().map(\.pointer) == ["/ids"])
    // An archive without a manifest of its own is not placed beside the manifest of another archive.
    guard case .foreignManifest = store.refused(.all, "a.redo", { $0.isForced = true }) else {
      Issue.record()
      return
    }
    try FileManager.default.moveItem(
      atPath: store.path + "/a.redo.manifest", toPath: store.path + "/a.redo.manifest.sig")
    try store.write("no", to: "a.redo.manifest")
    #expect(try findings().map(\.defect) == [.manifestDiffers, .rule(.signatureForm)])
  }
}

@Suite("The names of archives by periods")
struct ArchiveSplitTests {
  @Test("have the period before what a name ends in")
  func names() {
    let period = HistoryPeriod(of: 1_740_816_000_000, .month)
    #expect(ArchiveSplit.path(period, "a/log.redo") == "a/log-2025-03.redo")
    #expect(ArchiveSplit.path(period, "a.b/log") == "a.b/log-2025-03")
    #expect(ArchiveSplit.path(period, ".log") == ".log-2025-03")
    #expect(ArchiveSplit.path(period, nil) == "2025-03")
  }
}
