// What an account uses of a server of documents, and what a document costs there.

import FirestoreModel
import RedoObject
import RedoRepository
import Testing

@testable import RedoServer

@Suite("What documents take")
struct DocumentUseTests {
  private func key(_ path: String) -> DocumentKey { DocumentKey(Array(path.utf8)) }

  private func node(_ number: UInt64) -> DocumentKey {
    .node(ObjectID(words: (7, 0, 0, number)))
  }

  private func row(
    _ key: DocumentKey, _ account: String, bytes: Int, _ fate: DocumentRow.Fate = .untried,
    readers: [FirestoreValue] = [], createdAt: Int64 = 0
  ) throws -> DocumentRow {
    DocumentRow(
      key: key, created: 0, updated: 0, place: .log(offset: 0, count: bytes), fate: fate,
      held: try HeldMembers([
        "accessList": .array(readers),
        "createdAt": .timestamp(FirestoreTimestamp(microseconds: createdAt)),
      ]), account: account)
  }

  @Test("each account uses what it wrote last, and nothing for nodes of the history")
  func uses() throws {
    var table = DocumentTable()
    let (one, other) = (node(1), node(2))
    table.put(try row(one, "eve", bytes: 100))
    table.put(try row(other, "eve", bytes: 50, .refused))
    table.put(try row(key("users/ada"), "ada", bytes: 30))
    #expect(table.use(of: "eve") == DocumentUse(documents: 2, bytes: 150))
    #expect(table.use(of: "ada") == DocumentUse(documents: 1, bytes: 30))
    #expect(table.use(of: "bob") == DocumentUse())
    if case .node(let id) = one { table.set(.taken, id) }
    #expect(table.use(of: "eve") == DocumentUse(documents: 1, bytes: 50))
    if case .node(let id) = other { table.set(.waiting, id) }
    #expect(table.use(of: "eve") == DocumentUse(documents: 1, bytes: 50))
    table.put(try row(other, "ada", bytes: 10))
    #expect(table.use(of: "eve") == DocumentUse())
    #expect(table.use(of: "ada") == DocumentUse(documents: 2, bytes: 40))
    table.remove(one)
    table.remove(key("users/ada"))
    #expect(table.use(of: "ada") == DocumentUse(documents: 1, bytes: 10))
    // Nodes of the store that nobody posted count for nobody.
    var own = try row(node(3), "", bytes: 0, .taken)
    own.place = .node
    table.put(own)
    #expect(table.use(of: "") == DocumentUse())
  }

