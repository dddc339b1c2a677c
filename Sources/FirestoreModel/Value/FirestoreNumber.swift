// What Firestore computes of numbers (google.firestore.v1.DocumentTransform).

/// Sums and extremes of numbers.
package enum FirestoreNumber {
  /// The sum of what is there and a number.
  ///
  /// Integers stay integers, and end at those of 64 bits; with a double both are doubles.
  ///
  /// - Parameters:
  ///   - old: what is there; anything but a number counts as nothing.
  ///   - number: an integer or a double.
  /// - Returns: the sum.
  package static func sum(_ old: FirestoreValue?, _ number: FirestoreValue) -> FirestoreValue {
    switch (old, number) {
    case (.integer(let one), .integer(let other)):
      let (sum, isOver) = one.addingReportingOverflow(other)
      return .integer(isOver ? (other < 0 ? .min : .max) : sum)
    case (.integer(let one), .double(let other)): return .double(Double(one) + other)
    case (.double(let one), .integer(let other)): return .double(one + Double(other))
    case (.double(let one), .double(let other)): return .double(one + other)
    default: return number
    }
  }

  /// The larger, or the smaller, of what is there and a number; what is there if they are equal.
  ///
  /// NaN is the larger and the smaller one.
  ///
  /// - Parameters:
  ///   - old: what is there; anything but a number counts as nothing.
  ///   - number: an integer or a double.
  ///   - isLargest: whether the larger one is wanted.
  /// - Returns: one of them.
  package static func extreme(
    _ old: FirestoreValue?, _ number: FirestoreValue, isLargest: Bool
  ) -> FirestoreValue {
    guard let old, isNumber(old) else { return number }
    if isNaN(old) { return old }
    if isNaN(number) { return number }
    switch FirestoreValue.order(number, old) {
    case .equal: return old
    case .greater: return isLargest ? number : old
    case .less: return isLargest ? old : number
    }
  }

  private static func isNumber(_ value: FirestoreValue) -> Bool {
    switch value {
    case .integer, .double: true
    default: false
    }
  }

  private static func isNaN(_ value: FirestoreValue) -> Bool {
    if case .double(let number) = value { number.isNaN } else { false }
  }
}
