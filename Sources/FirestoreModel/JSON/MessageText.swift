// The JSON of the Firestore REST API, for reading: a strict scan (RFC 8259), then views of values.
// Integers of any size are accepted, because the API writes doubles such as 72057594037927936 in full.

package import CanonicalJSON

/// A message of the API, or a part of one, that has been scanned.
package struct MessageText: ~Copyable {
  /// The longest text in bytes: one message of the API, whose documents have at most 1 MiB each.
  package static let byteLimit = 64 * 1024 * 1024

  private let document: JSONDocument

  /// Scans a text.
  ///
  /// - Parameter bytes: one JSON value, white space around it included.
  /// - Throws: `FirestoreFormatError` with the rule and the byte.
  package init(_ bytes: [UInt8]) throws(FirestoreFormatError) {
    guard bytes.count <= Self.byteLimit else {
      throw FirestoreFormatError("", "a message of more than \(Self.byteLimit) bytes")
    }
    do throws(JSONError) {
      document = try JSONDocument(bytes, integers: .any)
    } catch {
      throw FirestoreFormatError("", "\(error.rule.rawValue) at byte \(error.offset)")
    }
  }

  /// Whether the text is byte for byte its own RFC 8785 form.
  var isCanonical: Bool { document.isCanonical }

  /// The whole value.
  package var root: JSONValue {
    @_lifetime(borrow self)
    get { document.root }
  }
}

/// Values as proto3 JSON means them: null is the same as absent, and numbers may be strings.
extension JSONValue {
  /// The value of a member; `nil` when it is missing or `null`, or when this is not an object.
  ///
  /// - Parameter name: ASCII without characters that JSON escapes.
  /// - Returns: the value.
  @_lifetime(copy self)
  package func given(_ name: StaticString) -> JSONValue? {
    guard let value = self[name], !value.isNull else { return nil }
    return value
  }

  /// The digits of a number, or of a number that is written as a string.
  private var digits: String? { isNumber ? contentText : string }

  /// The value as an integer of 64 bits, written as a number or as a string.
  package var protoInteger: Int64? {
    guard let digits, Self.isDecimal(digits) else { return nil }
    if let exact = Int64(digits) { return exact }
    // 1.0 and 1e3 are integers as well.
    guard let number = Double(digits), number.magnitude < 9e15 else { return nil }
    return Int64(exactly: number)
  }

  /// The value as a double, written as a number or as a string, `NaN` included.
  package var protoDouble: Double? {
    guard let digits else { return nil }
    switch digits {
    case "NaN": return .nan
    case "Infinity": return .infinity
    case "-Infinity": return -.infinity
    default:
      guard Self.isDecimal(digits), let value = Double(digits), value.isFinite else { return nil }
      return value
    }
  }

  /// Whether a text may be a decimal number: Swift reads hexadecimal ones and words as well.
  private static func isDecimal(_ text: String) -> Bool {
    guard let first = text.utf8.first,
      first == UInt8(ascii: "-") || first &- UInt8(ascii: "0") < 10
    else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
  }

  /// An error at this value.
  package func fault(_ fault: String) -> FirestoreFormatError {
    FirestoreFormatError(pointer, fault)
  }
}
