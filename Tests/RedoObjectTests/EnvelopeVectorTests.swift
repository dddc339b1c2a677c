// Tests/Vectors/app: nodes as the phone app keeps them, some with members of a remote's copy.

import CanonicalJSON
import RedoObject
import TestSupport
import Testing

@Suite("App file")
struct EnvelopeVectorTests {
  static let folder = VectorFolder.own("app")

  /// The texts of an array's elements.
  static func elements(_ text: [UInt8]) throws -> [[UInt8]] {
    let document = try JSONDocument(text)
    var found: [[UInt8]] = []
    var elements = document.root.elements
    while let element = elements.next() { found.append(element.bytes) }
    return found
  }

  @Test("each node has its id and letter once the envelope is taken off")
  func strip() throws {
    let rows = try Self.folder.table()
    let texts = try Self.elements(try Self.folder.bytes("redo_changes.json"))
    #expect(rows.count == 50 && texts.count == 50)
    for (row, text) in zip(rows, texts) {
      let (index, id, task, letter, envelope) = (row[0], row[1], row[2], row[3], row[5])
      let node = try #require(decode(text, envelope: .strip).node, "\(index)")
      #expect(node.id.text == id, "\(index)")
      #expect(node.taskID?.text == task, "\(index)")
      #expect(String(node.verify().letter) == letter, "\(index)")

      // Where the envelope is not expected, each of its members is an error, and the only one.
      let names = envelope == "-" ? [] : envelope.split(separator: ",").map(String.init)
      let refused = decode(text)
      #expect(refused.listed(.error) == names.map { "member-envelope@/\($0)" }, "\(index)")
      #expect((refused.node == nil) == !names.isEmpty, "\(index)")
      // They are never part of the body.
      #expect(decode(whole(node)).node?.body == node.body, "\(index)")
    }
  }
}
