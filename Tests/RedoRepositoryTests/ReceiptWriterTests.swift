// Receipts of this device: signed as others check them, in the place of what is shown, and never without effect.

import RedoCrypto
import RedoHistory
import RedoObject
import RedoStore
import TestSupport
import Testing

@testable import RedoRepository

@Suite("Making receipts")
struct ReceiptWriterTests {
  private static let json = Array(
    #"{"product_name":"a","product_type":"b","rating":3,"effects":[]}"#.utf8)

  /// The store as it is now: its format is raised by the first receipt.
  private static func opened(_ store: SmallStore) throws -> Repository {
    try store.effects.openRepository()
  }

  private static func writer(
    _ store: SmallStore, time: Int64? = nil
  ) throws -> ReceiptWriter {
    var options = ReceiptWriter.Options()
    options.time = time
    return try ReceiptWriter(try opened(store), options, store.effects)
  }

  private static func create(_ store: SmallStore, time: Int64? = nil) throws -> Receipt {
    var writer = try writer(store, time: time)
    let receipt = try writer.create(
      json, from: "test", type: ReceiptWriter.created, store.effects)
    return try #require(receipt)
  }

  private static func edit(_ store: SmallStore, _ id: ObjectID) throws -> Receipt {
    var writer = try writer(store)
    let receipt = try writer.edit(id, json, from: "test", type: nil, store.effects)
    return try #require(receipt)
  }

  private static func history(_ store: SmallStore) throws -> ReceiptHistory {
    try ReceiptHistory(try opened(store), store.effects)
  }

  @Test("the first one brings the card, once; all are good")
  func cards() throws {
    let store = try SmallStore()
    let first = try Self.create(store, time: 1)
    let second = try Self.create(store, time: 2)
    let history = try Self.history(store)
    #expect(history.rows.count == 3)
    #expect(history.rows.allSatisfy { $0.letter == "G" })
    #expect(history.rows.count { $0.type == "\(Receipt.cardType)" } == 1)
    #expect(first.claimed == 1 && second.claimed == 2 && first.id != second.id)
  }

  @Test("an edit follows what is shown, keeps its time, and is shown; a deletion ends that")
  func chain() throws {
    let store = try SmallStore()
    let first = try Self.create(store, time: 7)
    let second = try Self.edit(store, first.id)
    let third = try Self.edit(store, first.id)
    #expect(second.parent == first.id && third.parent == second.id && third.root == first.id)
    #expect(third.claimed == 7)
    #expect(try Self.history(store).view.chains[first.id]?.shown == third.id)
    var writer = try Self.writer(store)
    let made = try writer.delete(second.id, reason: nil, store.effects)
    let deletion = try #require(made)
    #expect(deletion.deleted == first.id)
    #expect(try Self.history(store).view.chains[first.id]?.tombstone == deletion.id)
    #expect(throws: ReceiptFault.self) { try Self.edit(store, third.id) }
    #expect(throws: ReceiptFault.self) {
      var writer = try Self.writer(store)
      _ = try writer.delete(first.id, reason: nil, store.effects)
    }
    #expect(try Self.history(store).rows.count == 5)
  }

  @Test("of two edits at once one is shown, and both are there")
  func fork() throws {
    let store = try SmallStore()
    let first = try Self.create(store, time: 7)
    let one = try Self.edit(store, first.id)
    // The other device of the same author does not know of that edit.
    let draft = ReceiptDraft(
      did: first.did, deviceID: "other", type: ReceiptWriter.edited,
      payload: try ReceiptPayload(json: Self.json, type: ReceiptWriter.edited),
      follows: (parent: first.id, root: first.id))
    let bytes = draft.preimage
    let key = try store.opened.signingKey(PassphraseSource(), store.effects)
    let signature = try key.signature(of: bytes, as: .body)
    var decoder = ReceiptDecoder()
    let decoded = decoder.decode(bytes, signature: signature)
    let other = try #require(decoded)
    var judged = JudgedObject(other, [])
    judged.settle(.good(.body), by: key.publicKey, .v1)
    let options = GroupTransaction.Options(profile: .v1, updatesHeads: true, message: "test")
    #expect(
      try GroupTransaction.take(judged, options, try Self.opened(store), store.effects) == nil)
    let chain = try #require(try Self.history(store).view.chains[first.id])
    #expect(Set(chain.heads) == [one.id, other.id])
    // Nobody knows the key of that device, so its edit counts for nothing yet.
    #expect(chain.shown == one.id)
  }

  @Test("nothing is written for what is refused, or only tried")
  func nothing() throws {
    let store = try SmallStore()
    var writer = try Self.writer(store)
    let refused = try writer.create(
      Array("{}".utf8), from: "test", type: ReceiptWriter.created, store.effects)
    #expect(refused == nil)
    #expect(try Self.opened(store).heads(of: .receipt).ids == [])
    var options = ReceiptWriter.Options()
    options.isDryRun = true
    var trying = try ReceiptWriter(try Self.opened(store), options, store.effects)
    let tried = try trying.create(
      Self.json, from: "test", type: ReceiptWriter.created, store.effects)
    #expect(tried != nil)
    #expect(try Self.opened(store).heads(of: .receipt).ids == [])
    #expect(try !Self.opened(store).store.config.mayHaveGroups)
    #expect(try store.opened.keyring().fileNames().contains(.exchangeKey) == false)
  }
}
