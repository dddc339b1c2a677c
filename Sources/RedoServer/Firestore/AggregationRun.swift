// Numbers about the results of a query: how many there are, sums and averages of their members (the semantics of
// google.firestore.v1.StructuredAggregationQuery).

internal import FirestoreModel

/// Works numbers out.
enum AggregationRun {
  /// A sum as it grows: of integers as long as it is one that 64 bits hold, of doubles otherwise.
  private struct Sum {
    private var integers = Int128(0)
    private var doubles = 0.0
    private var hasDoubles = false
    private(set) var count = 0

    /// Takes a value; what is no number is passed over.
    mutating func add(_ value: FirestoreValue) {
      switch value {
      case .integer(let number): integers += Int128(number)
      case .double(let number):
        doubles += number
        hasDoubles = true
      case .null, .boolean, .timestamp, .string, .bytes, .reference, .geoPoint, .array, .map: return
      }
      count += 1
    }

    private var double: Double { doubles + Double(integers) }

    var value: FirestoreValue {
      if !hasDoubles, let number = Int64(exactly: integers) { return .integer(number) }
      return .double(double)
    }

    var average: FirestoreValue { count == 0 ? .null : .double(double / Double(count)) }
  }

  /// Works numbers out.
  ///
  /// - Parameters:
  ///   - aggregations: what is asked.
  ///   - rows: the results of the query.
  ///   - value: the value of a member of a document.
  /// - Returns: the numbers by their names.
  /// - Throws: what `value` throws.
  static func numbers(
    _ aggregations: [AggregationQuery.Aggregation], of rows: [DocumentRow],
    _ value: (DocumentRow, FieldPath) throws(FirestoreError) -> FirestoreValue?
  ) throws(FirestoreError) -> FirestoreFields {
    var sums: [FieldPath: Sum] = [:]
    for field in aggregations.compactMap(\.kind.field) where sums[field] == nil {
      var sum = Sum()
      for row in rows { if let value = try value(row, field) { sum.add(value) } }
      sums[field] = sum
    }
    return FirestoreFields(
      aggregations.map { aggregation in
        switch aggregation.kind {
        case .count(let limit):
          .init(aggregation.alias, .integer(min(Int64(rows.count), limit ?? .max)))
        case .sum(let field): .init(aggregation.alias, (sums[field] ?? Sum()).value)
        case .average(let field): .init(aggregation.alias, (sums[field] ?? Sum()).average)
        }
      })
  }
}
