// The lines of rows, as redo-index-sqlite(1) reads them: columns, units, and what is left out for want of what it refers to.

import RedoHistory
import RedoObject
import TestSupport
import Testing

@testable import RedoRepository

@Suite("The rows of an index")
struct SQLIndexRowsTests {
  private static let first = StoredObject(blob: [1]).id
  private static let second = StoredObject(blob: [2]).id
  private static var firstCID: String { first.cidText(as: .receipt) }
  private static let blob = StoredObject(blob: [3]).id.cidText(as: .blob)

  private static func text(_ line: [UInt8]) -> String { String(decoding: line, as: UTF8.self) }

  private static func chain(tombstone: ObjectID? = nil) -> ChainView.Chain {
    let members = [
      ChainMember(
        id: first, parent: nil, root: first, did: "did:buds:a", deviceID: "D1", isSession: true,
        effect: .none, isGood: true, isBound: false),
      ChainMember(
        id: second, parent: first, root: first, did: "did:buds:a", deviceID: "D1", isSession: true,
        effect: .none, isGood: true, isBound: false),
    ]
    var chain = ChainView(members).chains[first]
    chain?.tombstone = tombstone
    guard let chain else { preconditionFailure("BUG: two receipts are no chain") }
    return chain
  }

  private static func row(
    _ table: LocalTable, _ members: [String: [UInt8]]?, key: String? = nil
  ) throws -> LocalRow {
    try LocalRow(table, key: key, members: members, time: 5)
  }

