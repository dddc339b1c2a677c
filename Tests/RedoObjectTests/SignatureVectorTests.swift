// Tests/Vectors/sign: one id arrives twice; which signature a store keeps.

import RedoCrypto
import RedoObject
import TestSupport
import Testing

@Suite("Own signature vectors")
struct SignatureVectorTests {
  static let folder = VectorFolder.own("sign")

  /// The least store: one signature for each id.
  struct Signatures {
    var keys = SeenKeys()
    var stored: [ObjectID: Signature?] = [:]

    /// Takes a node in, and says what became of its signature.
    mutating func arrive(_ node: Node) -> String {
      let key = keys.key(of: node)
      defer { keys.note(node) }
      if case .bad = node.verify(key: key) { return "refused" }
      guard let old = stored.updateValue(node.signature, forKey: node.id) else { return "new" }
      let choice = SignatureChoice.between(
        stored: old, arriving: node.signature, of: StoredObject(node), key: key)
      if choice == .keep { stored.updateValue(old, forKey: node.id) }
      return old == node.signature ? "same" : choice == .keep ? "kept" : "taken"
    }
  }

  @Test("every pair ends with the signature of the table")
  func pairs() throws {
    let rows = try Self.folder.table()
    #expect(rows.count >= 30)
    for row in rows {
      let id = try #require(ObjectID(text: row[4]))
      var store = Signatures()
      var outcomes: [String] = []
      for file in row[0...1] {
        for line in try Self.folder.lines(file) {
          let node = try #require(decode(line).node)
          let outcome = store.arrive(node)
          if node.id == id { outcomes.append(outcome) }
        }
      }
      // To the choice an upgrade is a taking like any other.
      let expected = row[2] == "upgraded" ? "taken" : row[2]
      #expect(outcomes == ["new", expected], "\(row[0])")
      let left = try #require(store.stored[id]).map { hex($0.all) } ?? "-"
      #expect(left == row[3], "\(row[0])")
    }
  }

  @Test("given the same key, the order of arrival does not matter")
  func orderOfArrival() throws {
    for row in try Self.folder.table()
    where row[2] != "refused" && row[0] != "good-unknown.first.ndjson" {
      var keys = SeenKeys()
      var nodes: [Node] = []
      for file in row[0...1] {
        for line in try Self.folder.lines(file) {
          let node = try #require(decode(line).node)
          keys.note(node)
          if node.id.text == row[4] { nodes.append(node) }
        }
      }
      try #require(nodes.count == 2)
      let key = keys.key(of: nodes[0])
      let kept = [nodes, nodes.reversed()].map { pair in
        let choice = SignatureChoice.between(
          stored: pair[0].signature, arriving: pair[1].signature, of: StoredObject(pair[0]),
          key: key)
        return choice == .take ? pair[1].signature : pair[0].signature
      }
      #expect(kept[0] == kept[1], "\(row[0])")
    }
  }
}

extension Signature {
  fileprivate var all: [UInt8] { (0..<64).map { bytes[$0] } }
}
