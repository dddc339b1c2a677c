// Receipts between two stores: what is compared and in which order it goes, what stays, and what both have afterwards.

import Foundation
import RedoHistory
import RedoObject
import RedoRemote
import RedoStore
import TestSupport
import Testing

@testable import RedoRepository

@Suite("Exchanges of receipts")
struct ReceiptExchangeTests {
  private static let json = Array(
    #"{"product_name":"a","product_type":"b","rating":3,"effects":[]}"#.utf8)
  private static let place = Array(
    #"{"location_type":"precise","latitude":52.5,"longitude":13.4}"#.utf8)

  private static func opened(_ store: SmallStore) throws -> Repository {
    try store.effects.openRepository()
  }

  /// Makes a receipt, or an edit of one.
  @discardableResult
  private static func make(
    _ store: SmallStore, time: Int64? = nil, editing id: ObjectID? = nil, isPrecise: Bool = false
  ) throws -> Receipt {
    var options = ReceiptWriter.Options()
    options.time = time
    options.includesPrecise = isPrecise
    var writer = try ReceiptWriter(try opened(store), options, store.effects)
    let made: Receipt?
    if let id {
      made = try writer.edit(id, json, from: "test", type: nil, store.effects)
    } else {
      made = try writer.create(
        isPrecise ? place : json, from: "test",
        type: isPrecise ? "app.buds.location/v1" : ReceiptWriter.created, store.effects)
    }
    return try #require(made)
  }

  private static func source(_ store: SmallStore) throws -> GroupSource {
    try GroupSource(of: .receipt, try opened(store), includesShared: false, store.effects)
  }

  /// What a store has, by what is in its refs.
  private static func all(_ store: SmallStore) throws -> Set<ObjectID> {
    let opened = try opened(store)
    let walk = try GroupWalk(
      of: .receipt, from: try opened.heads(of: .receipt).ids, opened.objects, includesPrecise: true)
    return Set(walk.ids)
  }

  private static func exchange(
    _ kind: SyncSession.Kind, _ store: SmallStore, with other: SmallStore
  ) throws -> SyncSession {
    let opened = try opened(store)
    var options = SyncSession.Options()
    options.objects = .receipt
    options.repeats = false
    let remote = try Remote.named(other.path, opened.store, store.effects)
    var session = SyncSession(opened, remote, kind, options)
    try session.run(store.effects)
    return session
  }

  @Test(
    "what is compared ascends by place; what is sent has cards first, then parents before what follows them"
  )
  func order() throws {
    let store = try SmallStore()
    // An author may claim that an edit was before what it follows.
    let first = try Self.make(store, time: 9_000)
    let second = try Self.make(store, time: 5_000, editing: first.id)
    try Self.make(store, time: 1_000, editing: second.id)
    try Self.make(store, time: 3_000)
    let source = try Self.source(store)
    #expect(source.count == 5 && source.historyCount == 5 && source.held.isEmpty)
    for position in 1..<source.count {
      #expect(source.place(at: position - 1) < source.place(at: position))
    }
    for position in 0..<source.count {
      #expect(source.position(of: source.id(at: position)) == position)
    }
    let order = source.inOrder((0..<source.count).reversed()).map { source.id(at: $0) }
    let history = try ReceiptHistory(try Self.opened(store), store.effects)
    #expect(history.row(of: order[0])?.type == "\(Receipt.cardType)")
    for (index, id) in order.enumerated() {
      guard let parent = history.row(of: id)?.parent else { continue }
      #expect(order[..<index].contains(parent))
    }
    var snapshot = try Self.opened(store).snapshot()
    var heads: [Ref] = []
    try snapshot.forEach(prefix: "receipts/") { ref throws(RefsError) in
      heads.append(ref)
      return true
    }
    #expect(source.heads { _ in true } == heads.sorted())
    let known = Set([first.id])
    #expect(
      source.heads { known.contains(source.id(at: $0)) }
        == [Ref(name: .heads(of: .chain(first.id)), id: first.id)])
  }

  @Test("what tells a precise place is not compared, and is named by its rule")
  func precise() throws {
    let store = try SmallStore()
    let open = try Self.make(store)
    let place = try Self.make(store, isPrecise: true)
    let source = try Self.source(store)
    #expect(source.position(of: open.id) != nil && source.position(of: place.id) == nil)
    #expect(source.contains(place.id) && !source.contains(ObjectID(words: (0, 0, 0, 1))))
    #expect(source.held.map(\.id) == [place.id])
    #expect(source.held.map(\.rule) == [Rule.receiptPrecise.id])
    #expect(source.count == 2 && source.historyCount == 3)
  }

  @Test(
    "what is private counts as that, whatever else is wrong with it, and so does what follows it")
  func privateFirst() throws {
    let store = try SmallStore()
    let place = try Self.make(store, isPrecise: true)
    let draft = ReceiptDraft(
      did: place.did, deviceID: "other", type: ReceiptWriter.edited,
      payload: try ReceiptPayload(json: Self.json, type: ReceiptWriter.edited),
      follows: (parent: place.id, root: place.id))
    var decoder = ReceiptDecoder()
    // Nobody has signed it.
    let decoded = decoder.decode(draft.preimage, signature: nil)
    let follower = try #require(decoded)
    let opened = try Self.opened(store)
    let options = GroupTransaction.Options(profile: .v1, updatesHeads: true, message: "test")
    let judged = JudgedObject(follower, [])
    #expect(try GroupTransaction.take(judged, options, opened, store.effects) == nil)
    let held = try Self.source(store).held
    #expect(held.map(\.id) == [place.id, follower.id])
    #expect(held.allSatisfy { HeldBack.isPrivate($0.rule) })
  }

  @Test("both stores have the same afterwards, but for what is private")
  func sync() throws {
    let (one, other) = (try SmallStore(), try SmallStore())
    let first = try Self.make(one, time: 9_000)
    try Self.make(one, time: 5_000, editing: first.id)
    let kept = try Self.make(one, isPrecise: true)
    try Self.make(other)
    let session = try Self.exchange(.sync, one, with: other)
    let report = session.report
    #expect(report.isWhole && report.pushed.count == 3 && report.fetched.count == 2)
    #expect(report.privateHere.map(\.total) == [1] && report.untoldHere.kept == 1)
    #expect(report.fetchedGroups.count == 2)
    let all = try Self.all(one)
    #expect(try Self.all(other) == all.subtracting([kept.id]))
    #expect(all.count == 6)
    let again = try Self.exchange(.sync, other, with: one).report
    #expect(again.pushed.isEmpty && again.fetched.isEmpty && again.both == 5)
    // The other side keeps one to itself, so the two are not the same.
    #expect(again.keptThere == 1 && again.heldThere?.isEmpty == true && again.isEqual == false)
  }

  @Test("an exchange is of nodes and schemas where no kind is named, and of no kind that is none")
  func kinds() throws {
    #expect(SyncWord.kind(in: ["unsigned"]) == .node)
    #expect(SyncWord.kind(in: ["kind-receipt"]) == .receipt)
    for word in ["kind-blob", "kind-", "kind-node", "kind-receipts"] {
      #expect(SyncWord.kind(in: [word]) == nil, "\(word)")
    }
    #expect(SyncWord.word(of: .receipt) == "kind-receipt")
    let words = try #require(WireCapabilities(["private-7", "private-x"]))
    #expect(SyncWord.keptCount(words) == 7 && SyncWord.keptCount(.none) == 0)
    let store = try SmallStore()
    var effects = store.effects
    for (value, kinds) in [
      ("node receipt", [ObjectKind.node, .receipt]), ("receipt,node", [.node, .receipt]),
      (" receipt ", [.receipt]), ("node", [.node]), ("schema node", [.node, .schema]),
    ] {
      effects.surroundings.settings = [("safe.store", "*"), ("serve.kinds", value)]
      #expect(try effects.openRepository().kinds("serve.kinds") == kinds, "\(value)")
    }
    #expect(try store.opened.kinds("serve.kinds") == [.node, .schema])
    for value in ["", "blob", "node receipts", "NODE"] {
      effects.surroundings.settings = [("safe.store", "*"), ("serve.kinds", value)]
      let opened = try effects.openRepository()
      #expect(throws: RemoteFault.self, "\(value)") { try opened.kinds("serve.kinds") }
    }
  }

  @Test("who sees a part of a store gets no receipts, whatever the settings say")
  func sights() {
    var options = ServeSession.Options()
    #expect(options.offers(.node) && !options.offers(.receipt))
    options.kinds = [.node, .receipt]
    #expect(options.offers(.receipt))
    options.sight = .listed(account: "ada")
    #expect(options.offers(.node) && !options.offers(.receipt))
    options.sight = .replica
    #expect(options.offers(.receipt))
  }

  @Test(
    "a receipt that cannot be read is named with what follows it, and keeps no other from being compared"
  )
  func damaged() throws {
    let store = try SmallStore()
    let first = try Self.make(store, time: 1_000)
    let second = try Self.make(store, editing: first.id)
    let third = try Self.make(store, editing: second.id)
    let other = try Self.make(store, time: 2_000)
    let digits = second.id.text.dropFirst(7)
    let file = "\(store.path)/.redo/objects/\(digits.prefix(2))/\(digits.dropFirst(2))"
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    try Data("broken".utf8).write(to: URL(filePath: file))
    let source = try Self.source(store)
    let held = Dictionary(uniqueKeysWithValues: source.held.map { ($0.id, $0) })
    #expect(Set(held.keys) == [second.id, third.id])
    #expect(held[second.id]?.rule == Rule.objectCorrupt.id && held[second.id]?.ancestor == nil)
    #expect(held[third.id]?.rule == Rule.objectCorrupt.id)
    #expect(held[third.id]?.ancestor == second.id)
    // What the damaged one follows is only in the received log.
    #expect(source.position(of: first.id) != nil && source.position(of: other.id) != nil)
  }
}
