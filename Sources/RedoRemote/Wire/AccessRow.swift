// Which accounts may see a node, for a side that keeps it:
//
//   32 bytes   the node's id
//   2 bytes    the bytes of the list, the lowest first; 65,535 when there is none any more
//   list       redo-store(5), "access"

package import RedoObject

internal import RedoCrypto

/// The access list of a node.
package struct AccessRow: Hashable, Sendable {
  private static let noList = 0xFFFF

  /// The node.
  package let id: ObjectID
  /// The accounts that may see it; `nil` when it has no list any more.
  package let list: AccessList?

  /// A row.
  package init(id: ObjectID, list: AccessList?) {
    self.id = id
    self.list = list
  }

  /// The bytes that it takes, and a frame of its own at the most.
  var byteCount: Int { Digest.byteCount + 2 + (list?.bytes.count ?? 0) + WireFrame.headerBytes }

  /// Appends the row.
  func append(to output: inout [UInt8]) {
    id.appendRaw(to: &output)
    let count = list?.bytes.count ?? Self.noList
    output += [UInt8(count & 0xFF), UInt8(count >> 8)]
    output += list?.bytes ?? []
  }

  /// Reads a row.
  init(from reader: inout WireReader) throws(RemoteError) {
    let id = try reader.take(Digest.byteCount)
    let count = Int(try reader.byte()) | Int(try reader.byte()) << 8
    var list: AccessList?
    if count != Self.noList {
      list = AccessList(decoding: Array(try reader.take(count)))
      guard list != nil else { throw reader.malformed("an access list of another form") }
    }
    self.init(id: ObjectID(digest: Digest(bytes: InlineArray { id[$0] })), list: list)
  }

  /// Reads the payload of a frame.
  ///
  /// - Parameter bytes: rows, at least one.
  /// - Returns: the rows.
  /// - Throws: `malformed`.
  package static func rows(decoding bytes: [UInt8]) throws(RemoteError) -> [AccessRow] {
    var reader = WireReader(bytes)
    var rows: [AccessRow] = []
    repeat { rows.append(try AccessRow(from: &reader)) } while !reader.isAtEnd
    return rows
  }
}
