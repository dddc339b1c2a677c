// A query, taken apart and judged: what is compared, in which order, from where to where, whether the rules let
// it through and whether an index serves it.

internal import FirestoreModel

/// A query that is answered.
struct QueryPlan {
  /// What the value of a member must be.
  struct Condition {
    /// How it is compared.
    enum Test {
      case equal([UInt8])
      case oneOf(Set<[UInt8]>)
      case contains(Set<[UInt8]>)
      case less([UInt8])
      case lessOrEqual([UInt8])
      case greater([UInt8])
      case greaterOrEqual([UInt8])
    }

    let path: FieldPath
    let test: Test
  }

  /// A place in the results.
  struct Bound {
    let values: [[UInt8]]
    let isBefore: Bool
  }

  /// The most values of `IN` and of `ARRAY_CONTAINS_ANY`.
  private static let valueLimit = 30

  let collection: [UInt8]
  private(set) var conditions: [Condition] = []
  private(set) var orders: [StructuredQuery.Order] = []
  private(set) var start: Bound?
  private(set) var end: Bound?
  let offset: Int
  let limit: Int
  let select: [FieldPath]?
  /// The documents that a query asks for by name, if it does so.
  private(set) var named: [DocumentKey]?

  private let database: DatabaseName

  /// Takes a query apart.
  ///
  /// - Parameters:
  ///   - query: the query.
  ///   - parent: the path of the document below which it looks; empty for the root.
  ///   - database: its database.
  /// - Throws: what is wrong with it, or not answered here.
  init(
    _ query: StructuredQuery, parent: [String], _ database: DatabaseName
  ) throws(FirestoreError) {
    guard query.from.count == 1, DocumentName.isSegment(query.from[0].collection) else {
      throw FirestoreError(.invalidArgument, "a query asks one collection")
    }
    guard !query.from[0].isGroup else {
      throw FirestoreError(.unimplemented, "collection groups are not asked here")
    }
    self.database = database
    collection = Array((parent + [query.from[0].collection]).joined(separator: "/").utf8)
    offset = query.offset
    limit = query.limit ?? .max
    select = query.select
    if let filter = query.filter { try add(filter) }
    try addOrders(query.orderBy)
    start = try bound(query.startAt)
    end = try bound(query.endAt)
  }

  // MARK: Filters

  private mutating func add(_ filter: QueryFilter) throws(FirestoreError) {
    switch filter {
    case .all(let filters): for filter in filters { try add(filter) }
    case .any(let filters):
      guard filters.count == 1 else {
        throw FirestoreError(.unimplemented, "filters are not joined by OR here")
      }
      try add(filters[0])
    case .unary(let path, let test):
      switch test {
      case .isNull: try add(path, .equal(try ordered(.null, path)))
      case .isNaN: try add(path, .equal(try ordered(.double(.nan), path)))
      case .isNotNull, .isNotNaN:
        throw FirestoreError(.unimplemented, "'\(test.rawValue)' is not asked here")
      }
    case .field(let path, let comparison, let value): try add(path, comparison, value)
    }
  }

  private mutating func add(
    _ path: FieldPath, _ comparison: QueryFilter.Operator, _ value: FirestoreValue
  ) throws(FirestoreError) {
    switch comparison {
    case .equal:
      try add(path, .equal(try ordered(value, path)))
      if path.isDocumentName { try name([value]) }
    case .isIn:
      let values = try list(value, comparison)
      var set: Set<[UInt8]> = []
      for value in values { set.insert(try ordered(value, path)) }
      try add(path, .oneOf(set))
      if path.isDocumentName { try name(values) }
    case .arrayContains: try add(path, .contains([try ordered(value, path)]))
    case .arrayContainsAny:
      var set: Set<[UInt8]> = []
      for value in try list(value, comparison) { set.insert(try ordered(value, path)) }
      try add(path, .contains(set))
    case .lessThan: try add(path, .less(try ordered(value, path)))
    case .lessThanOrEqual: try add(path, .lessOrEqual(try ordered(value, path)))
    case .greaterThan: try add(path, .greater(try ordered(value, path)))
    case .greaterThanOrEqual: try add(path, .greaterOrEqual(try ordered(value, path)))
    case .notEqual, .notIn:
      throw FirestoreError(.unimplemented, "'\(comparison.rawValue)' is not asked here")
    }
  }

  private mutating func add(_ path: FieldPath, _ test: Condition.Test) throws(FirestoreError) {
    if path.isDocumentName, case .contains = test {
      throw FirestoreError(.invalidArgument, "'__name__' is no array")
    }
    conditions.append(Condition(path: path, test: test))
  }

  private func list(
    _ value: FirestoreValue, _ comparison: QueryFilter.Operator
  ) throws(FirestoreError) -> [FirestoreValue] {
    guard let values = value.elements, !values.isEmpty else {
      throw FirestoreError(
        .invalidArgument, "'\(comparison.rawValue)' requires an non-empty ArrayValue.")
    }
    guard values.count <= Self.valueLimit else {
      throw FirestoreError(
        .invalidArgument,
        "'\(comparison.rawValue)' supports up to \(Self.valueLimit) comparison values.")
    }
    return values
  }

  private mutating func name(_ values: [FirestoreValue]) throws(FirestoreError) {
    var keys: [DocumentKey] = []
    for value in values { keys.append(DocumentKey(try document(value))) }
    named = named.map { $0.filter(keys.contains) } ?? keys
  }

