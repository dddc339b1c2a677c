// Finds the documents of a query, in its order. What an account may read is kept in the order of creation, so
// that fetching page by page looks at no more than a page; other orders sort what meets the conditions.

internal import FirestoreModel

/// Looks for documents.
struct QueryRun {
  private let plan: QueryPlan
  /// The values of a document that is not held in memory.
  private let load: (DocumentRow) throws(FirestoreError) -> FirestoreFields

  /// - Parameters:
  ///   - plan: the query.
  ///   - load: reads the fields of a document.
  init(
    _ plan: QueryPlan, load: @escaping (DocumentRow) throws(FirestoreError) -> FirestoreFields
  ) {
    self.plan = plan
    self.load = load
  }

  /// A document with the values by which it is found and ordered.
  private struct Candidate {
    let row: DocumentRow
    /// For each order a value.
    let keys: [ArraySlice<UInt8>]
  }

  /// Finds the documents.
  ///
  /// - Parameter table: what there is.
  /// - Returns: the results in order, and how many were passed over.
  /// - Throws: when a document cannot be read.
  func rows(in table: DocumentTable) throws(FirestoreError) -> [DocumentRow] {
    guard plan.limit > 0 else { return [] }
    guard plan.branches.count == 1, let branch = plan.branches.first else {
      return try sorted(union(in: table))
    }
    if let named = branch.named {
      return try sorted(Set(named).compactMap { table[$0] })
    }
    guard let reader = plan.reader(of: branch) else {
      return try sorted(table.all.filter { $0.key.collection == plan.collection })
    }
    let readable = table.readable(by: reader)
    return isByCreation ? try walked(readable, branch.conditions) : try sorted(readable)
  }

  /// The documents among which the results of all alternatives are, each once.
  private func union(in table: DocumentTable) -> [DocumentRow] {
    var keys: Set<DocumentKey> = []
    var readers: Set<[UInt8]> = []
    for branch in plan.branches {
      if let named = branch.named {
        keys.formUnion(named)
      } else if let reader = plan.reader(of: branch) {
        readers.insert(reader)
      } else {
        return table.all.filter { $0.key.collection == plan.collection }
      }
    }
    var rows: [DocumentRow] = []
    for reader in readers {
      for row in table.readable(by: reader) where !keys.contains(row.key) {
        // One that several may read comes once.
        if readers.count > 1 { keys.insert(row.key) } else { rows.append(row) }
      }
    }
    return rows + keys.compactMap { table[$0] }
  }

  /// Whether the order is that in which rows are kept, or its reverse.
  private var isByCreation: Bool {
    plan.orders.count == 2
      && plan.orders[0].field == HeldMembers.paths[HeldMembers.createdAt]
      && plan.orders[1].field.isDocumentName
      && plan.orders[0].isDescending == plan.orders[1].isDescending
  }

  private func walked(
    _ readable: ReadableRows, _ conditions: [QueryPlan.Condition]
  ) throws(FirestoreError) -> [DocumentRow] {
    let isDescending = plan.orders[0].isDescending
    func row(_ place: Int) -> DocumentRow {
      readable[isDescending ? readable.count - 1 - place : place]
    }
    // The first row after the start, by bisection.
    var (low, high) = (0, readable.count)
    while low < high {
      let middle = (low + high) / 2
      if isBeforeStart(row(middle), conditions) { low = middle + 1 } else { high = middle }
    }
    var found: [DocumentRow] = []
    var skipped = 0
    while low < readable.count, found.count < plan.limit {
      let row = row(low)
      low += 1
      guard let candidate = try candidate(row) else {
        if isBeyondRange(row, conditions, isDescending) { break }
        continue
      }
      if isPastEnd(candidate.keys) { break }
      if skipped < plan.offset { skipped += 1 } else { found.append(row) }
    }
    return found
  }

  /// Whether a row comes before all results, for the start or for a condition on the time of creation.
  private func isBeforeStart(
    _ row: DocumentRow, _ conditions: [QueryPlan.Condition]
  ) -> Bool {
    let keys = [row.held.createdAt, row.key.id[...]]
    // Documents without a time come first, and in no result.
    if keys[0].isEmpty { return !plan.orders[0].isDescending }
    if let start = plan.start {
      let order = compare(keys, start.values)
      if order < 0 || order == 0 && !start.isBefore { return true }
    }
    return conditions.contains { condition in
      condition.path == plan.orders[0].field
        && condition.isBefore(keys[0], isDescending: plan.orders[0].isDescending)
    }
  }

  private func isBeyondRange(
    _ row: DocumentRow, _ conditions: [QueryPlan.Condition], _ isDescending: Bool
  ) -> Bool {
    conditions.contains { condition in
      condition.path == plan.orders[0].field
        && condition.isBefore(row.held.createdAt, isDescending: !isDescending)
    }
  }

  private func sorted(_ rows: some Sequence<DocumentRow>) throws(FirestoreError) -> [DocumentRow] {
    if let isDescending = nameOrder { return try sortedByName(rows, isDescending) }
    var best = BestOf<Candidate>(wanted) { compare($0.keys, $1.keys) < 0 }
    for row in rows {
      if let candidate = try candidate(row), !isOutside(candidate.keys) { best.take(candidate) }
    }
    return best.sorted.dropFirst(plan.offset).map(\.row)
  }

