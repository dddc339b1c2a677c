// The order of values in queries (Firestore, "Data types"): first by type, then by value. Integers
// and doubles are one type there, compared as numbers without rounding; NaN comes before all of them.

/// How two values compare.
package enum FirestoreOrder: Sendable {
  case less, equal, greater

  init<Value: Comparable>(_ left: Value, _ right: Value) {
    self = left == right ? .equal : left < right ? .less : .greater
  }

  /// This one, unless it is equal; then the other one.
  func then(_ next: @autoclosure () -> FirestoreOrder) -> FirestoreOrder {
    if case .equal = self { next() } else { self }
  }
}

extension FirestoreValue {
  /// The place of a type among the types; those of one place are compared by their values.
  package var typeOrder: Int {
    switch self {
    case .null: 0
    case .boolean: 1
    case .integer, .double: 2
    case .timestamp: 3
    case .string: 4
    case .bytes: 5
    case .reference: 6
    case .geoPoint: 7
    case .array: 8
    case .map: 9
    }
  }

  /// Compares two values as an order by a field does, and as `EQUAL` does.
  ///
  /// - Parameters:
  ///   - left: a value.
  ///   - right: another value.
  /// - Returns: how they compare.
  package static func order(_ left: FirestoreValue, _ right: FirestoreValue) -> FirestoreOrder {
    switch (left, right) {
    case (.boolean(let one), .boolean(let other)):
      FirestoreOrder(one ? 1 : 0, other ? 1 : 0)
    case (.integer(let one), .integer(let other)): FirestoreOrder(one, other)
    case (.double(let one), .double(let other)): order(one, other)
    case (.integer(let one), .double(let other)): order(one, other)
    case (.double(let one), .integer(let other)): order(other, one).reversed
    case (.timestamp(let one), .timestamp(let other)): FirestoreOrder(one, other)
    case (.string(let one), .string(let other)): order(one, other)
    case (.bytes(let one), .bytes(let other)): order(one, other) { FirestoreOrder($0, $1) }
    case (.reference(let one), .reference(let other)):
      order(names(one), names(other)) { order($0, $1) }
    case (.geoPoint(let one, let first), .geoPoint(let other, let second)):
      order(one, other).then(order(first, second))
    case (.array(let one), .array(let other)): order(one, other) { order($0, $1) }
    case (.map(let one), .map(let other)):
      order(one.members, other.members) { left, right in
        order(left.name, right.name).then(order(left.value, right.value))
      }
    default: FirestoreOrder(left.typeOrder, right.typeOrder)
    }
  }

  /// Compares names by their parts, not by their bytes: `a/b` comes before `a!/b`.
  private static func names(_ reference: String) -> [String] {
    reference.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  }

  private static func order<Element>(
    _ left: [Element], _ right: [Element], by compare: (Element, Element) -> FirestoreOrder
  ) -> FirestoreOrder {
    for (one, other) in zip(left, right) {
      let order = compare(one, other)
      guard case .equal = order else { return order }
    }
    return FirestoreOrder(left.count, right.count)
  }

  private static func order(_ left: String, _ right: String) -> FirestoreOrder {
    ExactText.areEqual(left, right) ? .equal : ExactText.isLess(left, right) ? .less : .greater
  }

  /// Doubles; NaN is equal to itself and less than all others, -0 is 0.
  private static func order(_ left: Double, _ right: Double) -> FirestoreOrder {
    if left.isNaN || right.isNaN {
      return FirestoreOrder(left.isNaN ? 0 : 1, right.isNaN ? 0 : 1)
    }
    return FirestoreOrder(left, right)
  }

  /// An integer and a double, without rounding the integer.
  private static func order(_ left: Int64, _ right: Double) -> FirestoreOrder {
    if right.isNaN { return .greater }
    if right >= 0x1p63 { return .less }
    if right < -0x1p63 { return .greater }
    let whole = right.rounded(.down)
    return FirestoreOrder(left, Int64(whole)).then(right > whole ? .less : .equal)
  }
}

extension FirestoreOrder {
  /// The reverse of an order.
  package var reversed: FirestoreOrder {
    switch self {
    case .less: .greater
    case .equal: .equal
    case .greater: .less
    }
  }
}