  private func document(_ value: FirestoreValue) throws(FirestoreError) -> DocumentName {
    guard case .reference(let text) = value, let name = DocumentName(text: text),
      name.database == database, DocumentKey(name).collection == collection
    else {
      throw FirestoreError(
        .invalidArgument, "'__name__' is compared with documents of the collection that is asked")
    }
    return name
  }

  /// The bytes of a value that a member is compared with; of a document's name those of its id.
  private func ordered(
    _ value: FirestoreValue, _ path: FieldPath
  ) throws(FirestoreError) -> [UInt8] {
    path.isDocumentName ? DocumentKey(try document(value)).id : OrderedValue.bytes(value)
  }

  // MARK: Order

  private mutating func addOrders(_ given: [StructuredQuery.Order]) throws(FirestoreError) {
    orders = given
    var paths = Set(given.map(\.field))
    guard paths.count == given.count else {
      throw FirestoreError(.invalidArgument, "the same member is ordered by twice")
    }
    let isDescending = given.last?.isDescending ?? false
    // What is compared with < or > orders the result, too.
    let compared = conditions.filter(\.isRange).map(\.path).sorted { $0.text < $1.text }
    for path in compared where !path.isDocumentName && paths.insert(path).inserted {
      orders.append(.init(path, isDescending: isDescending))
    }
    if paths.insert(.documentName).inserted {
      orders.append(.init(.documentName, isDescending: isDescending))
    }
  }

  private func bound(
    _ cursor: StructuredQuery.Cursor?
  ) throws(FirestoreError) -> Bound? {
    guard let cursor else { return nil }
    guard cursor.values.count <= orders.count else {
      throw FirestoreError(.invalidArgument, "Cursor has too many values.")
    }
    var values: [[UInt8]] = []
    for (index, value) in cursor.values.enumerated() {
      values.append(try ordered(value, orders[index].field))
    }
    return Bound(values: values, isBefore: cursor.isBefore)
  }

  // MARK: Judgement

  /// Whether the query is about `nodes`.
  var asksNodes: Bool { collection == Array(DocumentKey.nodes.utf8) }

  /// The account whose nodes the query asks for, if it does so.
  var reader: [UInt8]? {
    guard asksNodes else { return nil }
    for condition in conditions where condition.path == HeldMembers.paths[HeldMembers.accessList] {
      if case .contains(let readers) = condition.test, readers.count == 1 { return readers.first }
    }
    return nil
  }

  /// Applies the rules: they must let every possible result of the query through.
  ///
  /// - Parameters:
  ///   - caller: the client.
  ///   - table: what there is.
  /// - Throws: `PERMISSION_DENIED`.
  func check(_ caller: FirestoreCaller, _ table: DocumentTable) throws(FirestoreError) {
    guard !caller.isAdmin, !(asksNodes && caller.seesAll) else { return }
    if let named {
      guard named.allSatisfy({ FirestoreRules.allowsRead(caller, $0, table[$0]) }) else {
        throw FirestoreRules.refusal
      }
    } else if reader == nil || reader != caller.reader {
      throw FirestoreRules.refusal
    }
  }

  /// Looks for the index that the query needs.
  ///
  /// - Throws: `FAILED_PRECONDITION` with the index that is missing.
  func checkIndexes() throws(FirestoreError) {
    var need = IndexNeed()
    for condition in conditions where !condition.path.isDocumentName && !condition.isRange {
      let isArray = if case .contains = condition.test { true } else { false }
      need.equal.insert(.init(condition.path, isArray ? .contains : .ascending))
    }
    let last = orders.last { !$0.field.isDocumentName }
    for order in orders where !order.field.isDocumentName {
      need.order.append(.init(order.field, order.isDescending ? .descending : .ascending))
    }
    if let name = orders.last, let last {
      need.isNameAlong =
        name.field.isDocumentName && name.isDescending == last.isDescending
    } else if let name = orders.first {
      need.isNameAlong = !name.isDescending || need.equal.isEmpty
    }
    if asksNodes {
      for path in need.equal.map(\.path) + need.order.map(\.path)
      where !HeldMembers.paths.contains(path) {
        throw FirestoreError(
          .failedPrecondition,
          "The query requires an index: '\(path.text)' of 'nodes' has none. Indexed are "
            + HeldMembers.paths.map(\.text).joined(separator: ", "))
      }
    }
    if let index = need.missing(of: asksNodes ? DeclaredIndex.all : []) {
      throw FirestoreError(
        .failedPrecondition,
        "The query requires an index: \(String(decoding: collection, as: UTF8.self)): \(index.text). "
          + "Those that are declared are in firestore.indexes.json")
    }
  }
}

extension QueryPlan.Condition {
  /// Whether it asks for a range of values.
  var isRange: Bool {
    switch test {
    case .equal, .oneOf, .contains: false
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    }
  }

  /// Whether a value meets it.
  func holds(_ value: ArraySlice<UInt8>) -> Bool {
    switch test {
    case .equal(let other): return value.elementsEqual(other)
    case .oneOf(let others): return others.contains(Array(value))
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

  /// Values of another type are neither greater nor less.
  private func isComparable(_ value: ArraySlice<UInt8>, _ other: [UInt8]) -> Bool {
    path.isDocumentName || value.first == other.first
  }
}
