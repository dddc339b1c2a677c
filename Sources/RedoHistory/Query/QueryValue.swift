// What a property of a task or of a todo is worth.

internal import CanonicalJSON
package import RedoObject

/// A value that questions compare.
package enum QueryValue: Equatable, Sendable {
  /// There is no value, or it is `null`.
  case missing
  /// A Boolean.
  case truth(Bool)
  /// A number.
  case number(Double)
  /// An instant.
  case time(WallTime)
  /// A text: UTF-8.
  case text([UInt8])
  /// An array or an object, which compares with nothing.
  case composite

  /// The kinds of values that a property can have.
  package enum Kind: String, Sendable {
    /// A Boolean.
    case truth = "true or false"
    /// A number.
    case number = "a number"
    /// An instant.
    case time = "a time"
    /// A text.
    case text = "a text"
    /// Any JSON value.
    case any = "a value"
  }

  /// The value of some RFC 8785 JSON; `nil` for a missing one.
  init(json: [UInt8]?) {
    guard let json, let first = json.first else {
      self = .missing
      return
    }
    switch first {
    case UInt8(ascii: "\""):
      self = .text(StringEscape.unescape(json.span.extracting(1..<json.count - 1)))
    case UInt8(ascii: "t"): self = .truth(true)
    case UInt8(ascii: "f"): self = .truth(false)
    case UInt8(ascii: "n"): self = .missing
    case UInt8(ascii: "["), UInt8(ascii: "{"): self = .composite
    default: self = .number(FieldText.number(json))
    }
  }

  /// The instant of a text without quotes.
  init(time text: [UInt8]?) {
    self = text.flatMap { WallTime.parse($0.span) }.map { .time($0.time) } ?? .missing
  }

  /// The place of the kind when values of several kinds are sorted.
  private var order: Int {
    switch self {
    case .truth: 0
    case .number: 1
    case .time: 2
    case .text: 3
    case .composite: 4
    case .missing: 5
    }
  }

  /// Whether it is sorted before another value, upwards: `false` before `true`, texts bytewise.
  package func precedes(_ other: QueryValue) -> Bool {
    switch (self, other) {
    case (.truth(let left), .truth(let right)): !left && right
    case (.number(let left), .number(let right)): left < right
    case (.time(let left), .time(let right)): left < right
    case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
    default: order < other.order
    }
  }
}
