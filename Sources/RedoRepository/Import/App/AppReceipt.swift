// A receipt of a database of the app. Its bytes count: the columns beside them are only compared.

internal import CanonicalJSON
internal import DAGCBOR
internal import RedoCrypto
package import RedoObject

/// A receipt of a database of the app, not judged yet.
package struct AppReceipt: Sendable {
  /// Its row.
  private let row: AppRow
  /// Its bytes, its signature and the id that the row states.
  package let incoming: IncomingObject
  /// When the app received it, in milliseconds since 1970.
  package let received: Int64

  /// The CID that the row states.
  package var cid: String { row.text("cid") ?? "" }

  /// Reads a row.
  ///
  /// - Parameter row: one of `ucr_headers`.
  /// - Throws: the column that is not what it must be.
  package init(_ row: AppRow) throws(Finding) {
    let name = row.text("cid") ?? ""
    guard let cid = CID(text: Array(name.utf8).span), cid.codec == .dagCBOR else {
      throw Finding(.cidForm, at: ["cid"], detail: name)
    }
    guard let bytes = row.bytes("raw_cbor") else { throw Finding(.receiptForm, at: ["raw_cbor"]) }
    let text = row.text("signature") ?? ""
    guard let signature = Signature(base64: Array(text.utf8).span) else {
      throw Finding(.signatureForm, at: ["signature"], detail: text)
    }
    self.row = row
    incoming = IncomingObject(bytes, signature: signature, stated: ObjectID(cid))
    received = row.time("received_at") ?? 0
  }

  /// The columns that say something other than the bytes.
  ///
  /// - Parameter receipt: what the bytes say.
  /// - Returns: a finding for each.
  package func differences(from receipt: Receipt) -> [Finding] {
    let columns = [
      ("device_id", receipt.deviceID), ("did", receipt.did.text),
      ("parent_cid", receipt.parent?.cidText(as: .receipt)), ("receipt_type", receipt.type),
      ("root_cid", receipt.root.cidText(as: .receipt)),
    ]
    var findings: [Finding] = []
    for (name, value) in columns where row.text(name) != value {
      findings.append(Finding(.databaseColumn, at: [name], detail: row.text(name) ?? "NULL"))
    }
    if !hasPayload(of: receipt) { findings.append(Finding(.databaseColumn, at: ["payload_json"])) }
    return findings
  }

  /// Whether the payload is that of the bytes, in the integers of the clients or in plain units.
  private func hasPayload(of receipt: Receipt) -> Bool {
    func canonical(_ text: [UInt8]) -> [UInt8]? { try? JSONDocument(text).canonical }
    guard let said = canonical(receipt.payloadJSON), let plain = canonical(receipt.plainPayload)
    else {
      // Numbers that JSON does not have exactly cannot be compared.
      return true
    }
    let told = row.text("payload_json").flatMap { canonical(Array($0.utf8)) }
    return told == said || told == plain
  }
}
