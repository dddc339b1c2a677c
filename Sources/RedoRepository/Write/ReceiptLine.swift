// A receipt as a line of JSON:
//
//   {"cbor":<Base64>,"cid":…,"received":<ms>,"signature":<Base64>}
//
// All but the first may be left out. The time of receipt only tells.

internal import CanonicalJSON
internal import DAGCBOR
internal import RedoCrypto
package import RedoObject

/// Reads receipts from lines.
package enum ReceiptLine {
  /// The most bytes of a line: the largest receipt in Base64, and the rest.
  package static let byteLimit = Receipt.byteLimit * 4 / 3 + 1024

  private static let names: Set = ["cbor", "cid", "received", "signature"]

  /// Reads a line.
  ///
  /// - Parameter text: one JSON object.
  /// - Returns: the receipt, not judged yet.
  /// - Throws: the first thing that is wrong with the line itself.
  package static func read(_ text: [UInt8]) throws(Finding) -> IncomingReceipt {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(text)
    } catch {
      throw Finding(error)
    }
    guard document.root.isObject else { throw Finding(.receiptForm, at: .pointer("")) }
    var found: [String: [UInt8]] = [:]
    var members = document.root.members
    while let member = members.next() {
      let name = member.name.string ?? ""
      guard names.contains(name) else { throw Finding(.memberUnknown, at: [name]) }
      if name == "received" { continue }
      guard let value = member.value.escaped else { throw Finding(rule(name), at: [name]) }
      found[name] = (0..<value.count).map { value[$0] }
    }
    guard let cbor = found["cbor"] else { throw Finding(.memberMissing, at: ["cbor"]) }
    guard let preimage = Base64.decode(cbor.span) else { throw Finding(.receiptForm, at: ["cbor"]) }
    var incoming = IncomingReceipt(preimage)
    if let text = found["cid"] {
      guard let cid = CID(text: text.span), cid.codec == .dagCBOR else {
        throw Finding(.cidForm, at: ["cid"], detail: String(decoding: text, as: UTF8.self))
      }
      incoming.stated = ObjectID(cid)
    }
    if let text = found["signature"] {
      guard let signature = Signature(base64: text.span) else {
        throw Finding(.signatureForm, at: ["signature"])
      }
      incoming.signature = signature
    }
    return incoming
  }

  private static func rule(_ name: String) -> Rule {
    switch name {
    case "cid": .cidForm
    case "signature": .signatureForm
    default: .receiptForm
    }
  }
}