  /// How many of the first documents are looked for.
  private var wanted: Int {
    let (sum, isOver) = plan.offset.addingReportingOverflow(plan.limit)
    return isOver ? .max : sum
  }

  /// Whether the name is the only order, and whether it is descending.
  private var nameOrder: Bool? {
    guard plan.orders.count == 1, plan.orders[0].field.isDocumentName else { return nil }
    return plan.orders[0].isDescending
  }

  /// The same for the order of names, which are compared without their texts.
  private func sortedByName(
    _ rows: some Sequence<DocumentRow>, _ isDescending: Bool
  ) throws(FirestoreError) -> [DocumentRow] {
    let start = plan.start.flatMap { key(of: $0) }
    let end = plan.end.flatMap { key(of: $0) }
    func isBefore(_ one: DocumentKey, _ other: DocumentKey) -> Bool {
      isDescending ? other < one : one < other
    }
    var best = BestOf<DocumentRow>(wanted) { isBefore($0.key, $1.key) }
    for row in rows {
      if let start, isBefore(row.key, start.key) || row.key == start.key && !start.isBefore {
        continue
      }
      if let end, isBefore(end.key, row.key) || row.key == end.key && end.isBefore { continue }
      if try candidate(row) != nil { best.take(row) }
    }
    return Array(best.sorted.dropFirst(plan.offset))
  }

  private func key(of bound: QueryPlan.Bound) -> (key: DocumentKey, isBefore: Bool)? {
    guard let id = bound.values.first else { return nil }
    return (DocumentKey(plan.collection + [UInt8(ascii: "/")] + id), bound.isBefore)
  }

  /// A document that meets all conditions and has all values of the order.
  private func candidate(_ row: DocumentRow) throws(FirestoreError) -> Candidate? {
    var loaded: FirestoreFields?
    func value(_ path: FieldPath) throws(FirestoreError) -> ArraySlice<UInt8>? {
      if path.isDocumentName { return row.key.id[...] }
      if plan.asksNodes, let place = HeldMembers.paths.firstIndex(of: path) {
        return row.held.value(place)
      }
      let fields = if let loaded { loaded } else { try load(row) }
      loaded = fields
      return fields[path].map { OrderedValue.bytes($0)[...] }
    }
    var isMet = false
    for branch in plan.branches where !isMet {
      isMet = true
      for condition in branch.conditions where isMet {
        isMet = try value(condition.path).map(condition.holds) ?? false
      }
    }
    guard isMet else { return nil }
    for path in plan.required { guard try value(path) != nil else { return nil } }
    var keys: [ArraySlice<UInt8>] = []
    guard nameOrder == nil else { return Candidate(row: row, keys: keys) }
    for order in plan.orders {
      guard let value = try value(order.field) else { return nil }
      keys.append(value)
    }
    return Candidate(row: row, keys: keys)
  }

  private func isOutside(_ keys: [ArraySlice<UInt8>]) -> Bool {
    if let start = plan.start {
      let order = compare(keys, start.values)
      if order < 0 || order == 0 && !start.isBefore { return true }
    }
    return isPastEnd(keys)
  }

  private func isPastEnd(_ keys: [ArraySlice<UInt8>]) -> Bool {
    guard let end = plan.end else { return false }
    let order = compare(keys, end.values)
    return order > 0 || order == 0 && end.isBefore
  }

  /// Compares in the order of the query, as far as both have values.
  private func compare<Other: Sequence>(_ keys: [ArraySlice<UInt8>], _ other: [Other]) -> Int
  where Other.Element == UInt8 {
    for (index, value) in other.enumerated() {
      if keys[index].lexicographicallyPrecedes(value) {
        return plan.orders[index].isDescending ? 1 : -1
      }
      if value.lexicographicallyPrecedes(keys[index]) {
        return plan.orders[index].isDescending ? -1 : 1
      }
    }
    return 0
  }
}

/// The first of many elements; no more than twice as many are kept.
private struct BestOf<Element> {
  private let limit: Int
  private let isBefore: (Element, Element) -> Bool
  private var elements: [Element] = []
  private var last: Element?

  init(_ limit: Int, _ isBefore: @escaping (Element, Element) -> Bool) {
    self.limit = limit
    self.isBefore = isBefore
  }

  mutating func take(_ element: Element) {
    if let last, !isBefore(element, last) { return }
    elements.append(element)
    guard limit <= elements.count / 2, elements.count >= 64 else { return }
    elements = sorted
    last = elements.last
  }

  /// The first ones in order.
  var sorted: [Element] { Array(elements.sorted(by: isBefore).prefix(limit)) }
}

extension QueryPlan.Condition {
  /// Whether a value, and all before it in an order, does not meet the condition.
  fileprivate func isBefore(_ value: ArraySlice<UInt8>, isDescending: Bool) -> Bool {
    switch test {
    case .equal(let other):
      isDescending ? other.lexicographicallyPrecedes(value) : value.lexicographicallyPrecedes(other)
    case .greater(let other):
      !isDescending && !other.lexicographicallyPrecedes(value)
    case .greaterOrEqual(let other): !isDescending && value.lexicographicallyPrecedes(other)
    case .less(let other): isDescending && !value.lexicographicallyPrecedes(other)
    case .lessOrEqual(let other): isDescending && other.lexicographicallyPrecedes(value)
    case .oneOf, .noneOf, .contains: false
    }
  }
}
