// google.firestore.v1.Value: what a field of a document can be.

/// A value of a document.
package indirect enum FirestoreValue: Sendable {
  /// Nothing.
  case null
  /// True or false.
  case boolean(Bool)
  /// An integer of 64 bits.
  case integer(Int64)
  /// A double, NaN and the infinities included.
  case double(Double)
  /// An instant.
  case timestamp(FirestoreTimestamp)
  /// Text.
  case string(String)
  /// Bytes.
  case bytes([UInt8])
  /// The full name of a document.
  case reference(String)
  /// A point on the Earth, in degrees.
  case geoPoint(latitude: Double, longitude: Double)
  /// Values in an order; none of them may be an array.
  case array([FirestoreValue])
  /// Values with names.
  case map(FirestoreFields)

  /// How deep values are read; Firestore keeps 20 levels of maps and arrays.
  package static let readDepthLimit = 64
}

extension FirestoreValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByNilLiteral
{
  package init(stringLiteral text: String) { self = .string(text) }
  package init(integerLiteral number: Int64) { self = .integer(number) }
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
  package init(arrayLiteral values: FirestoreValue...) { self = .array(values) }
  package init(nilLiteral: ()) { self = .null }
}

extension FirestoreValue {
  /// The text of a string.
  package var text: String? { if case .string(let text) = self { text } else { nil } }
  /// The integer.
  package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
  /// The instant of a timestamp.
  package var timestamp: FirestoreTimestamp? {
    if case .timestamp(let time) = self { time } else { nil }
  }
  /// The elements of an array.
  package var elements: [FirestoreValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }
  /// The fields of a map.
  package var fields: FirestoreFields? { if case .map(let fields) = self { fields } else { nil } }
}

// The same value: of the same type, texts by their bytes, doubles by their bits (NaN is NaN). What
// is equal in a query is another question: see `FirestoreValue.order`.
extension FirestoreValue: Equatable {
  package static func == (left: FirestoreValue, right: FirestoreValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let one), .boolean(let other)): one == other
    case (.integer(let one), .integer(let other)): one == other
    case (.double(let one), .double(let other)):
      one.bitPattern == other.bitPattern || one.isNaN && other.isNaN
    case (.timestamp(let one), .timestamp(let other)): one == other
    case (.string(let one), .string(let other)): ExactText.areEqual(one, other)
    case (.bytes(let one), .bytes(let other)): one == other
    case (.reference(let one), .reference(let other)): ExactText.areEqual(one, other)
    case (.geoPoint(let one, let first), .geoPoint(let other, let second)):
      one.bitPattern == other.bitPattern && first.bitPattern == second.bitPattern
    case (.array(let one), .array(let other)): one == other
    case (.map(let one), .map(let other)): one == other
    default: false
    }
  }
}

/// Texts by their bytes: Swift's own comparison equates canonically equivalent texts.
enum ExactText {
  /// Whether two texts have the same bytes.
  static func areEqual(_ one: String, _ other: String) -> Bool {
    one == other && one.utf8.elementsEqual(other.utf8)
  }

  /// Whether a text comes first by the bytes of its UTF-8.
  static func isLess(_ one: String, _ other: String) -> Bool {
    one.utf8.lexicographicallyPrecedes(other.utf8)
  }
}
