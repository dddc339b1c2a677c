// A receipt as JSON, for people and for pointers: the members in the order of the bytes, a payload of bytes as the map that
// it is, other bytes in Base64, links as {"/": <CID>}. It cannot be turned back into the bytes.

internal import CanonicalJSON
internal import DAGCBOR
internal import RedoCrypto

extension Receipt {
  /// Appends a preimage as JSON, on one line.
  ///
  /// - Parameters:
  ///   - preimage: the bytes of a receipt.
  ///   - output: receives UTF-8.
  /// - Returns: `false` when the bytes are no DAG-CBOR, and nothing is appended.
  package static func appendJSON(_ preimage: [UInt8], to output: inout [UInt8]) -> Bool {
    guard let document = try? CBORDocument(preimage) else { return false }
    append(document.root, isEnvelope: true, to: &output)
    return true
  }

  /// The payload as JSON, on one line.
  package var payloadJSON: [UInt8] {
    var text: [UInt8] = []
    guard let document = try? CBORDocument(preimage), let payload = document.root.member("payload")
    else { return text }
    if payload.form == .bytes, let inside = try? CBORDocument(Array(payload.content)) {
      Self.append(inside.root, to: &text)
    } else {
      Self.append(payload, to: &text)
    }
    return text
  }

  /// A member of the payload that is a text; `nil` where it is missing, or none.
  package func payloadText(_ name: StaticString) -> String? {
    guard let document = try? CBORDocument(preimage), let payload = document.root.member("payload")
    else { return nil }
    guard payload.form == .bytes else { return payload.member(name)?.text }
    guard let inside = try? CBORDocument(Array(payload.content)) else { return nil }
    return inside.root.member(name)?.text
  }

  /// Appends a value; members are in the order of the bytes.
  static func append(
    _ value: CBORValue, isEnvelope: Bool = false, to output: inout [UInt8]
  ) {
    switch value.form {
    case .integer(let number): output.append(decimal: number)
    case .largeInteger(let number, let isNegative):
      output += (isNegative ? "-\(number)" : "\(number)").utf8
    case .float(let number): NumberText.append(number, to: &output)
    case .text: JSONWriter.appendString(value.content.span, to: &output)
    case .bool(let truth): output.append(truth ? "true" : "false")
    case .null: output.append("null")
    case .bytes:
      output.append(UInt8(ascii: "\""))
      Base64.append(value.content.span, to: &output)
      output.append(UInt8(ascii: "\""))
    case .link:
      output.append("{\"/\":\"")
      output += (value.link?.text ?? "").utf8
      output.append("\"}")
    case .array:
      output.append(UInt8(ascii: "["))
      for (place, element) in value.elements.enumerated() {
        if place > 0 { output.append(UInt8(ascii: ",")) }
        append(element, to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .map:
      output.append(UInt8(ascii: "{"))
      for (place, member) in value.members.enumerated() {
        if place > 0 { output.append(UInt8(ascii: ",")) }
        append(member.key, to: &output)
        output.append(UInt8(ascii: ":"))
        if isEnvelope, member.key.text == "payload", member.value.form == .bytes,
          let payload = try? CBORDocument(Array(member.value.content))
        {
          append(payload.root, to: &output)
        } else {
          append(member.value, to: &output)
        }
      }
      output.append(UInt8(ascii: "}"))
    }
  }
}