  @Test("a quota is exceeded by what makes more of it, and named; 0 is none")
  func quotas() {
    var quota = ServeQuota()
    let much = DocumentUse(documents: 1_000_000, bytes: 1 << 40)
    #expect(quota.exceeded(DocumentUse(), much) == nil)
    quota.documents = 3
    quota.bytes = 100
    for (old, new, key) in [
      (DocumentUse(documents: 2, bytes: 10), DocumentUse(documents: 3, bytes: 100), nil),
      (.init(documents: 3, bytes: 10), .init(documents: 4, bytes: 20), "serve.quota.documents"),
      (.init(documents: 3, bytes: 90), .init(documents: 3, bytes: 101), "serve.quota.bytes"),
      // Where the limits were others before.
      (.init(documents: 9, bytes: 900), .init(documents: 9, bytes: 900), nil),
      (.init(documents: 9, bytes: 900), .init(documents: 8, bytes: 800), nil),
      (.init(documents: 9, bytes: 900), .init(documents: 8, bytes: 901), "serve.quota.bytes"),
      (.init(documents: 9, bytes: 900), .init(documents: 10, bytes: 100), "serve.quota.documents"),
    ] {
      #expect(quota.exceeded(old, new)?.key == key, "\(old) to \(new)")
    }
    let error = quota.exceeded(.init(documents: 3, bytes: 0), .init(documents: 4, bytes: 0))?
      .error(of: "eve")
    #expect(error?.status == .resourceExhausted)
    #expect(
      error?.message
        == "the quota 'serve.quota.documents' of 'eve' is 3: 3 are in use, and there would be 4"
        + " (documents that are no nodes of the history)")
  }

  @Test("a log is written anew when most of it is dead, and more than there always may be")
  func waste() {
    let least = LogWaste.minimumBytes
    for (bytes, needed, isTooMuch) in [
      (0, 0, false), (least, 0, false), (least + 1, 0, true),
      (2 * least, least, false), (2 * least + 1, least, true),
      (1 << 30, 600 << 20, false), (1 << 30, 500 << 20, true),
    ] {
      let waste = LogWaste(byteCount: bytes, documentCount: 0, documentBytes: needed)
      #expect(waste.isTooMuch == isTooMuch, "\(needed) of \(bytes)")
    }
    // The frames of records are none of it.
    #expect(!LogWaste(byteCount: 50 << 20, documentCount: 1 << 20, documentBytes: 0).isTooMuch)
  }

  @Test("the account of a document is read again, and one of version 1 has none")
  func account() throws {
    let row = try row(node(1), "ada@example.org", bytes: 0, readers: ["ada"])
    var record: [UInt8] = []
    _ = DocumentRecord.append(row, fields: Array("{}".utf8), to: &record)
    var accounts: [String] = []
    try DocumentRecord.read(record) { entry in
      if case .document(let row, _, _) = entry { accounts.append(row.account) }
    }
    #expect(accounts == ["ada@example.org"])
  }

  @Test("in memory is less than in the log, and never 16 KB, whatever somebody posts")
  func memory() throws {
    let long = String(repeating: "x", count: DocumentName.segmentLimit)
    let path = (0..<4).map { "\($0)" + long.dropFirst() }.joined(separator: "/")
    let readers = (0..<940).map { FirestoreValue.string(String(10_000 + $0)) }
    let name = String(repeating: "a", count: OAuthID.byteLimit)
    let row = try row(key(path), name, bytes: 0, readers: readers)
    var record: [UInt8] = []
    let range = DocumentRecord.append(row, fields: Array("{}".utf8), to: &record)
    let held = row.key.path.count + row.account.utf8.count + row.held.bytes.count
    #expect(held < range.count)
    #expect(held > 13_000)
    #expect(
      DocumentName.byteLimit + OAuthID.byteLimit + HeldMembers.byteLimit
        + 4 * MemoryLayout<DocumentRow>.stride < 16_384)
    // Who is on its list and never asks takes nothing more.
    var table = DocumentTable()
    table.index([OrderedValue.bytes("ada")])
    table.put(row)
    let index = Mirror(reflecting: table).children.first { $0.label == "readable" }?.value
    #expect((index as? [[UInt8]: [Int32]])?.count == 1)
  }

  @Test("an index that is made at once, or one by one, or not at all gives the same order")
  func order() throws {
    let reader = OrderedValue.bytes("ada")
    var (before, after, never) = (DocumentTable(), DocumentTable(), DocumentTable())
    before.index([reader])
    for number in 0..<500 {
      let row = try row(
        node(UInt64(number * 7919 % 500)), "eve", bytes: 1,
        readers: number.isMultiple(of: 3) ? ["eve"] : ["ada", "eve", "ada"],
        createdAt: Int64(number * 31 % 17))
      before.put(row)
      after.put(row)
      never.put(row)
    }
    after.index([reader])
    let keys = before.readable(by: reader).map(\.key)
    #expect(keys.count == 333)
    #expect(after.readable(by: reader).map(\.key) == keys)
    #expect(never.readable(by: reader).map(\.key) == keys)
    for key in keys.prefix(100) {
      before.remove(key)
      after.remove(key)
      never.remove(key)
    }
    #expect(after.readable(by: reader).map(\.key) == keys.dropFirst(100).map { $0 })
    #expect(never.readable(by: reader).map(\.key) == before.readable(by: reader).map(\.key))
  }

  private final class Counter { var count = 0 }

  /// A name that counts how often it is compared.
  private struct Counted: Hashable {
    let key: DocumentKey
    let counter: Counter

    static func == (left: Counted, right: Counted) -> Bool {
      left.counter.count += 1
      return left.key == right.key
    }

    func hash(into hasher: inout Hasher) { key.hash(into: &hasher) }
  }

  @Test("ids that somebody has chosen to begin as all others do are found as fast as any")
  func prefixes() {
    let count = 50_000
    for words in [
      { (number: UInt64) in (7, 7, 7, number) }, { number in (7, 7, number, 7) },
      { number in (7, number, 7, 7) }, { number in (number, 7, 7, 7) },
    ] as [(UInt64) -> (UInt64, UInt64, UInt64, UInt64)] {
      let counter = Counter()
      var found: Set<Counted> = []
      for number in 0..<count {
        let key = DocumentKey.node(ObjectID(words: words(UInt64(number))))
        found.insert(Counted(key: key, counter: counter))
      }
      #expect(found.count == count)
      #expect(counter.count < 8 * count, "\(counter.count) comparisons")
    }
  }
}
