// A query, taken apart and judged: what is compared, in which order, from where to where, whether the rules let
// it through and whether an index serves it.

internal import FirestoreModel

/// A query that is answered.
struct QueryPlan {
  /// The most values of `IN` and of `ARRAY_CONTAINS_ANY`, and the most alternatives of a query.
  private static let valueLimit = 30
  /// The most values of `NOT_IN`.
  private static let notInLimit = 10

  let collection: [UInt8]
  private(set) var branches: [Branch] = []
  /// Members that all results have, because numbers are made of them.
  let required: [FieldPath]
  private(set) var orders: [StructuredQuery.Order] = []
  private(set) var start: Bound?
  private(set) var end: Bound?
  let offset: Int
  let limit: Int
  let select: [FieldPath]?
  private let database: DatabaseName

  /// Takes a query apart.
  ///
  /// - Parameters:
  ///   - query: the query.
  ///   - parent: the path of the document below which it looks; empty for the root.
  ///   - database: its database.
  ///   - required: members that all results have, because numbers are made of them.
  /// - Throws: what is wrong with it, or not answered here.
  init(
    _ query: StructuredQuery, parent: [String], _ database: DatabaseName,
    requiring required: [FieldPath] = []
  ) throws(FirestoreError) {
    guard query.from.count == 1, DocumentName.isSegment(query.from[0].collection) else {
      throw FirestoreError(.invalidArgument, "a query asks one collection")
    }
    guard !query.from[0].isGroup else {
      throw FirestoreError(.unimplemented, "collection groups are not asked here")
    }
    self.database = database
    self.required = required
    collection = Array((parent + [query.from[0].collection]).joined(separator: "/").utf8)
    offset = query.offset
    limit = query.limit ?? .max
    select = query.select
    try addBranches(query.filter)
    try addOrders(query.orderBy)
    try checkRequired(query)
    start = try bound(query.startAt)
    end = try bound(query.endAt)
  }

  // MARK: Filters

  private mutating func addBranches(_ filter: QueryFilter?) throws(FirestoreError) {
    guard let filter else {
      branches = [Branch()]
      return
    }
    try checkNegations(filter)
    let count = Self.disjunctionCount(filter)
    guard count <= Self.valueLimit else {
      throw FirestoreError(
        .invalidArgument,
        "Too many disjunctions after normalization: \(count), and at most \(Self.valueLimit) are taken"
      )
    }
    for leaves in Self.alternatives(filter) {
      var branch = Branch()
      for leaf in leaves { try add(leaf, to: &branch) }
      let arrays = branch.conditions.count { if case .contains = $0.test { true } else { false } }
      guard arrays <= 1 else {
        throw FirestoreError(
          .invalidArgument, "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction.")
      }
      branches.append(branch)
    }
  }

  /// How many alternatives a filter comes to when it is written as an OR of ANDs, each value of `IN` being one.
  private static func disjunctionCount(_ filter: QueryFilter) -> Int {
    // More than this is too much, however much it is.
    let limit = 1_000
    switch filter {
    case .all(let filters):
      return filters.reduce(1) { min($0 * disjunctionCount($1), limit) }
    case .any(let filters): return filters.reduce(0) { min($0 + disjunctionCount($1), limit) }
    case .field(_, .isIn, let value), .field(_, .arrayContainsAny, let value):
      return max(1, min(value.elements?.count ?? 1, limit))
    case .field, .unary: return 1
    }
  }

  /// A filter as an OR of ANDs of filters that are not composed of others.
  private static func alternatives(_ filter: QueryFilter) -> [[QueryFilter]] {
    switch filter {
    case .all(let filters):
      filters.reduce([[]]) { made, filter in
        let next = alternatives(filter)
        return made.flatMap { one in next.map { one + $0 } }
      }
    case .any(let filters): filters.flatMap(alternatives)
    case .field, .unary: [[filter]]
    }
  }

