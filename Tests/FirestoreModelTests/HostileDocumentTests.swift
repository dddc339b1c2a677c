// Nodes and documents of any content: what can be carried comes back byte for byte, what cannot is
// refused by name, and nothing costs more than the stated number of tries.

import CanonicalJSON
import FirestoreModel
import RedoCrypto
import RedoObject
import TestSupport
import Testing

@Suite struct HostileDocumentTests {
  /// A body around a content, as a node has it.
  static func body(_ content: String) throws -> [UInt8] {
    let text = #"""
      {"action":"UPDATE","author":{"deviceId":"d","userId":"0123456789abcdef0123456789abcdef"},\#
      "data":{"fields":\#(content)},"parents":[],"taskId":"3f2b8c1e-9d47-4a60-b5e1-7c0d2a9f6e84",\#
      "timestamp":{"lamport":1,"wall":"2025-03-01T08:00:00.000Z"},"version":1}
      """#
    var scanner = Scanner()
    let bytes = Array(text.utf8)
    try scanner.scan(bytes.span)
    var canonical: [UInt8] = []
    scanner.appendCanonical(bytes.span, to: &canonical)
    return canonical
  }

  static func id(of bytes: [UInt8]) -> ObjectID {
    ObjectID(digest: SHA256.digest(of: bytes.span))
  }

  static func fields(_ body: [UInt8]) throws -> FirestoreFields {
    try NodeDocument.fields(
      of: body, id: Self.id(of: body), signature: nil,
      accessList: [OAuthID("ada")])
  }

  /// Through JSON and back.
  static func recovered(_ fields: FirestoreFields) throws -> NodeDocument.Recovered? {
    let id = try #require(fields["id"]?.text)
    let name = "projects/p/databases/(default)/documents/nodes/\(id)"
    var json: [UInt8] = []
    FirestoreDocument(name: name, fields: fields).appendJSON(to: &json)
    let document = try read(json) { try FirestoreDocument($0) }
    guard case .recovered(let recovered) = NodeDocument.recover(document) else { return nil }
    return recovered
  }

  static func nested(_ count: Int, _ open: String, _ close: String) -> String {
    String(repeating: open, count: count) + "1" + String(repeating: close, count: count)
  }

  @Test(
    "what Firestore keeps is written plainly, the rest in canonical",
    arguments: [
      ("{}", false), (#"{"a":[{"b":[1]}]}"#, false), (#"{"a":[[1]]}"#, true),
      (#"{"a":[{"b":[[]]}]}"#, true), (#"{"__x__":1}"#, true), (#"{"____":1}"#, true),
      (#"{"___":1,"__":2,"__x":3,"x__":4}"#, false), (#"{"":1}"#, true),
      (#"{"a":9007199254740992,"b":-9007199254740993e0,"c":1e308,"d":-0,"e":5e-324}"#, false),
      (#"{"a":1152921504606847000,"b":1e21,"c":123456789012345680000}"#, false),
      (nested(19, #"{"a":"#, "}"), false), (nested(20, #"{"a":"#, "}"), true),
      (nested(25, #"{"a":"#, "}"), true), (nested(480, #"{"a":"#, "}"), true),
      // `data.fields.` has 12 bytes of the 1500.
      (#"{"\#(String(repeating: "n", count: 1488))":1}"#, false),
      (#"{"\#(String(repeating: "n", count: 1489))":1}"#, true),
      (#"{"\#(String(repeating: "é", count: 743))":[{"a":1}]}"#, false),
      (#"{"\#(String(repeating: "é", count: 743))":[{"ab":1}]}"#, true),
      (#"{"s":"\#(String(repeating: "é", count: 100_000))"}"#, false),
      (#"{"cafe\u0301":1,"caf\u00e9":2,"\ue000":1,"\ud800\udc00":2,"a.b":0,"`":null}"#, false),
    ])
  func carried(_ content: String, _ needsCanonical: Bool) throws {
    let body = try Self.body(content)
    let fields = try Self.fields(body)
    try fields.checkLimits()
    #expect((fields[NodeDocument.canonicalField] != nil) == needsCanonical)
    let recovered = try #require(try Self.recovered(fields))
    #expect(recovered.body == body)
    #expect(recovered.form == (needsCanonical ? .canonical : .plain))
  }

  @Test("what is left out is only what cannot be kept")
  func leftOut() throws {
    let fields = try Self.fields(
      Self.body(#"{"__x__":1,"grid":[[1]],"in":{"":1,"b":2},"title":"t"}"#))
    #expect(fields[FieldPath("data", "fields")] == .map(["in": .map(["b": 2]), "title": "t"]))
  }

  @Test("a number is an integer where every client holds it exactly, else a double")
  func numbers() throws {
    let content = #"{"a":9007199254740992,"b":9007199254740994,"c":-1,"d":1.5,"e":1e21,"f":-0}"#
    let fields = try Self.fields(Self.body(content))
    #expect(
      fields[FieldPath("data", "fields")]
        == .map([
          "a": 9_007_199_254_740_992, "b": .double(9_007_199_254_740_994), "c": -1,
          "d": .double(1.5), "e": .double(1e21), "f": 0,
        ]))
  }

  @Test("a node that is too large with its plain members is carried without its content")
  func withoutContent() throws {
    let long = String(repeating: "x", count: 600_000)
    let body = try Self.body(#"{"a":[[1]],"title":"\#(long)"}"#)
    let fields = try Self.fields(body)
    #expect(fields["data"] == .map([:]))
    #expect(try Self.recovered(fields)?.body == body)
  }

  @Test("what is too large for a document is refused by name")
  func tooLarge() throws {
    let long = String(repeating: "x", count: 1_048_000)
    let body = try Self.body(#"{"title":"\#(long)"}"#)
    let refusal = try #require(throws: NodeDocument.Refusal.self) { try Self.fields(body) }
    guard case .tooLarge(let size) = refusal else {
      Issue.record("\(refusal)")
      return
    }
    #expect(size > NodeDocument.sizeLimitBytes)
    #expect(refusal.message.contains("\(size)"))
    let most = try Self.body(#"{"title":"\#(String(repeating: "x", count: 1_046_000))"}"#)
    #expect(try Self.recovered(Self.fields(most))?.body == most)
  }

  @Test("what is no body, and what nobody could read, is refused")
  func noBody() throws {
    for text in ["", "[]", "{ }", #"{"b":1,"a":2}"#, #"{"a":1,"a":2}"#, "\u{FEFF}{}"] {
      #expect(throws: NodeDocument.Refusal.notCanonical) { try Self.fields(Array(text.utf8)) }
    }
    #expect(throws: NodeDocument.Refusal.noReader) {
      try NodeDocument.fields(
        of: Array("{}".utf8), id: Self.id(of: []), signature: nil,
        accessList: [])
    }
    let action = String(repeating: "A", count: 1501)
    #expect(throws: NodeDocument.Refusal.indexedText("action", sizeBytes: 1501)) {
      try Self.fields(Array(#"{"action":"\#(action)"}"#.utf8))
    }
  }

  @Test("random contents come back byte for byte")
  func randomContents() throws {
    for seed in SeededRandom.seeds("random contents") {
      var random = SeededRandom(seed: seed)
      for _ in 0..<200 {
        let content = "{" + Self.randomMembers(&random, depth: 0) + "}"
        let body = try Self.body(content)
        let recovered = try #require(try Self.recovered(Self.fields(body)), "seed \(seed)")
        #expect(recovered.body == body, "seed \(seed)")
      }
    }
  }

  static func randomMembers(_ random: inout SeededRandom, depth: Int) -> String {
    let names = [
      "", "a", "__a__", "é", "\\u0000", "\\ud83d\\ude80", "\u{FFFF}", "fields", "b.c", "0",
    ]
    var used: Set<String> = []
    var members: [String] = []
    for _ in 0..<random.below(5) {
      let name = names[random.below(names.count)]
      guard used.insert(name).inserted else { continue }
      members.append("\"\(name)\":" + randomValue(&random, depth: depth + 1))
    }
    return members.joined(separator: ",")
  }

  static func randomValue(_ random: inout SeededRandom, depth: Int) -> String {
    switch random.below(depth > 24 ? 6 : 10) {
    case 0: return "null"
    case 1: return random.once(in: 2) ? "true" : "false"
    case 2: return ["\"\"", "\"é\\n\"", "\"2025-03-01T08:00:00.000Z\""][random.below(3)]
    case 3: return "\(Int64(truncatingIfNeeded: random.next()) >> (11 + random.below(53)))"
    case 4:
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { return "0" }
      var text: [UInt8] = []
      NumberText.append(number, to: &text)
      return String(decoding: text, as: UTF8.self)
    case 5: return "{}"
    case 6: return "[]"
    case 7: return "[" + randomValue(&random, depth: depth + 1) + "]"
    default: return "{" + randomMembers(&random, depth: depth) + "}"
    }
  }

  @Test("a hostile document costs at most the stated number of tries")
  func tries() throws {
    // Every repair applies, in many places, and none helps.
    let time: FirestoreValue = .map(["_seconds": 1, "_nanoseconds": 0])
    var members: [FirestoreFields.Member] = []
    for place in 0..<200 {
      members.append(
        .init("m\(place)", place < 4 ? ["", .null][place % 2] : [time, 1][place % 2]))
    }
    let content = FirestoreFields(members)
    let fields: FirestoreFields = [
      "canonical": .bytes([1]), "fields": .map(content), "payload": .map(content),
      "author": .map(["name": "", "email": "", "deviceName": "", "other": 1]),
      "data": .map(["fields": .map(content), "payload": .map(content), "x": time]),
    ]
    #expect(NodeDocument.tries(fields) == NodeDocument.tryLimit)
    let id = Self.id(of: []).text
    let name = "projects/p/databases/(default)/documents/nodes/\(id)"
    let reading = NodeDocument.recover(FirestoreDocument(name: name, fields: fields))
    guard case .unfit(.hashMismatch(_, let computed, _)) = reading else {
      Issue.record("\(reading)")
      return
    }
    #expect(computed == Self.id(of: [1]))
  }

  @Test("mutated documents never give bytes that have another hash")
  func mutated() throws {
    let rows = try DocumentVectorTests.rows()
    for seed in SeededRandom.seeds("mutated documents") {
      var random = SeededRandom(seed: seed)
      for _ in 0..<300 {
        let row = rows[random.below(rows.count)]
        var text = try DocumentVectorTests.folder.bytes(row.file)
        for _ in 0...random.below(3) { text[random.below(text.count)] = UInt8(random.below(128)) }
        guard let document = try? read(text, { try FirestoreDocument($0) }),
          case .recovered(let recovered) = NodeDocument.recover(document)
        else { continue }
        #expect(Self.id(of: recovered.body) == recovered.id)
        #expect(document.name.hasSuffix(recovered.id.text) || document.name.isEmpty)
      }
    }
  }
}
