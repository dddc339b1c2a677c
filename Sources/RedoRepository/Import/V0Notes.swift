// What a converted log said that its new form cannot say: the old IDs, and the signatures over bodies that no longer
// exist. One blob for each import, RFC 8785:
//
//   {"format":"redo-v0-notes","nodes":[{"id":"sha256:...","oldId":"...","publicKey":"...",
//   "signature":"..."},...],"version":1}
//
// sorted by ID; publicKey and signature if there were any. `notes/v0/<64 hex of the blob>` names it, so that it can be
// found, is kept, and is the same for the same log.

internal import CanonicalJSON
package import RedoObject
package import RedoStore

/// The notes of one import.
package struct V0Notes {
  /// The note on one node.
  package struct Row {
    /// The new ID of the node.
    package let id: ObjectID
    /// The row, RFC 8785.
    package let text: [UInt8]

    /// Creates a row from its text in a blob.
    package init(id: ObjectID, text: [UInt8]) {
      self.id = id
      self.text = text
    }

    /// Creates a row from its parts, copied unchanged.
    package init(id: ObjectID, oldID: String, publicKey: String?, signature: String?) {
      self.id = id
      var json = JSONWriter()
      json.object { json in
        json.add("id", id.text)
        json.add("oldId", oldID)
        if let publicKey { json.add("publicKey", publicKey) }
        if let signature { json.add("signature", signature) }
      }
      text = json.bytes
    }
  }

  /// The rows, in any order.
  package var rows: [Row] = []

  private static let opening: StaticString = "{\"format\":\"redo-v0-notes\",\"nodes\":["
  private static let closing: StaticString = "],\"version\":1}"

  package init() {}

  /// Reads a blob.
  ///
  /// - Parameter bytes: its bytes; the result is `nil` when they are not notes of this version.
  package init?(_ bytes: [UInt8]) {
    guard let document = try? JSONDocument(bytes), document.isCanonical,
      bytes.starts(with: Array("\(Self.opening)".utf8)),
      bytes.reversed().starts(with: "\(Self.closing)".utf8.reversed())
    else { return nil }
    guard let nodes = document.root["nodes"], nodes.isArray else { return nil }
    var elements = nodes.elements
    while let element = elements.next() {
      var members = element.members
      guard let text = members.next()?.value.escaped, let id = ObjectID(ascii: text) else {
        return nil
      }
      rows.append(Row(id: id, text: element.bytes))
    }
  }

  /// The bytes of the blob.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(Self.opening)
    for (index, row) in rows.sorted(by: { $0.id < $1.id }).enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += row.text
    }
    bytes.append(Self.closing)
    return bytes
  }

  /// The name of the ref for a blob of notes.
  package static func name(of blob: ObjectID) -> RefName {
    guard let name = RefName("\(RefName.notesPrefix)\(blob.hex)") else {
      preconditionFailure("BUG: an id makes no ref name")
    }
    return name
  }
}