  /// Refuses filters that say no and cannot be combined (Firestore, "Query limitations").
  private func checkNegations(_ filter: QueryFilter) throws(FirestoreError) {
    var negations = 0
    var hasNotIn = false
    var hasAlternatives = Self.hasAlternatives(filter)
    for leaf in filter.leaves {
      switch leaf {
      case .field(_, .notEqual, _), .unary(_, .isNotNaN), .unary(_, .isNotNull): negations += 1
      case .field(_, .notIn, _):
        negations += 1
        hasNotIn = true
      case .field(_, .isIn, _), .field(_, .arrayContainsAny, _): hasAlternatives = true
      case .field, .unary, .all, .any: break
      }
    }
    guard negations <= 1 else {
      throw FirestoreError(
        .invalidArgument,
        "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per query."
      )
    }
    guard !hasNotIn || !hasAlternatives else {
      throw FirestoreError(
        .invalidArgument,
        "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'.")
    }
  }

  private static func hasAlternatives(_ filter: QueryFilter) -> Bool {
    switch filter {
    case .any(let filters): filters.count > 1 || filters.contains(where: hasAlternatives)
    case .all(let filters): filters.contains(where: hasAlternatives)
    case .field, .unary: false
    }
  }

  private func add(_ leaf: QueryFilter, to branch: inout Branch) throws(FirestoreError) {
    switch leaf {
    case .all, .any: preconditionFailure("BUG: a filter that is composed of others")
    case .unary(let path, let test):
      switch test {
      case .isNull: try add(path, .equal(try ordered(.null, path)), to: &branch)
      case .isNaN: try add(path, .equal(try ordered(.double(.nan), path)), to: &branch)
      case .isNotNull: try add(path, .noneOf([]), to: &branch)
      case .isNotNaN:
        try add(path, .noneOf([try ordered(.double(.nan), path)]), to: &branch)
      }
    case .field(let path, let comparison, let value):
      try add(path, comparison, value, to: &branch)
    }
  }

  private func add(
    _ path: FieldPath, _ comparison: QueryFilter.Operator, _ value: FirestoreValue,
    to branch: inout Branch
  ) throws(FirestoreError) {
    switch comparison {
    case .equal:
      try add(path, .equal(try ordered(value, path)), to: &branch)
      if path.isDocumentName { try name([value], in: &branch) }
    case .isIn:
      let values = try list(value, comparison, atMost: Self.valueLimit)
      try add(path, .oneOf(try set(of: values, path)), to: &branch)
      if path.isDocumentName { try name(values, in: &branch) }
    case .arrayContains: try add(path, .contains([try ordered(value, path)]), to: &branch)
    case .arrayContainsAny:
      let values = try list(value, comparison, atMost: Self.valueLimit)
      try add(path, .contains(try set(of: values, path)), to: &branch)
    case .lessThan: try add(path, .less(try ordered(value, path)), to: &branch)
    case .lessThanOrEqual: try add(path, .lessOrEqual(try ordered(value, path)), to: &branch)
    case .greaterThan: try add(path, .greater(try ordered(value, path)), to: &branch)
    case .greaterThanOrEqual:
      try add(path, .greaterOrEqual(try ordered(value, path)), to: &branch)
    case .notEqual: try add(path, try unequal([value], path), to: &branch)
    case .notIn:
      let values = try list(value, comparison, atMost: Self.notInLimit)
      try add(path, try unequal(values, path), to: &branch)
    }
  }

  /// The test for being none of some values: nothing is said to differ from null, and everything differs from NaN.
  private func unequal(
    _ values: [FirestoreValue], _ path: FieldPath
  ) throws(FirestoreError) -> Condition.Test {
    guard !values.contains(.null) else { return .oneOf([]) }
    return .noneOf(
      try set(
        of: values.filter { if case .double(let one) = $0 { !one.isNaN } else { true } }, path))
  }

