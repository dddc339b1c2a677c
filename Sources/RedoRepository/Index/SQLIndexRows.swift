// The rows of the index as lines for redo-index-sqlite(1), members in the order of RFC 8785: what redo derives from objects and
// notes, so that the program that keeps the index neither hashes nor judges. Pure.

internal import CanonicalJSON
internal import RedoCrypto
package import RedoHistory
package import RedoObject

/// Lines of rows.
package enum SQLIndexRows {
  /// Puts a row in its table.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - row: the row, a JSON object.
  /// - Returns: the line with its end.
  static func put(_ table: String, _ row: [UInt8]) -> [UInt8] {
    var line = Array("{\"put\":\"\(table)\",\"row\":".utf8)
    line += row
    line += "}\n".utf8
    return line
  }

  /// Says that no more rows of a table come.
  ///
  /// - Parameter table: the table.
  /// - Returns: the line with its end.
  static func whole(_ table: String) -> [UInt8] { Array("{\"whole\":\"\(table)\"}\n".utf8) }

  /// Takes a row out of its table.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - key: the columns of the key, and what they are.
  /// - Returns: the line with its end.
  package static func delete(_ table: String, _ key: [(name: String, text: String)]) -> [UInt8] {
    var line = Array("{\"delete\":\"\(table)\",\"key\":{".utf8)
    for (place, part) in key.enumerated() {
      if place > 0 { line.append(UInt8(ascii: ",")) }
      line += "\"\(part.name)\":".utf8
      JSONWriter.appendString(part.text, to: &line)
    }
    line += "}}\n".utf8
    return line
  }

  // MARK: Receipts

  /// A receipt.
  ///
  /// - Parameters:
  ///   - receipt: the receipt.
  ///   - received: when it was received, in milliseconds since 1970.
  /// - Returns: its line.
  package static func header(_ receipt: Receipt, received: Int64?) -> [UInt8] {
    var row: [UInt8] = []
    JSONWriter.append(to: &row) { json in
      json.object { json in
        json.add("cid", receipt.id.cidText(as: .receipt))
        if let claimed = receipt.claimed { json.add("claimed_time_ms", claimed) }
        if let device = receipt.deviceID { json.add("device_id", device) }
        json.add("did", receipt.did.text)
        if let parent = receipt.parent { json.add("parent_cid", parent.cidText(as: .receipt)) }
        json.name("payload_json")
        json.value(utf8: receipt.plainPayload.span)
        json.name("raw_cbor")
        let preimage = receipt.preimage
        json.value(escaped: { Base64.append(preimage.span, to: &$0) })
        json.add("receipt_type", receipt.type)
        json.add("received_at", json: LocalRow.json(time: received ?? 0))
        json.add("root_cid", receipt.root.cidText(as: .receipt))
        json.name("signature")
        json.value(escaped: { output in
          if let signature = receipt.signature { Base64.append(signature.bytes.span, to: &output) }
        })
      }
    }
    return put("ucr_headers", row)
  }

  /// What a chain of receipts comes to.
  package static func chain(_ chain: ChainView.Chain) -> [UInt8] {
    var row: [UInt8] = []
    JSONWriter.append(to: &row) { json in
      json.object { json in
        json.add("depth", chain.depth)
        json.add("head_cid", chain.shown.cidText(as: .receipt))
        json.add("heads", chain.heads.count)
        json.add("root_cid", chain.root.cidText(as: .receipt))
        if let tombstone = chain.tombstone {
          json.add("tombstone_cid", tombstone.cidText(as: .receipt))
        }
      }
    }
    return put("redo_chains", row)
  }

  /// What is kept on this machine about a chain of sessions that lives.
  ///
  /// - Parameters:
  ///   - chain: the chain.
  ///   - noted: its local row; `nil` without one.
  ///   - received: when the first receipt and the one that is shown were received, in milliseconds since 1970.
  /// - Returns: the row's key, and its line; `nil` for a chain that was deleted or put away.
  package static func localReceipt(
    of chain: ChainView.Chain, noted: LocalRow?, received: (first: Int64?, shown: Int64?)
  ) -> (uuid: String, line: [UInt8])? {
    guard chain.tombstone == nil, noted?.isPutAway != true else { return nil }
    let uuid = noted?.text("uuid") ?? Repository.localUUID(of: chain.root.cidText(as: .receipt))
    var members =
      noted?.members ?? [
        "created_at": LocalRow.json(time: received.first ?? 0),
        "updated_at": LocalRow.json(time: received.shown ?? 0),
      ]
    members["uuid"] = LocalRow.json(uuid)
    members["header_cid"] = LocalRow.json(chain.shown.cidText(as: .receipt))
    return (uuid, put("local_receipts", LocalRow.object(of: members)))
  }

  // MARK: Notes

  /// What of other rows must be there for a local row to be.
  package struct Present: Sendable {
    /// The CIDs of the receipts.
    package var receipts: Set<String> = []
    /// The CIDs of the rows of `blobs`.
    package var blobs: Set<String>
    /// The authors in the circle.
    package var people: Set<String>

    /// What local rows themselves bring.
    package init(_ rows: [LocalRow]) {
      blobs = Set(rows.filter { $0.key.table == .blobs && $0.members != nil }.map(\.key.text))
      people = Set(rows.filter { $0.key.table == .circles }.compactMap { $0.text("did") })
    }
  }

  /// The columns of a table that refer to receipts.
  private static func receiptColumns(_ table: LocalTable) -> [String] {
    switch table {
    case .locations, .receiptBlobs: ["receipt_cid"]
    case .sharedMemories: ["memory_cid"]
    case .receivedMemories: ["header_cid"]
    case .localReceipts, .circles, .devices, .circleInvites, .blobs: []
    }
  }

  /// The receipts that a local row refers to, by their CIDs.
  package static func receipts(of row: LocalRow) -> [String] {
    receiptColumns(row.key.table).compactMap { row.text($0) }
  }

  /// A local row of any table but that of chains.
  ///
  /// What it refers to and may lack is left out where that is not there; what it cannot lack keeps it out.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - present: what there is.
  /// - Returns: the line that puts it, or takes it away.
  package static func note(
    _ row: LocalRow, _ present: Present
  ) -> (line: [UInt8], isPut: Bool) {
    let table = row.key.table
    guard var members = row.members,
      receipts(of: row).allSatisfy({ present.receipts.contains($0) }),
      table != .receiptBlobs || present.blobs.contains(row.text("blob_cid") ?? ""),
      table != .receivedMemories || present.people.contains(row.text("sender_did") ?? "")
    else { return (delete(table.rawValue, key(row.key)), false) }
    for column in ["avatar_cid", "thumbnail_cid"] {
      if let cid = row.text(column), !present.blobs.contains(cid) { members[column] = nil }
    }
    return (put(table.rawValue, LocalRow.object(of: members)), true)
  }

  private static func key(_ key: LocalRow.Key) -> [(name: String, text: String)] {
    switch key.table {
    case .localReceipts: return [("uuid", key.text)]
    case .circles, .circleInvites, .sharedMemories, .receivedMemories: return [("id", key.text)]
    case .devices: return [("device_id", key.text)]
    case .locations, .blobs: return [("cid", key.text)]
    case .receiptBlobs:
      let parts = key.text.split(separator: "/").map(String.init)
      return [("blob_cid", parts.last ?? ""), ("receipt_cid", parts.first ?? "")]
    }
  }

  /// The tables of local rows in the order in which they are told: those that are referred to come first.
  static let noteTables: [LocalTable] = [
    .blobs, .circles, .devices, .circleInvites, .locations, .receiptBlobs, .sharedMemories,
    .receivedMemories,
  ]
}
