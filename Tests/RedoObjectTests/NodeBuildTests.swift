// New nodes: the body is canonical as it is written, and what would be refused is not built.

import RedoCrypto
import RedoObject
import Testing

@Suite("New nodes")
struct NodeBuildTests {
  private static func draft(_ content: String, action: String = "UPDATE") throws -> NodeDraft {
    var seed = [UInt8](repeating: 9, count: 32)
    let key = SecretKey(seed: SecretBytes(moving: &seed)).publicKey
    var author = NodeDraft.Author(userID: UserID(of: key), publicKey: key, deviceID: "d\"1\n")
    author.deviceName = "laptop"
    author.name = "Ada é"
    author.email = "ada@example.org"
    let task = TaskID(Array("550E8400-E29B-41D4-A716-446655440000".utf8).span)
    return NodeDraft(
      lamport: try #require(Lamport(7)), wall: WallTime(milliseconds: 1_700_000_000_123),
      author: author, action: action, task: task, content: Array(content.utf8))
  }

  @Test("the body is canonical, so its bytes are hashed as they are written")
  func canonical() throws {
    var draft = try Self.draft(#"{"title":"x"}"#)
    draft.parents = [
      ObjectID(digest: SHA256.digest(of: [1].span)), ObjectID(digest: SHA256.digest(of: [2].span)),
    ].sorted()
    var decoder = NodeDecoder()
    let built = decoder.build(draft)
    let node = try #require(built)
    #expect(node.body == draft.body)
    #expect(node.id == ObjectID(digest: SHA256.digest(of: draft.body.span)))
    #expect(node.parents == draft.parents)
    #expect(node.wall.text == "2023-11-14T22:13:20.123Z")
    #expect(decoder.findings.isEmpty)
  }

  @Test("a content in any form of JSON becomes canonical")
  func content() throws {
    var decoder = NodeDecoder()
    let built = decoder.build(try Self.draft(#" { "title" : "\u0041", "a": 1.50 } "#))
    let node = try #require(built)
    #expect(String(decoding: node.content, as: UTF8.self) == #"{"a":1.5,"title":"A"}"#)
  }

  @Test(
    "what is no object, or reaches out of its place, is refused",
    arguments: [
      "", "[]", "1", "{", #"{"a":1}}"#, #"{"a":1},"x":{"b":2}"#, #"{"title":"x"},"payload":{}"#,
    ])
  func escape(content: String) throws {
    var decoder = NodeDecoder()
    let node = decoder.build(try Self.draft(content))
    #expect(node == nil)
    #expect(!decoder.findings.isEmpty)
  }

  @Test("rules hold for new nodes too")
  func rules() throws {
    var decoder = NodeDecoder()
    let empty = decoder.build(try Self.draft("{}"))
    #expect(empty == nil)
    #expect(decoder.findings.map(\.rule) == [.payloadMissing])
    let lower = decoder.build(try Self.draft("{}", action: "lower"))
    #expect(lower == nil)
    #expect(decoder.findings.map(\.rule) == [.actionForm])
  }

  @Test("both forms of signatures hold", arguments: [SignatureForm.body, .digest])
  func signed(form: SignatureForm) throws {
    var seed = [UInt8](repeating: 9, count: 32)
    let key = SecretKey(seed: SecretBytes(moving: &seed))
    var decoder = NodeDecoder()
    let built = decoder.build(try Self.draft(#"{"title":"x"}"#), signedBy: key, form)
    let node = try #require(built)
    #expect(node.verify() == .good(form))
  }

  @Test("a key that is not the author's is noticed")
  func otherKey() throws {
    var seed = [UInt8](repeating: 8, count: 32)
    let key = SecretKey(seed: SecretBytes(moving: &seed))
    var decoder = NodeDecoder()
    let node = decoder.build(try Self.draft(#"{"title":"x"}"#), signedBy: key, .body)
    #expect(node == nil)
    #expect(decoder.findings.map(\.rule) == [.userIDMismatch])
  }
}
