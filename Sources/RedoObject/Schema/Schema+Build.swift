// From what an edit comes to, to a signed schema (schemas, section 1.3).

internal import CanonicalJSON
package import RedoCrypto

/// What a new schema says.
package struct SchemaDraft: Sendable {
  /// The heads that it follows, all of them; none begins a schema.
  private let parents: [Schema]
  private let wall: WallTime
  private let author: NodeDraft.Author
  private let change: Schema.Change
  private let definition: SchemaDefinition

  /// A draft of its parts.
  ///
  /// - Parameters:
  ///   - definition: the definition after the change.
  ///   - parents: the schemas that it follows, in any order.
  ///   - change: what led to it.
  ///   - author: who makes it.
  ///   - wall: the time of the clock.
  package init(
    _ definition: SchemaDefinition, after parents: [Schema], _ change: Schema.Change,
    by author: NodeDraft.Author, at wall: WallTime
  ) {
    self.definition = definition
    self.parents = parents
    self.change = change
    self.author = author
    self.wall = wall
  }

  /// The canonical body.
  package var body: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.addObject("author") { author.write(to: &$0) }
      json.addObject("change") { json in
        json.add("op", change.op)
        json.add("source", change.source.rawValue)
      }
      json.add("definition", json: definition.canonical)
      json.addArray("parents") { json in
        for parent in parents.map(\.id).sorted() {
          json.value(escaped: { parent.append(to: &$0) })
        }
      }
      json.add("schema", 1)
      json.addObject("timestamp") { json in
        json.add("lamport", (parents.map(\.lamport.value).max() ?? 0) + 1)
        json.add("wall", wall.text)
      }
    }
    return json.bytes
  }
}

extension SchemaDecoder {
  /// Builds and signs a schema, and verifies what was signed.
  ///
  /// - Parameters:
  ///   - draft: what it says.
  ///   - key: the author's secret key.
  /// - Returns: the schema; `nil` when `findings` has an error.
  package mutating func build(_ draft: SchemaDraft, signedBy key: borrowing SecretKey) -> Schema? {
    let body = draft.body
    let id = ObjectID(digest: SHA256.digest(of: body.span))
    var text: [UInt8] = []
    Schema.appendWhole(body: body.span, id: id, signature: key.sign(body.span), to: &text)
    guard let schema = decode(text) else { return nil }
    guard schema.verify().isGood else {
      refuse(Finding(.signatureBad, at: .pointer("/signature")))
      return nil
    }
    return schema
  }
}