  private func set(
    of values: [FirestoreValue], _ path: FieldPath
  ) throws(FirestoreError) -> Set<[UInt8]> {
    var set: Set<[UInt8]> = []
    for value in values { set.insert(try ordered(value, path)) }
    return set
  }

  private func add(
    _ path: FieldPath, _ test: Condition.Test, to branch: inout Branch
  ) throws(FirestoreError) {
    if path.isDocumentName, case .contains = test {
      throw FirestoreError(.invalidArgument, "'__name__' is no array")
    }
    branch.conditions.append(Condition(path: path, test: test))
  }

  private func list(
    _ value: FirestoreValue, _ comparison: QueryFilter.Operator, atMost limit: Int
  ) throws(FirestoreError) -> [FirestoreValue] {
    guard let values = value.elements, !values.isEmpty else {
      throw FirestoreError(
        .invalidArgument, "'\(comparison.rawValue)' requires an non-empty ArrayValue.")
    }
    guard values.count <= limit else {
      throw FirestoreError(
        .invalidArgument,
        "'\(comparison.rawValue)' supports up to \(limit) comparison values.")
    }
    return values
  }

  private func name(
    _ values: [FirestoreValue], in branch: inout Branch
  ) throws(FirestoreError) {
    var keys: [DocumentKey] = []
    for value in values { keys.append(DocumentKey(try document(value))) }
    branch.named = branch.named.map { $0.filter(keys.contains) } ?? keys
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
    let compared = branches.flatMap(\.conditions).filter(\.isRange).map(\.path)
      .sorted { $0.text < $1.text }
    for path in compared where !path.isDocumentName && paths.insert(path).inserted {
      orders.append(.init(path, isDescending: isDescending))
    }
    if paths.insert(.documentName).inserted {
      orders.append(.init(.documentName, isDescending: isDescending))
    }
  }

  /// Refuses numbers about members behind the order of names, which no index can serve (as Google's service does).
  private func checkRequired(_ query: StructuredQuery) throws(FirestoreError) {
    let ordered = query.orderBy.first?.field.isDocumentName ?? false
    let compared = branches.contains { branch in
      branch.conditions.contains { $0.path.isDocumentName && $0.isRange }
    }
    let rest = required.filter { path in !orders.contains { $0.field == path } }
    guard ordered || compared, let first = rest.first else { return }
    throw FirestoreError(
      .invalidArgument,
      "This query requires an index that has fields [\(first.text)] after __name__, and there is "
        + "no such index")
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

  /// The account whose nodes an alternative asks for, if it does so.
  func reader(of branch: Branch) -> [UInt8]? {
    guard asksNodes else { return nil }
    let list = HeldMembers.paths[HeldMembers.accessList]
    for condition in branch.conditions where condition.path == list {
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
    for branch in branches {
      if let named = branch.named {
        guard named.allSatisfy({ FirestoreRules.allowsRead(caller, $0, table[$0]) }) else {
          throw FirestoreRules.refusal
        }
      } else {
        let reader = reader(of: branch)
        guard reader != nil, reader == caller.reader else { throw FirestoreRules.refusal }
      }
    }
  }

  /// Looks for the index that the query needs.
  ///
  /// - Throws: `FAILED_PRECONDITION` with the index that is missing.
  func checkIndexes() throws(FirestoreError) {
    for branch in branches { try checkIndexes(branch.conditions) }
  }

  private func checkIndexes(_ conditions: [Condition]) throws(FirestoreError) {
    var need = IndexNeed()
    for condition in conditions where !condition.path.isDocumentName && !condition.isRange {
      let isArray = if case .contains = condition.test { true } else { false }
      need.equal.insert(.init(condition.path, isArray ? .contains : .ascending))
    }
    let last = orders.last { !$0.field.isDocumentName }
    for order in orders where !order.field.isDocumentName {
      need.order.append(.init(order.field, order.isDescending ? .descending : .ascending))
    }
    for path in required where !need.order.contains(where: { $0.path == path }) {
      need.order.append(.init(path, .ascending))
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
