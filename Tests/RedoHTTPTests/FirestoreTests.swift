// What the server of documents is made of: the order of values, the rules, the declared indexes, records.

import CanonicalJSON
import FirestoreModel
import Foundation
import RedoObject
import TestSupport
import Testing

@testable import RedoServer

@Suite("Documents")
struct FirestoreTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  // MARK: The order of values

  /// Each comes before the next (Firestore, "Supported data types").
  private static let ascending: [FirestoreValue] = [
    .null, false, true, .double(.nan), .double(-.infinity), .double(-1e300),
    .integer(.min), .integer(.min + 1), -2, .double(-1.5), -1, .double(-.leastNonzeroMagnitude), 0,
    .double(.leastNonzeroMagnitude), .double(0.5), 1, .double(1.5), 2, 9_007_199_254_740_992,
    9_007_199_254_740_993, 9_007_199_254_740_994, .integer(.max - 1), .integer(.max),
    .double(0x1p63), .double(.infinity),
    time(-1, 999), time(0, 0), time(0, 1), time(1, 0),
    "", "\0", "\0\0", "a", "a\0", "ab", "b", "\u{FF}", "\u{FFFF}", "\u{10000}",
    .bytes([]), .bytes([0]), .bytes([0, 255]), .bytes([1]), .bytes([255]),
    .reference("projects/p/databases/d/documents/a/b"),
    .reference("projects/p/databases/d/documents/a/b/c/d"),
    .reference("projects/p/databases/d/documents/a/b!"),
    .geoPoint(latitude: -1, longitude: 5), .geoPoint(latitude: 0, longitude: -5),
    .geoPoint(latitude: 0, longitude: 0),
    [], [.null], [1], [1, .null], [1, 2], [2], ["a"],
    .map([:]), .map(["a": 1]), .map(["a": 1, "b": 0]), .map(["a": 2]), .map(["b": 0]),
  ]

  private static func time(_ seconds: Int64, _ nanoseconds: Int64) -> FirestoreValue {
    .timestamp(
      FirestoreTimestamp(seconds: seconds, nanoseconds: nanoseconds) ?? .init(microseconds: 0))
  }

  @Test("bytes compare as the values do")
  func order() {
    let bytes = Self.ascending.map(OrderedValue.bytes)
    for (place, one) in bytes.enumerated() {
      for (other, another) in bytes.enumerated() {
        #expect(
          one.isLess(than: another) == (place < other),
          "\(Self.ascending[place]) and \(Self.ascending[other])")
      }
    }
  }

  @Test("what is equal has equal bytes, whatever its type of number")
  func equal() {
    for (one, other): (FirestoreValue, FirestoreValue) in [
      (1, .double(1)), (0, .double(-0.0)), (.integer(.min), .double(-0x1p63)),
      ([1, "a"], [.double(1), "a"]), (.map(["b": 1, "a": 2]), .map(["a": .double(2), "b": 1])),
    ] {
      #expect(OrderedValue.bytes(one) == OrderedValue.bytes(other), "\(one) and \(other)")
    }
  }

  @Test("the elements of an array come back, each by itself")
  func elements() {
    let values = Self.ascending.filter { if case .array = $0 { false } else { true } }
    let bytes = OrderedValue.bytes(.array(values))
    #expect(OrderedValue.elements(bytes[...])?.map(Array.init) == values.map(OrderedValue.bytes))
    #expect(OrderedValue.elements(OrderedValue.bytes("a")[...]) == nil)
  }

  // MARK: The rules

  private static let own = "sha256:" + String(repeating: "a", count: 64)
  private static let foreign = "sha256:" + String(repeating: "b", count: 64)

  private func key(_ path: String) -> DocumentKey { DocumentKey(Array(path.utf8)) }

  private func row(_ id: String, _ reader: String) throws -> DocumentRow {
    DocumentRow(
      key: key("nodes/" + id), created: 0, updated: 0, place: .node, fate: .taken,
      held: try HeldMembers(["accessList": [.string(reader)], "id": .string(id), "version": 1]))
  }

  @Test("the access matrix: own nodes are read and written, others' not, none is deleted")
  func matrix() throws {
    let ada = FirestoreCaller.user(try OAuthID("ada"), mayWrite: true, seesAll: false)
    let reader = FirestoreCaller.user(try OAuthID("ada"), mayWrite: false, seesAll: false)
    let callers: [(String, FirestoreCaller)] = [
      ("authenticated", ada), ("read only", reader), ("unauthenticated", .nobody),
      ("replica", .user(try OAuthID("ada"), mayWrite: true, seesAll: true)),
      ("admin", .admin("root")),
    ]
    // Read own, read others', write own, write under another id, for others, change, delete; own account, others'.
    let expected = [
      "authenticated": [true, false, true, false, false, false, true, true, false, false],
      "read only": [true, false, false, false, false, false, false, true, false, false],
      "replica": [true, true, true, false, false, false, true, true, false, false],
      "unauthenticated": Array(repeating: false, count: 10),
      "admin": Array(repeating: true, count: 10),
    ]
    let fields: FirestoreFields = [
      "accessList": ["ada", "bob"], "id": .string(Self.own), "version": 1,
    ]
    var others = fields
    others["accessList"] = ["bob"]
    var old = fields
    old["version"] = 2
    for (name, caller) in callers {
      let own = key("nodes/" + Self.own)
      let found = [
        FirestoreRules.allowsRead(caller, own, try row(Self.own, "ada")),
        FirestoreRules.allowsRead(
          caller, key("nodes/" + Self.foreign), try row(Self.foreign, "bob")),
        FirestoreRules.allowsCreate(caller, own, fields),
        FirestoreRules.allowsCreate(caller, key("nodes/" + Self.foreign), fields),
        FirestoreRules.allowsCreate(caller, own, others),
        FirestoreRules.allowsChange(caller, own),
        FirestoreRules.allowsChange(caller, key("users/ada")),
        FirestoreRules.allowsRead(caller, key("users/ada"), nil),
        FirestoreRules.allowsRead(caller, key("users/bob"), nil),
        FirestoreRules.allowsCreate(caller, own, old),
      ]
      #expect(found == expected[name], "\(name)")
    }
  }

  @Test(
    "what is not quite a node, or an account, is nobody's",
    arguments: [
      "nodes", "nodes/a/b", "nodes/a/b/c", "users/ada/x/y", "others/ada", "Users/ada",
    ])
  func strange(path: String) throws {
    let ada = FirestoreCaller.user(try OAuthID("ada"), mayWrite: true, seesAll: false)
    let fields: FirestoreFields = ["accessList": ["ada"], "id": "c", "version": 1]
    #expect(!FirestoreRules.allowsCreate(ada, key(path), fields))
    #expect(!FirestoreRules.allowsChange(ada, key(path)))
    #expect(!FirestoreRules.allowsRead(ada, key(path), nil))
  }

  @Test("the shipped rules have both texts of the schema, the stricter of each")
  func shippedRules() throws {
    let text = try String(
      contentsOf: Self.root.appending(path: "firestore/firestore.rules"), encoding: .utf8)
    let words = text.split(separator: "\n").filter { !$0.contains("//") }.joined(separator: " ")
      .split(separator: " ").joined(separator: " ")
    for rule in [
      "allow read: if request.auth != null && request.auth.uid in resource.data.accessList;",
      "allow create: if request.auth != null && request.auth.uid in request.resource.data.accessList "
        + "&& request.resource.data.version == 1 && request.resource.data.id == nodeId;",
      "allow update, delete: if false;",
      "allow read, write: if request.auth != null && request.auth.uid == userId;",
    ] {
      #expect(words.contains(rule), "\(rule)")
    }
    #expect(words.split(separator: "allow ").count == 5)
  }

  // MARK: Indexes

  @Test("the shipped indexes are those that the server knows")
  func shippedIndexes() throws {
    let text = try String(
      contentsOf: Self.root.appending(path: "firestore/firestore.indexes.json"), encoding: .utf8)
    #expect(text == DeclaredIndex.file)
    let json = try MessageText(Array(text.utf8))
    let indexes = json.root["indexes"]?.elementIndices.count
    let overrides = json.root["fieldOverrides"]?.elementIndices.count
    #expect(indexes == 8)
    #expect(overrides == 5)
  }

  private func missing(_ query: StructuredQuery) throws -> String? {
    let database = try #require(DatabaseName(project: "p"))
    do {
      try QueryPlan(query, parent: [], database).checkIndexes()
      return nil
    } catch {
      #expect(error.status == .failedPrecondition)
      return error.message
    }
  }

  private static let mine = QueryFilter.field(FieldPath("accessList"), .arrayContains, "ada")
  private static func order(
    _ path: FieldPath, _ isDescending: Bool = false
  ) -> StructuredQuery.Order {
    .init(path, isDescending: isDescending)
  }
  private static let lamport = FieldPath("timestamp", "lamport")
  private static let wall = FieldPath("timestamp", "wall")

  @Test("queries that a declared index, or none, serves")
  func served() throws {
    func equal(_ name: String) -> QueryFilter { .field(FieldPath(name), .equal, "x") }
    let created = FieldPath("createdAt")
    for query in [
      StructuredQuery("nodes", where: Self.mine),
      StructuredQuery("nodes", where: Self.mine, orderBy: [Self.order(Self.lamport)]),
      StructuredQuery("nodes", where: Self.mine, orderBy: [Self.order(Self.wall, true)]),
      StructuredQuery(
        "nodes", where: Self.mine, orderBy: [Self.order(created), Self.order(.documentName)]),
      StructuredQuery(
        "nodes", where: .all([Self.mine, .field(created, .greaterThan, 1)]),
        orderBy: [Self.order(created, true)]),
      StructuredQuery("nodes", where: .all([Self.mine, .field(Self.lamport, .greaterThan, 1)])),
      StructuredQuery(
        "nodes", where: .all([Self.mine, equal("action")]), orderBy: [Self.order(Self.lamport)]),
      StructuredQuery(
        "nodes", where: .all([Self.mine, equal("taskId")]), orderBy: [Self.order(Self.lamport)]),
      StructuredQuery("nodes", where: .all([Self.mine, equal("action"), equal("taskId")])),
      StructuredQuery("nodes", where: equal("taskId"), orderBy: [Self.order(Self.lamport)]),
      StructuredQuery("nodes", orderBy: [Self.order(Self.wall)]),
      StructuredQuery(
        "nodes", where: .all([Self.mine, .field(Self.lamport, .equal, 1)]),
        orderBy: [Self.order(Self.lamport)]),
      StructuredQuery("users", orderBy: [Self.order(FieldPath("lastSyncAt"), true)]),
    ] {
      #expect(try missing(query) == nil, "\(query)")
    }
  }

  @Test("queries that no declared index serves, and which one they need")
  func unserved() throws {
    let created = FieldPath("createdAt")
    for (query, index): (StructuredQuery, String) in [
      (
        StructuredQuery("nodes", where: Self.mine, orderBy: [Self.order(Self.lamport, true)]),
        "accessList (ARRAY) + timestamp.lamport (DESC)"
      ),
      (
        StructuredQuery("nodes", where: Self.mine, orderBy: [Self.order(Self.wall)]),
        "accessList (ARRAY) + timestamp.wall (ASC)"
      ),
      (
        StructuredQuery(
          "nodes", where: .all([Self.mine, .field(Self.lamport, .greaterThan, 1)]),
          orderBy: [Self.order(created)]),
        "accessList (ARRAY) + createdAt (ASC) + timestamp.lamport (ASC)"
      ),
      (
        StructuredQuery(
          "nodes", where: Self.mine,
          orderBy: [Self.order(created), Self.order(.documentName, true)]),
        "accessList (ARRAY) + createdAt (ASC) + __name__ (DESC)"
      ),
      (
        StructuredQuery(
          "nodes", where: .field(FieldPath("action"), .equal, "x"),
          orderBy: [Self.order(Self.lamport)]), "action (ASC) + timestamp.lamport (ASC)"
      ),
      (
        StructuredQuery("nodes", where: .field(FieldPath("data", "fields"), .equal, "x")),
        "'data.fields' of 'nodes' has none"
      ),
      (
        StructuredQuery(
          "users", where: .field(FieldPath("a"), .equal, 1), orderBy: [Self.order(FieldPath("b"))]),
        "users: a (ASC) + b (ASC)"
      ),
    ] {
      #expect(try missing(query)?.contains(index) == true, "\(index)")
    }
  }

  // MARK: Records

  @Test("what a commit has written is read again, and damage is seen")
  func records() throws {
    let row = try row(Self.own, "ada")
    var record: [UInt8] = []
    let range = DocumentRecord.append(row, fields: Array("{}".utf8), to: &record)
    DocumentRecord.append(deleted: key("users/ada"), to: &record)
    let id = try #require(ObjectID(text: Self.own))
    DocumentRecord.append(.waiting, [id], to: &record)
    var entries: [String] = []
    try DocumentRecord.read(record) { entry in
      switch entry {
      case .document(let row, let offset, let count):
        entries.append("\(row.key.text) \(offset..<(offset + count) == range)")
        #expect(row.held.readers == [OrderedValue.bytes("ada")])
      case .deletion(let key): entries.append("- \(key.text)")
      case .fates(let fate, let ids): entries.append("\(fate) \(ids.map(\.text))")
      }
    }
    #expect(entries == ["nodes/\(Self.own) true", "- users/ada", "waiting [\"\(Self.own)\"]"])
    let bytes = Array(record[range])
    #expect(Array(try DocumentRecord.fields(bytes)) == Array("{}".utf8))
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 1
      #expect(throws: DocumentRecordError.self) { try DocumentRecord.fields(damaged) }
    }
    for end in 1..<record.count {
      _ = try? DocumentRecord.read(Array(record[..<end])) { _ in }
    }
  }

  @Test("a record that somebody forged, with right checks, is refused")
  func forged() throws {
    func isRead(_ change: (inout DocumentRow) -> Void) throws -> Bool {
      var row = try row(Self.own, "ada")
      change(&row)
      var record: [UInt8] = []
      _ = DocumentRecord.append(row, fields: Array("{}".utf8), to: &record)
      return (try? DocumentRecord.read(record) { _ in }) != nil
    }
    #expect(try isRead { _ in })
    // The time after the last one would be none.
    #expect(try !isRead { $0.updated = .max })
    #expect(try !isRead { $0.created = .min })
    // Arrays in arrays, more than a stack has room for.
    let deep = [UInt8](repeating: 0x58, count: 65_000)
    #expect(try !isRead { $0.held = HeldMembers(bytes: [0xFD, 0xE8] + deep) })
    let deeper = [UInt8](repeating: 0x58, count: 4 << 20)
    #expect(OrderedValue.elements(deeper[...])?.count == 1)
  }

  @Test("held members have a limit, by name")
  func held() {
    for (name, value): (String, FirestoreValue) in [
      ("action", .string(String(repeating: "x", count: 1_501))),
      ("accessList", .array((0..<500).map { .string("account-number-\($0)") })),
    ] {
      let error = #expect(throws: FirestoreError.self) {
        _ = try HeldMembers(FirestoreFields([.init(name, value)]))
      }
      #expect(error?.message.contains("'\(name)'") == true)
    }
  }
}
