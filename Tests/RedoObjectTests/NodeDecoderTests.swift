// The decoder beyond its verdicts: spelling, places, and one decoder for node after node.

import RedoObject
import TestSupport
import Testing

@Suite("Node decoder")
struct NodeDecoderTests {
  @Test("white space around a node and inside of it changes nothing but the place of a defect")
  func whiteSpace() throws {
    let text = nodeText()
    let id = try #require(decode(text).node).id
    #expect(decode("\n\t " + text + " \r\n").node?.id == id)
    #expect(decode(text.replacing(",", with: " , ")).node?.id == id)
    #expect(decode("  {").listed(.error) == ["json-syntax@3"])
    #expect(decode(" " + text + " x").listed(.error) == ["json-trailing@\(text.utf8.count + 2)"])
    #expect(decode("").listed(.error) == ["json-syntax@0"])
    #expect(decode("  \n").listed(.error) == ["json-syntax@0"])
  }

  @Test("the members may come in any order and spelling; the body is the same")
  func spelling() throws {
    let plain = try #require(decode(nodeText()).node)
    let members = nodeText().dropFirst().dropLast()
    let spelt = "{\"\\u0076ersion\":1.0,\(members.replacing(#","version":1"#, with: ""))}"
    let other = try #require(decode(String(spelt)).node)
    #expect(other.body == plain.body)
    #expect(string(plain.data) == #"{"fields":{"title":"t"}}"#)
    #expect(string(other.content) == #"{"title":"t"}"#)
    #expect(other.escapedText(.action).map { string($0) } == "UPDATE")
    #expect(other.escapedText(.authorName) == nil)
  }

  @Test(
    "texts of a node are found in the body, whether id, signature or envelope stood before them")
  func places() throws {
    let signature = "\"" + String(repeating: "0", count: 128) + "\""
    let user = String(repeating: "0", count: 32)
    let text = nodeText([
      "accessList": "[]", "createdAt": "5", "signature": signature,
      "author": #"{"deviceId":"tëst\n","email":"","name":"N","userId":"\#(user)"}"#,
    ])
    let node = try #require(decode(Array(text.utf8), envelope: .strip).node)
    #expect(node.escapedText(.deviceID).map { string($0) } == #"tëst\n"#)
    #expect(node.escapedText(.authorName).map { string($0) } == "N")
    #expect(node.escapedText(.authorEmail).map { string($0) } == "")
    #expect(node.escapedText(.wall).map { string($0) } == "2025-03-01T08:00:00.000Z")
    #expect(node.escapedText(.taskID).map { string($0) } == node.taskID?.text)
    #expect(string(node.content) == #"{"title":"t"}"#)
    #expect(decode(whole(node)).node?.signature == node.signature)
  }

  @Test("one decoder reads node after node; nothing of the one before is left")
  func reuse() {
    var decoder = NodeDecoder()
    func decode(_ text: String) -> String {
      let node = decoder.decode(Array(text.utf8).span)
      let stated = decoder.statedID == nil ? "-" : "stated"
      let mismatch = decoder.mismatch == nil ? "-" : "mismatch"
      return "\(node == nil ? "nil" : "node") \(decoder.findings.map(place)) \(stated) \(mismatch)"
    }
    let wrongID = "\"sha256:" + String(repeating: "0", count: 64) + "\""
    #expect(decode(nodeText(["id": wrongID])) == #"nil ["hash-mismatch@/id"] stated mismatch"#)
    #expect(decode(nodeText()) == "node [] - -")
    #expect(decode("[") == #"nil ["json-syntax@1"] - -"#)
    #expect(decode(nodeText(["version": "2"])) == #"nil ["version-unsupported@/version"] - -"#)
    #expect(decode(nodeText()) == "node [] - -")
  }

  @Test("a stored body that is no node's is refused when it is read, whatever stands in it")
  func strangeBodies() {
    let id = "\"sha256:" + String(repeating: "0", count: 64) + "\""
    let bodies = [
      "", "hello", "[]", "{}", #"{"parents":["#, #"x"parents":[5"#, #""parents":[]"#,
      #"{"timestamp":{"parents":[]}}"#, nodeText(["id": id]), " " + nodeText(), nodeText() + "\n",
      nodeText().replacing("[]", with: " [ ]"),
    ]
    for body in bodies {
      let bytes = Array(body.utf8)
      let object = StoredObject(
        id: StoredObject(blob: bytes).id, kind: .node, canonical: bytes, signature: nil)
      var contents: [UInt8] = []
      object.appendContents(to: &contents)
      #expect(contents.count == Node.wholeCount(bodyCount: bytes.count, nil))
      let decoded = decode(contents)
      #expect(decoded.node == nil, "'\(body)' is taken for a node")
      #expect(!decoded.listed(.error).isEmpty)
    }
  }

  @Test("what is accepted is not too large when it is written with its id")
  func size() {
    let room = Node.byteLimit - Node.wholeCount(bodyCount: nodeText().utf8.count, nil)
    func body(_ more: Int) -> String {
      nodeText(["data": #"{"fields":{"title":"t\#(String(repeating: "x", count: more))"}}"#])
    }
    let largest = decode(body(room))
    #expect(largest.node.map { whole($0).count } == Node.byteLimit)
    #expect(largest.node.map { decode(whole($0)).node?.id } == largest.node?.id)
    #expect(decode(body(room + 1)).listed(.error) == ["node-size@"])
    #expect(decode(body(room + 1000)).listed(.error) == ["node-size@"])
  }
}
