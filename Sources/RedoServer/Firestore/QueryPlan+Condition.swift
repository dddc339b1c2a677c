// What a query asks for, taken apart: conditions, alternatives of them, and places in the results.

internal import FirestoreModel

extension QueryPlan {
  /// What the value of a member must be.
  struct Condition {
    /// How it is compared.
    enum Test {
      case equal([UInt8])
      case oneOf(Set<[UInt8]>)
      /// There is one that is neither null nor any of these.
      case noneOf(Set<[UInt8]>)
      case contains(Set<[UInt8]>)
      case less([UInt8])
      case lessOrEqual([UInt8])
      case greater([UInt8])
      case greaterOrEqual([UInt8])
    }

    let path: FieldPath
    let test: Test
  }

  /// Conditions that a result meets all of; of several such lists it meets one at least.
  struct Branch {
    var conditions: [Condition] = []
    /// The documents that are asked for by name, if that is so.
    var named: [DocumentKey]?
  }

  /// A place in the results.
  struct Bound {
    let values: [[UInt8]]
    let isBefore: Bool
  }
}

extension QueryPlan.Condition {
  /// Whether it asks for a range of values.
  var isRange: Bool {
    switch test {
    case .equal, .oneOf, .contains: false
    case .noneOf, .less, .lessOrEqual, .greater, .greaterOrEqual: true
    }
  }

  /// Whether a value meets it.
  func holds(_ value: ArraySlice<UInt8>) -> Bool {
    switch test {
    case .equal(let other): return value.elementsEqual(other)
    case .oneOf(let others): return others.contains(Array(value))
    case .noneOf(let others):
      return !value.elementsEqual(Self.null) && !others.contains(Array(value))
    case .contains(let others):
      return OrderedValue.elements(value)?.contains { others.contains(Array($0)) } ?? false
    case .less(let other):
      return isComparable(value, other) && value.lexicographicallyPrecedes(other)
    case .lessOrEqual(let other):
      return isComparable(value, other) && !other.lexicographicallyPrecedes(value)
    case .greater(let other):
      return isComparable(value, other) && other.lexicographicallyPrecedes(value)
    case .greaterOrEqual(let other):
      return isComparable(value, other) && !value.lexicographicallyPrecedes(other)
    }
  }

  private static let null = OrderedValue.bytes(.null)

  /// Values of another type are neither greater nor less.
  private func isComparable(_ value: ArraySlice<UInt8>, _ other: [UInt8]) -> Bool {
    path.isDocumentName || value.first == other.first
  }
}
