// A receipt as a line of JSON:
//
//   {"cbor":<Base64>,"cid":…,"received":<ms>,"signature":<Base64>}
//
// All but the first may be left out. The time of receipt only tells.

internal import CanonicalJSON
internal import DAGCBOR
internal import RedoCrypto
package import RedoObject

/// Reads receipts from lines, and writes them so.
package enum ReceiptLine {
  /// The most bytes of a line: the largest receipt in Base64, and the rest.
  package static let byteLimit = Receipt.byteLimit * 4 / 3 + 1024

  private static let names: Set = ["cbor", "cid", "received", "signature"]

  /// Reads a line.
  ///
  /// - Parameter text: one JSON object.
  /// - Returns: the receipt, not judged yet.
  /// - Throws: the first thing that is wrong with the line itself.
  package static func read(_ text: [UInt8]) throws(Finding) -> IncomingObject {
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
    var incoming = IncomingObject(preimage)
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

  /// What every line of a receipt begins with that is written here, and no line of a node does.
  private static let start: StaticString = "{\"cbor\":"

  /// Whether a text is meant as such a line, rather than as a node.
  package static func isOne(_ text: Span<UInt8>) -> Bool {
    let count = start.utf8CodeUnitCount
    return text.count >= count && text.extracting(..<count).elementsEqual(start)
  }

  /// A receipt as a line, which ends with a line feed.
  ///
  /// - Parameters:
  ///   - object: the receipt.
  ///   - received: when it was received, in milliseconds since 1970.
  /// - Returns: one RFC 8785 object.
  package static func line(_ object: StoredObject, received: Int64?) -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(object.canonical.count * 4 / 3 + 256)
    line += "\(start)\"".utf8
    Base64.append(object.canonical.span, to: &line)
    line += "\",\"cid\":\"\(object.id.cidText(as: object.kind))\"".utf8
    if let received { line += ",\"received\":\(received)".utf8 }
    if let signature = object.signature {
      line += ",\"signature\":\"".utf8
      object.kind.append(signature, to: &line)
      line.append(UInt8(ascii: "\""))
    }
    line += "}\n".utf8
    return line
  }

  private static func rule(_ name: String) -> Rule {
    switch name {
    case "cid": .cidForm
    case "signature": .signatureForm
    default: .receiptForm
    }
  }
}
