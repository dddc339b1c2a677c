// Names, paths, queries, writes, answers and errors.

import CanonicalJSON
import FirestoreModel
import RedoObject
import TestSupport
import Testing

@Suite struct MessageTests {
  static func text(_ write: (inout [UInt8]) -> Void) -> String {
    var output: [UInt8] = []
    write(&output)
    return String(decoding: output, as: UTF8.self)
  }

  @Test("names of documents")
  func names() throws {
    let database = try #require(DatabaseName(project: "demo"))
    let name = try #require(DocumentName(database, ["nodes", "sha256:ab"]))
    #expect(name.text == "projects/demo/databases/(default)/documents/nodes/sha256:ab")
    #expect(DocumentName(text: name.text) == name)
    #expect((name.collection, name.id) == ("nodes", "sha256:ab"))
    let users = try #require(DocumentName(database, ["users", "a b/é%".replacing("/", with: "")]))
    #expect(users.urlPath.hasSuffix("/users/a%20b%C3%A9%25"))
    for text in [
      "", "projects/p", "projects/p/databases/d/documents", "projects/p/databases/d/documents/c",
      "projects/p/databases/d/documents/c/", "projects/p/databases/d/documents/c/..",
      "projects/p/databases/d/documents/c/__x__", "projects//databases/d/documents/c/d",
      "projects/p/databases/d/documents/c/d/e", "projects/p/databases/a b/documents/c/d",
      "x/p/databases/d/documents/c/d",
      "projects/p/databases/d/documents/c/" + String(repeating: "x", count: 1501),
    ] { #expect(DocumentName(text: text) == nil, "\(text)") }
    let composed = DocumentName(database, ["c", "caf\u{e9}"])
    #expect(composed != DocumentName(database, ["c", "cafe\u{301}"]))
  }

  @Test("field paths")
  func paths() throws {
    for (text, names) in [
      ("a", ["a"]), ("timestamp.lamport", ["timestamp", "lamport"]), ("`a b`.c", ["a b", "c"]),
      ("`a.b`", ["a.b"]), (#"`\``"#, ["`"]), (#"`\\`"#, [#"\"#]), ("__name__", ["__name__"]),
      ("_1.`1`", ["_1", "1"]),
    ] {
      let path = try #require(FieldPath(text: text))
      #expect(path.names == names)
      #expect(path.text == text)
    }
    for text in ["", ".", "a.", ".a", "a..b", "1", "a b", "``", "`a", "`a`b", "a`b`", #"`a\"#, "é"]
    {
      #expect(FieldPath(text: text) == nil, "\(text)")
    }
  }

  @Test("ids of accounts are not user ids of key pairs")
  func accounts() throws {
    #expect(try OAuthID("105903772564891234567").text == "105903772564891234567")
    let user = "0123456789abcdef0123456789abcdef"
    #expect(throws: OAuthID.Fault.isCryptoUserID) { try OAuthID(user) }
    _ = try OAuthID(user.uppercased())
    _ = try OAuthID(user + "0")
    for text in [".", "..", "a/b", "__x__", "a\n"] {
      #expect(throws: OAuthID.Fault.form) { try OAuthID(text) }
    }
    #expect(throws: OAuthID.Fault.length(0)) { try OAuthID("") }
    #expect(throws: OAuthID.Fault.length(129)) { try OAuthID(String(repeating: "a", count: 129)) }
  }

  @Test("a query")
  func query() throws {
    let access: QueryFilter = .field(FieldPath("accessList"), .arrayContains, "ada")
    var query = StructuredQuery(
      "nodes",
      where: .all([
        access, .any([.unary(FieldPath("a"), .isNull), .field(FieldPath("b c"), .isIn, [1, 2])]),
      ]),
      orderBy: [
        .init(FieldPath("timestamp", "lamport"), isDescending: true), .init(.documentName),
      ],
      limit: 100)
    query.select = [.documentName]
    query.offset = 3
    query.startAt = .init([.integer(1), .reference("x")], isBefore: true)
    query.endAt = .init([.null], isBefore: false)
    let text = Self.text { query.appendJSON(to: &$0) }
    #expect(
      text == #"""
        {"select":{"fields":[{"fieldPath":"__name__"}]},"from":[{"collectionId":"nodes"}],\#
        "where":{"compositeFilter":{"op":"AND","filters":[{"fieldFilter":{"field":\#
        {"fieldPath":"accessList"},"op":"ARRAY_CONTAINS","value":{"stringValue":"ada"}}},\#
        {"compositeFilter":{"op":"OR","filters":[{"unaryFilter":{"op":"IS_NULL","field":\#
        {"fieldPath":"a"}}},{"fieldFilter":{"field":{"fieldPath":"`b c`"},"op":"IN","value":\#
        {"arrayValue":{"values":[{"integerValue":"1"},{"integerValue":"2"}]}}}}]}}]}},\#
        "orderBy":[{"field":{"fieldPath":"timestamp.lamport"},"direction":"DESCENDING"},\#
        {"field":{"fieldPath":"__name__"},"direction":"ASCENDING"}],\#
        "startAt":{"values":[{"integerValue":"1"},{"referenceValue":"x"}],"before":true},\#
        "endAt":{"values":[{"nullValue":null}]},"offset":3,"limit":100}
        """#)
    #expect(try read(text) { try StructuredQuery($0) } == query)
    #expect(query.filter?.leaves.count == 3)
    let numbers = #"""
      {"from":[{"collectionId":"nodes"}],"where":{"fieldFilter":{"field":{"fieldPath":"a"},"op":7,\#
      "value":{"integerValue":1}}},"orderBy":[{"field":{"fieldPath":"a"},"direction":2}],\#
      "limit":{"value":5}}
      """#
    let read = try read(numbers) { try StructuredQuery($0) }
    #expect(read.filter == .field(FieldPath("a"), .arrayContains, 1))
    #expect(read.orderBy == [.init(FieldPath("a"), isDescending: true)])
    #expect(read.limit == 5)
  }

  @Test(
    "a query that is not understood is refused, never answered otherwise",
    arguments: [
      #"{"findNearest":{}}"#, #"{"limit":-1}"#, #"{"limit":"x"}"#, #"{"where":{"other":{}}}"#,
      #"{"where":{"compositeFilter":{"op":"AND","filters":[]}}}"#,
      #"{"where":{"compositeFilter":{"op":"NOT","filters":[{}]}}}"#,
      #"{"where":{"fieldFilter":{"op":"EQUAL","value":{"nullValue":null}}}}"#,
      #"{"where":{"fieldFilter":{"field":{"fieldPath":"a"},"op":"LIKE","value":{"nullValue":null}}}}"#,
      #"{"where":{"fieldFilter":{"field":{"fieldPath":"a"},"op":"EQUAL"}}}"#,
      #"{"orderBy":[{"field":{"fieldPath":"a"},"direction":"UP"}]}"#, "[]",
    ])
  func refusedQuery(_ text: String) throws {
    let message = try MessageText(Array(text.utf8))
    #expect(throws: FirestoreFormatError.self) { try StructuredQuery(message.root) }
  }

  @Test("a commit")
  func commit() throws {
    let writes = [
      FirestoreWrite(
        .update(FirestoreDocument(name: "n", fields: ["a": 1])),
        transforms: [.init(FieldPath("createdAt"), .requestTime)], precondition: .exists(false)),
      FirestoreWrite(
        .update(FirestoreDocument(name: "u", fields: [:])), updateMask: [],
        transforms: [
          .init(FieldPath("ownedNodes"), .appendMissing(["x"])),
          .init(FieldPath("b"), .increment(1)), .init(FieldPath("c"), .removeAll([1])),
          .init(FieldPath("d"), .maximum(.double(1.5))), .init(FieldPath("e"), .minimum(2)),
        ]),
      FirestoreWrite(
        .delete("d"),
        precondition: .updateTime(try #require(FirestoreTimestamp(text: "2025-01-01T00:00:00Z")))),
    ]
    let text = Self.text { FirestoreCommit(writes).appendJSON(to: &$0) }
    #expect(try read(text) { try FirestoreCommit($0) }.writes == writes)
    #expect(
      text.hasPrefix(
        #"""
        {"writes":[{"update":{"name":"n","fields":{"a":{"integerValue":"1"}}},"updateTransforms":\#
        [{"fieldPath":"createdAt","setToServerValue":"REQUEST_TIME"}],"currentDocument":\#
        {"exists":false}},
        """#), "\(text)")
    for text in [
      #"{"writes":[{}]}"#, #"{"writes":[{"verify":"x"}]}"#, #"{"transaction":"!"}"#,
      #"{"writes":[{"update":{},"delete":"x"}]}"#,
      #"{"writes":[{"delete":"x","updateTransforms":[{"fieldPath":"a"}]}]}"#,
      #"{"writes":[{"delete":"x","updateTransforms":[{"fieldPath":"a","setToServerValue":"NOW"}]}]}"#,
    ] {
      let message = try MessageText(Array(text.utf8))
      #expect(throws: FirestoreFormatError.self, "\(text)") { try FirestoreCommit(message.root) }
    }
  }

  @Test("answers")
  func answers() throws {
    let time = try #require(FirestoreTimestamp(text: "2025-01-01T00:00:00.000001Z"))
    let commit = FirestoreCommitAnswer(
      [.init(updateTime: time, transformResults: [.timestamp(time)]), .init(updateTime: nil)],
      commitTime: time)
    let text = Self.text { commit.appendJSON(to: &$0) }
    #expect(try read(text) { try FirestoreCommitAnswer($0) } == commit)
    let rows = [
      FirestoreRow(document: .init(name: "n", fields: ["a": 1]), readTime: time),
      FirestoreRow(readTime: time), FirestoreRow(missing: "m"),
    ]
    for isQuery in [true, false] {
      for row in rows {
        let text = Self.text { row.appendJSON(isQuery: isQuery, to: &$0) }
        #expect(try read(text) { try FirestoreRow($0) } == row)
      }
    }
    let batch = BatchGetRequest(["a", "b"], mask: [FieldPath("x y")])
    let request = Self.text { batch.appendJSON(to: &$0) }
    #expect(try read(request) { try BatchGetRequest($0) } == batch)
  }

  @Test("errors are told by their status")
  func errors() throws {
    for status in FirestoreStatus.allCases where status != .ok {
      let error = FirestoreError(status, "why \"not\"", retryDelaySeconds: 2.5)
      let text = Self.text { error.appendJSON(to: &$0) }
      #expect(try read(text) { FirestoreError($0) } == error)
      #expect(try read("[{\"readTime\":\"x\"},\(text)]") { FirestoreError($0) } == error)
      #expect(FirestoreError(body: Array(text.utf8), httpCode: 200) == error)
      #expect(FirestoreStatus(name: status.name) == status)
    }
    // The HTTP code says nothing where there is a status.
    let exists = #"{"error":{"code":409,"message":"m","status":"ALREADY_EXISTS"}}"#
    #expect(FirestoreError(body: Array(exists.utf8), httpCode: 409).status == .alreadyExists)
    let unknown = #"{"error":{"code":429,"message":"m","status":"NEW_WORD"}}"#
    #expect(FirestoreError(body: Array(unknown.utf8), httpCode: 429).status == .resourceExhausted)
    #expect(FirestoreError(body: Array("<html>".utf8), httpCode: 502).status == .unavailable)
    #expect(FirestoreError(body: [], httpCode: 200).status == .unknown)
    #expect(try read(#"{"error":"invalid_grant"}"#) { FirestoreError($0) } == nil)
    #expect(try read(#"{"error":{}}"#) { FirestoreError($0) }?.status == .unknown)
  }

  @Test("a stream of rows, cut anywhere, gives the same rows")
  func rows() throws {
    let rows = [#"{"a":"]},{\"[","b":[[],{}]}"#, "{}", #"{"é\\":"\\"}"#]
    let text = Array(("[" + rows.joined(separator: "\n, ") + "]\n").utf8)
    for cut in 0...text.count {
      var stream = JSONRows()
      var found = try stream.take(text[..<cut])
      #expect(stream.isComplete == (cut >= text.count - 1))
      found += try stream.take(text[cut...])
      #expect(found.map { String(decoding: $0, as: UTF8.self) } == rows)
      #expect(stream.isComplete)
    }
    var object = JSONRows()
    #expect(try object.take("{\"error\":{}}".utf8).count == 1)
    #expect(object.isComplete)
    for text in ["x", "[1]", "[{}x", "{}{}", "[{}]]", "\"\""] {
      #expect(throws: FirestoreFormatError.self, "\(text)") {
        var stream = JSONRows()
        _ = try stream.take(text.utf8)
      }
    }
    #expect(throws: FirestoreFormatError.self) {
      var stream = JSONRows()
      _ = try stream.take("[{\"".utf8)
      let more = [UInt8](repeating: 0x41, count: 1 << 20)
      for _ in 0...16 { _ = try stream.take(more) }
    }
  }

  @Test("values stand in the order of queries")
  func order() {
    let ascending: [FirestoreValue] = [
      .null, false, true, .double(.nan), .double(-.infinity), .integer(.min), -1, .double(-0.5), 0,
      .integer(9_007_199_254_740_992), .integer(9_007_199_254_740_993),
      .double(9_007_199_254_740_994), .integer(.max), .double(0x1p63), .double(.infinity),
      .timestamp(FirestoreTimestamp(WallTime(milliseconds: 0))), "", "a",
      "a\u{0}",
      "\u{FFFF}", "\u{10000}", .bytes([]), .bytes([0]), .bytes([1]), .reference("a/b"),
      .reference("a!/b"), .geoPoint(latitude: 0, longitude: 1),
      .geoPoint(latitude: 1, longitude: 0),
      [], [1], [1, 1], [2], .map([:]), .map(["a": 1]), .map(["a": 1, "b": 0]), .map(["a": 2]),
      .map(["b": 0]),
    ]
    for (place, one) in ascending.enumerated() {
      for (otherPlace, other) in ascending.enumerated() {
        let expected: FirestoreOrder =
          place == otherPlace ? .equal : place < otherPlace ? .less : .greater
        #expect(FirestoreValue.order(one, other) == expected, "\(one) \(other)")
      }
    }
    #expect(FirestoreValue.order(.integer(1), .double(1)) == .equal)
    #expect(FirestoreValue.order(.double(0), .double(-0.0)) == .equal)
    #expect(FirestoreValue.order("caf\u{e9}", "cafe\u{301}") == .greater)
  }
}
