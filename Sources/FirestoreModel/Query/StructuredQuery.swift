// google.firestore.v1.StructuredQuery, as far as redo sends and answers it.

/// A query.
package struct StructuredQuery: Sendable, Equatable {
  /// Which collections are looked through.
  package struct Source: Sendable, Equatable {
    /// The collection's id.
    package var collection: String
    /// Whether all collections of that id below the parent are meant.
    package var isGroup: Bool

    /// A collection.
    ///
    /// - Parameters:
    ///   - collection: its id.
    ///   - isGroup: whether all collections of that id below the parent are meant.
    package init(_ collection: String, isGroup: Bool = false) {
      self.collection = collection
      self.isGroup = isGroup
    }
  }

  /// An order by one field.
  package struct Order: Sendable, Equatable {
    /// The field.
    package var field: FieldPath
    /// Whether the largest value comes first.
    package var isDescending: Bool

    /// An order.
    ///
    /// - Parameters:
    ///   - field: the field.
    ///   - isDescending: whether the largest value comes first.
    package init(_ field: FieldPath, isDescending: Bool = false) {
      self.field = field
      self.isDescending = isDescending
    }
  }

  /// A place in the results.
  package struct Cursor: Sendable, Equatable {
    /// A value for each of the first orders.
    package var values: [FirestoreValue]
    /// Whether the place is right before the results with these values; otherwise right after.
    package var isBefore: Bool

    /// A place in the results.
    ///
    /// - Parameters:
    ///   - values: a value for each of the first orders.
    ///   - isBefore: whether it is right before the results with these values.
    package init(_ values: [FirestoreValue], isBefore: Bool) {
      self.values = values
      self.isBefore = isBefore
    }
  }

  /// The fields that the documents of the result have; `nil` for all of them.
  package var select: [FieldPath]?
  /// The collections; redo asks one.
  package var from: [Source]
  /// Which documents.
  package var filter: QueryFilter?
  /// The orders, the primary one first.
  package var orderBy: [Order] = []
  /// Where the results begin.
  package var startAt: Cursor?
  /// Where the results end.
  package var endAt: Cursor?
  /// How many results are passed over.
  package var offset: Int = 0
  /// The most results.
  package var limit: Int?

  /// A query of a collection.
  ///
  /// - Parameters:
  ///   - collection: the collection's id.
  ///   - filter: which documents.
  ///   - orderBy: in which order.
  ///   - limit: the most results.
  package init(
    _ collection: String, where filter: QueryFilter? = nil, orderBy: [Order] = [],
    limit: Int? = nil
  ) {
    from = [Source(collection)]
    self.filter = filter
    self.orderBy = orderBy
    self.limit = limit
  }
}

/// What a document of the result must be.
package indirect enum QueryFilter: Sendable, Equatable {
  /// How the value of a field is compared.
  package enum Operator: String, CaseIterable, Sendable {
    case lessThan = "LESS_THAN"
    case lessThanOrEqual = "LESS_THAN_OR_EQUAL"
    case greaterThan = "GREATER_THAN"
    case greaterThanOrEqual = "GREATER_THAN_OR_EQUAL"
    case equal = "EQUAL"
    case notEqual = "NOT_EQUAL"
    case arrayContains = "ARRAY_CONTAINS"
    case isIn = "IN"
    case arrayContainsAny = "ARRAY_CONTAINS_ANY"
    case notIn = "NOT_IN"

    /// Its number in the protocol buffers.
    package var number: Int64 { Int64(Self.allCases.firstIndex(of: self) ?? 0) + 1 }
  }

  /// A test of the value of a field without an operand.
  package enum UnaryOperator: String, CaseIterable, Sendable {
    case isNaN = "IS_NAN"
    case isNull = "IS_NULL"
    case isNotNaN = "IS_NOT_NAN"
    case isNotNull = "IS_NOT_NULL"

    /// Its number in the protocol buffers.
    package var number: Int64 { Int64(Self.allCases.firstIndex(of: self) ?? 0) + 2 }
  }

  /// All of these.
  case all([QueryFilter])
  /// At least one of these.
  case any([QueryFilter])
  /// The value of a field.
  case field(FieldPath, Operator, FirestoreValue)
  /// A test of a field without an operand.
  case unary(FieldPath, UnaryOperator)

  /// The most filters in one, and the deepest nesting, that are read.
  package static let countLimit = 100
  package static let depthLimit = 10

  /// All filters that are not composed of others, from left to right.
  package var leaves: [QueryFilter] {
    switch self {
    case .all(let filters), .any(let filters): filters.flatMap(\.leaves)
    case .field, .unary: [self]
    }
  }
}
