// The payload of a receipt for queries (receipts, section 3.3): canonical JSON in plain units, whatever the form of the
// envelope. The apps keep percents in hundredths and amounts in milligrams; here both are what people say.

internal import CanonicalJSON
internal import DAGCBOR
internal import RedoCrypto

extension Receipt {
  /// The payload as canonical JSON, in percents and grams.
  ///
  /// Members are in the order of RFC 8785; integers keep all of their digits.
  package var plainPayload: [UInt8] {
    var text: [UInt8] = []
    guard let document = try? CBORDocument(preimage), let payload = document.root.member("payload")
    else { return text }
    if payload.form == .bytes, let inside = try? CBORDocument(Array(payload.content)) {
      Self.appendSorted(inside.root, type, to: &text)
    } else {
      Self.appendSorted(payload, nil, to: &text)
    }
    return text
  }

  /// Appends a value with its members sorted.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - type: the type of the receipt, if this is a payload whose integers may stand for decimals.
  ///   - output: receives JSON.
  private static func appendSorted(
    _ value: CBORValue, _ type: String?, to output: inout [UInt8]
  ) {
    switch value.form {
    case .array:
      output.append(UInt8(ascii: "["))
      for (place, element) in value.elements.enumerated() {
        if place > 0 { output.append(UInt8(ascii: ",")) }
        appendSorted(element, nil, to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .map:
      var members: [(name: MemberName, text: [UInt8])] = []
      for (key, value) in value.members {
        var text: [UInt8] = []
        JSONWriter.appendString(key.content.span, to: &text)
        let name = MemberName(escaped: Array(text.dropFirst().dropLast()))
        text.append(UInt8(ascii: ":"))
        let decimals = type.map { ReceiptType.decimals(of: key.text ?? "", $0) } ?? 0
        if decimals > 0, case .integer(let number) = value.form {
          let scale = (0..<decimals).reduce(1.0) { product, _ in product * 10 }
          NumberText.append(Double(number) / scale, to: &text)
        } else {
          appendSorted(value, nil, to: &text)
        }
        members.append((name, text))
      }
      members.sort { $0.name < $1.name }
      output.append(UInt8(ascii: "{"))
      for (place, member) in members.enumerated() {
        if place > 0 { output.append(UInt8(ascii: ",")) }
        output += member.text
      }
      output.append(UInt8(ascii: "}"))
    case .integer, .largeInteger, .float, .text, .bool, .null, .bytes, .link:
      append(value, to: &output)
    }
  }
}
