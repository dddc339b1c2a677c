// Nodes that were sent and not taken, and why.

package import RedoObject

internal import RedoCrypto

/// A node that a side did not take.
package struct RefusedNode: Hashable, Sendable {
  /// In place of a rule: a service has the node for accounts to which the one that sends it does not belong.
  package static let otherAccount = "other-account"
  /// In place of a rule: the node is only named, because no more was asked for.
  package static let named = "named"

  /// The most bytes of a rule's id.
  package static let ruleLimit = 64
  /// The most bytes of the further details.
  package static let detailLimit = 1024
  /// No fewer bytes than a row has.
  static let byteLimit = Digest.byteCount + 1 + ruleLimit + 2 + detailLimit

  /// The node.
  package let id: ObjectID
  /// The rule it breaks: lower-case letters, digits and `-`.
  package let rule: String
  /// What else is to be said; a peer's is to be escaped before it is shown.
  package let detail: String

  /// A row; `nil` for a rule with other characters, or for texts beyond the limits.
  package init?(id: ObjectID, rule: String, detail: String) {
    guard Self.isRule(rule), detail.utf8.count <= Self.detailLimit else { return nil }
    self.id = id
    self.rule = rule
    self.detail = detail
  }

  /// What a side is told that cannot go on without it.
  var cannotBeSent: String {
    let text = "'\(id.text)' cannot be sent: \(rule)\(detail.isEmpty ? "" : ": ")\(detail)"
    return String(text.unicodeScalars.prefix(PeerFault.textLimit / 4))
  }

  private static func isRule(_ text: String) -> Bool {
    (1...ruleLimit).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      }
  }

  /// Appends the row.
  func append(to output: inout [UInt8]) {
    id.appendRaw(to: &output)
    output.append(UInt8(rule.utf8.count))
    output += Array(rule.utf8)
    output.append(varint: UInt64(detail.utf8.count))
    output += Array(detail.utf8)
  }

  /// Reads a row.
  init(from reader: inout WireReader) throws(RemoteError) {
    let id = try reader.take(Digest.byteCount)
    let rule = try reader.take(reader.count(limit: Self.ruleLimit))
    let detail = try reader.take(reader.count(limit: Self.detailLimit))
    guard let detail = String(validating: detail, as: UTF8.self) else {
      throw reader.malformed("a detail that is not UTF-8")
    }
    guard
      let row = RefusedNode(
        id: ObjectID(digest: Digest(bytes: InlineArray { id[$0] })),
        rule: String(decoding: rule, as: UTF8.self), detail: detail)
    else { throw reader.malformed("a rule that has no id") }
    self = row
  }

  /// Rows as the payload of a frame, however many these are.
  package static func bytes(of rows: [RefusedNode]) -> [UInt8] {
    var output: [UInt8] = []
    for row in rows { row.append(to: &output) }
    return output
  }

  /// Reads the payload of a frame.
  ///
  /// - Parameter bytes: rows, at least one.
  /// - Returns: the rows.
  /// - Throws: `malformed`.
  package static func rows(decoding bytes: [UInt8]) throws(RemoteError) -> [RefusedNode] {
    var reader = WireReader(bytes)
    var rows: [RefusedNode] = []
    repeat { rows.append(try RefusedNode(from: &reader)) } while !reader.isAtEnd
    return rows
  }
}
