// Queries from JSON. A member that is not known is refused: a filter that is passed over would answer
// another question. Enumerations come as words or as numbers (`enum-encoding=int`).

extension StructuredQuery {
  /// Reads a query.
  ///
  /// - Parameter json: an object.
  /// - Throws: `FirestoreFormatError` at the part that is wrong or not known.
  package init(_ json: JSONView) throws(FirestoreFormatError) {
    guard json.isObject else { throw json.fault("a query that is no object") }
    from = []
    for (name, value) in json.members where !value.isNull {
      switch name.string {
      case "select":
        var fields: [FieldPath] = []
        for field in value["fields"]?.elements ?? [] {
          fields.append(try FieldPath(field["fieldPath"], of: field))
        }
        select = fields
      case "from":
        for source in value.elements {
          from.append(
            Source(
              source["collectionId"]?.string ?? "",
              isGroup: source["allDescendants"]?.boolean ?? false))
        }
      case "where": filter = try QueryFilter(value)
      case "orderBy":
        for order in value.elements { orderBy.append(try Order(order)) }
      case "startAt": startAt = try Cursor(value)
      case "endAt": endAt = try Cursor(value)
      case "offset": offset = try Self.count(value)
      case "limit": limit = try Self.count(value["value"] ?? value)
      default: throw name.fault("a part of a query that is not known")
      }
    }
    guard orderBy.count <= QueryFilter.countLimit else { throw json.fault("too many orders") }
  }

  private static func count(_ json: JSONView) throws(FirestoreFormatError) -> Int {
    guard let number = json.integer, number >= 0, number <= Int64(Int32.max) else {
      throw json.fault("not a count")
    }
    return Int(number)
  }
}

extension StructuredQuery.Order {
  init(_ json: JSONView) throws(FirestoreFormatError) {
    guard let value = json["field"] else { throw json.fault("an order without a field") }
    field = try FieldPath(value["fieldPath"], of: value)
    isDescending = false
    if let direction = json["direction"] {
      switch (direction.string, direction.integer) {
      case ("DESCENDING", _), (_, 2): isDescending = true
      case ("ASCENDING", _), (_, 1), ("DIRECTION_UNSPECIFIED", _), (_, 0): break
      default: throw direction.fault("not a direction")
      }
    }
  }
}

extension StructuredQuery.Cursor {
  init(_ json: JSONView) throws(FirestoreFormatError) {
    values = []
    for value in json["values"]?.elements ?? [] { values.append(try FirestoreValue(value)) }
    isBefore = json["before"]?.boolean ?? false
  }
}

extension QueryFilter {
  /// Reads a filter.
  ///
  /// - Parameter json: an object.
  /// - Throws: `FirestoreFormatError` at the part that is wrong or not known.
  package init(_ json: JSONView) throws(FirestoreFormatError) {
    self = try Self.read(json, depth: 0)
    guard leaves.count <= Self.countLimit else {
      throw json.fault("more than \(Self.countLimit) filters")
    }
  }

  private static func read(
    _ json: JSONView, depth: Int
  ) throws(FirestoreFormatError) -> QueryFilter {
    guard depth < depthLimit else { throw json.fault("filters deeper than \(depthLimit)") }
    if let composite = json["compositeFilter"] {
      var filters: [QueryFilter] = []
      for filter in composite["filters"]?.elements ?? [] {
        filters.append(try read(filter, depth: depth + 1))
      }
      guard !filters.isEmpty else { throw composite.fault("a filter of no filters") }
      switch (composite["op"]?.string, composite["op"]?.integer) {
      case ("AND", _), (_, 1): return .all(filters)
      case ("OR", _), (_, 2): return .any(filters)
      default: throw composite.fault("neither AND nor OR")
      }
    }
    if let filter = json["fieldFilter"] {
      let field = try Self.field(filter)
      let number = filter["op"]?.integer
      let word = filter["op"]?.string
      guard
        let comparison = Operator.allCases.first(where: {
          $0.rawValue == word || $0.number == number
        })
      else { throw filter.fault("an operator that is not known") }
      guard let value = filter["value"] else { throw filter.fault("a filter without a value") }
      return .field(field, comparison, try FirestoreValue(value))
    }
    if let filter = json["unaryFilter"] {
      let field = try Self.field(filter)
      let number = filter["op"]?.integer
      let word = filter["op"]?.string
      guard
        let test = UnaryOperator.allCases.first(where: {
          $0.rawValue == word || $0.number == number
        })
      else { throw filter.fault("an operator that is not known") }
      return .unary(field, test)
    }
    throw json.fault("a filter that is not known")
  }

  private static func field(_ json: JSONView) throws(FirestoreFormatError) -> FieldPath {
    guard let field = json["field"] else { throw json.fault("a filter without a field") }
    return try FieldPath(field["fieldPath"], of: field)
  }
}