  @Test("of a chain")
  func chain() {
    #expect(
      Self.text(SQLIndexRows.chain(Self.chain()))
        == "{\"put\":\"redo_chains\",\"row\":{\"depth\":1,\"head_cid\":\"\(Self.second.cidText(as: .receipt))\","
        + "\"heads\":1,\"root_cid\":\"\(Self.firstCID)\"}}\n")
    #expect(
      Self.text(SQLIndexRows.chain(Self.chain(tombstone: Self.second))).contains(
        ",\"tombstone_cid\":\"\(Self.second.cidText(as: .receipt))\"}}"))
  }

  @Test("of what is kept about a chain: what is noted, or times of receipt")
  func localReceipt() throws {
    let received = (first: Int64(1500), shown: Int64(2500)) as (first: Int64?, shown: Int64?)
    let plain = try #require(
      SQLIndexRows.localReceipt(of: Self.chain(), noted: nil, received: received))
    #expect(plain.uuid == Repository.localUUID(of: Self.firstCID))
    #expect(
      Self.text(plain.line)
        == "{\"put\":\"local_receipts\",\"row\":{\"created_at\":1.5,\"header_cid\":"
        + "\"\(Self.second.cidText(as: .receipt))\",\"updated_at\":2.5,\"uuid\":\"\(plain.uuid)\"}}\n"
    )
    let noted = try Self.row(
      .localReceipts,
      [
        "uuid": LocalRow.json("u1"), "is_favorited": Array("1".utf8),
        "created_at": Array("1".utf8), "updated_at": Array("2".utf8),
      ], key: Self.firstCID)
    let told = try #require(
      SQLIndexRows.localReceipt(of: Self.chain(), noted: noted, received: received))
    #expect(told.uuid == "u1")
    #expect(
      Self.text(told.line).hasPrefix(
        "{\"put\":\"local_receipts\",\"row\":{\"created_at\":1,\"header_cid\":"))
    #expect(Self.text(told.line).contains("\"is_favorited\":1,\"updated_at\":2,\"uuid\":\"u1\""))
  }

  @Test("of a chain that was deleted or put away there is none")
  func gone() throws {
    let away = try Self.row(.localReceipts, nil, key: Self.firstCID)
    let none: (first: Int64?, shown: Int64?) = (nil, nil)
    #expect(
      SQLIndexRows.localReceipt(of: Self.chain(), noted: away, received: none)?.uuid == nil)
    #expect(
      SQLIndexRows.localReceipt(
        of: Self.chain(tombstone: Self.second), noted: nil, received: none)?.uuid == nil)
  }

  private static var place: [String: [UInt8]] {
    [
      "cid": LocalRow.json(blob), "receipt_cid": LocalRow.json(firstCID),
      "location_type": LocalRow.json("fuzzy"), "captured_at": Array("1".utf8),
      "created_at": Array("1".utf8),
    ]
  }

  @Test("what refers to a receipt that is not there is taken away")
  func absentReceipt() throws {
    let row = try Self.row(.locations, Self.place)
    var present = SQLIndexRows.Present([row])
    #expect(SQLIndexRows.receipts(of: row) == [Self.firstCID])
    let without = SQLIndexRows.note(row, present)
    #expect(!without.isPut)
    #expect(
      Self.text(without.line) == "{\"delete\":\"locations\",\"key\":{\"cid\":\"\(Self.blob)\"}}\n")
    present.receipts = [Self.firstCID]
    #expect(SQLIndexRows.note(row, present).isPut)
    var alone = Self.place
    alone["receipt_cid"] = nil
    #expect(SQLIndexRows.note(try Self.row(.locations, alone), SQLIndexRows.Present([])).isPut)
  }

  @Test("what may lack what it refers to is there without it")
  func absentPicture() throws {
    let person = try Self.row(
      .circles,
      [
        "id": LocalRow.json("p1"), "did": LocalRow.json("did:phone:1"),
        "display_name": LocalRow.json("Ada"), "avatar_cid": LocalRow.json(Self.blob),
        "pubkey_x25519": LocalRow.json(String(repeating: "A", count: 43) + "="),
        "status": LocalRow.json("active"), "created_at": Array("1".utf8),
        "updated_at": Array("1".utf8),
      ])
    let without = SQLIndexRows.note(person, SQLIndexRows.Present([person]))
    #expect(without.isPut && !Self.text(without.line).contains("avatar_cid"))
    let picture = try Self.row(
      .blobs,
      [
        "cid": LocalRow.json(Self.blob), "mime_type": LocalRow.json("image/png"),
        "size": Array("3".utf8), "encrypted": Array("0".utf8), "created_at": Array("1".utf8),
      ])
    let with = SQLIndexRows.note(person, SQLIndexRows.Present([person, picture]))
    #expect(Self.text(with.line).contains("\"avatar_cid\":\"\(Self.blob)\""))
  }

  @Test(
    "a pair is found by both of its names, and a person by whom a memory was shared must be there")
  func pairs() throws {
    let pair = try Self.row(
      .receiptBlobs,
      [
        "receipt_cid": LocalRow.json(Self.firstCID), "blob_cid": LocalRow.json(Self.blob),
        "position": Array("0".utf8),
      ])
    var present = SQLIndexRows.Present([pair])
    present.receipts = [Self.firstCID]
    #expect(
      Self.text(SQLIndexRows.note(pair, present).line)
        == "{\"delete\":\"receipt_blobs\",\"key\":{\"blob_cid\":\"\(Self.blob)\",\"receipt_cid\":"
        + "\"\(Self.firstCID)\"}}\n")
    present.blobs = [Self.blob]
    #expect(SQLIndexRows.note(pair, present).isPut)
    let memory = try Self.row(
      .receivedMemories,
      [
        "id": LocalRow.json("m1"), "memory_cid": LocalRow.json(Self.firstCID),
        "header_cid": LocalRow.json(Self.firstCID), "sender_did": LocalRow.json("did:phone:1"),
        "permissions": LocalRow.json("view"), "shared_at": Array("1".utf8),
        "received_at": Array("1".utf8),
      ])
    #expect(!SQLIndexRows.note(memory, present).isPut)
    present.people = ["did:phone:1"]
    #expect(SQLIndexRows.note(memory, present).isPut)
  }

  @Test("names with quotes are texts, not syntax")
  func quotes() {
    #expect(
      Self.text(SQLIndexRows.delete("circles", [("id", "a\"}\n")]))
        == "{\"delete\":\"circles\",\"key\":{\"id\":\"a\\\"}\\n\"}}\n")
  }

  @Test("of tasks, todos and nodes: a column for each member, and the whole")
  func tasks() throws {
    let store = try VectorStore("linear")
    let (log, _) = try #require(try StateSource.indexed(StateSource.Request(), store.effects))
    let cut = Cut(whole: log)
    let nodes = TaskNodes(log, cut)
    var lines: [String] = []
    var texts: [[UInt8]] = []
    _ = try ReplayRun(log, cut, nodes).replay(nodes.tasks) { state in
      var text: [UInt8] = []
      state.appendJSON(to: &text)
      return (text, SQLIndexRows.lines(of: state))
    } body: { rows in
      for (text, row) in rows {
        texts.append(text)
        lines += Self.text(row).split(separator: "\n").map(String.init)
      }
    }
    let tasks = lines.filter { $0.hasPrefix("{\"put\":\"tasks\",\"row\":{\"archived\":") }
    #expect(tasks.count == texts.count && !texts.isEmpty)
    for (line, text) in zip(tasks, texts) {
      let escaped = Self.text(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      #expect(line.contains(",\"json\":\"\(escaped)\","))
    }
    let todos = lines.filter { $0.hasPrefix("{\"put\":\"todos\",\"row\":{") }
    #expect(todos.count == lines.count - tasks.count)
    let position = 2
    let node = Self.text(
      SQLIndexRows.node(at: position, in: log, device: Array("D\\u0001".utf8), letter: "G"))
    #expect(node.hasPrefix("{\"put\":\"nodes\",\"row\":{\"action\":\""))
    #expect(node.contains("\"device\":\"D\\u0001\",\"id\":\"\(log.id(at: position).text)\""))
    #expect(
      node.contains(
        "\"parents\":\"["
          + log.parentIDs(at: position).map { "\\\"\($0.text)\\\"" }.joined(separator: ",") + "]\"")
    )
  }
}
