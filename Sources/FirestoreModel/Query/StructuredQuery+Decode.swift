// Queries from JSON. An unknown member is refused: skipping a filter would answer another question.
// Enumerations come as words or as numbers (`enum-encoding=int`).

package import CanonicalJSON

extension StructuredQuery {
  /// Reads a query.
  ///
  /// - Parameter json: an object.
  /// - Throws: `FirestoreFormatError` at the part that is wrong or unknown.
  package init(_ json: JSONValue) throws(FirestoreFormatError) {
    guard json.isObject else { throw json.fault("a query that is no object") }
    from = []
    var members = json.members
    while let member = members.next() {
      let name = member.name
      let value = member.value
      if value.isNull { continue }
      switch name.string {
      case "select":
        var fields: [FieldPath] = []
        var elements = value.elements(of: "fields")
        while let field = elements.next() {
          fields.append(try FieldPath(field.given("fieldPath"), of: field))
        }
        select = fields
      case "from":
        var elements = value.elements
        while let source = elements.next() {
          from.append(
            Source(
              source.given("collectionId")?.string ?? "",
              isGroup: source.given("allDescendants")?.boolean ?? false))
        }
      case "where": filter = try QueryFilter(value)
      case "orderBy":
        var elements = value.elements
        while let order = elements.next() { orderBy.append(try Order(order)) }
      case "startAt": startAt = try Cursor(value)
      case "endAt": endAt = try Cursor(value)
      case "offset": offset = try Self.count(value)
      case "limit":
        if let wrapped = value.given("value") {
          limit = try Self.count(wrapped)
        } else {
          limit = try Self.count(value)
        }
      default: throw name.fault("a part of a query that is not known")
      }
    }
    guard orderBy.count <= QueryFilter.countLimit else { throw json.fault("too many orders") }
  }

  private static func count(_ json: JSONValue) throws(FirestoreFormatError) -> Int {
    guard let number = json.protoInteger, number >= 0, number <= Int64(Int32.max) else {
      throw json.fault("not a count")
    }
    return Int(number)
  }
}

extension StructuredQuery.Order {
  init(_ json: JSONValue) throws(FirestoreFormatError) {
    guard let value = json.given("field") else { throw json.fault("an order without a field") }
    field = try FieldPath(value.given("fieldPath"), of: value)
    isDescending = false
    if let direction = json.given("direction") {
      switch (direction.string, direction.protoInteger) {
      case ("DESCENDING", _), (_, 2): isDescending = true
      case ("ASCENDING", _), (_, 1), ("DIRECTION_UNSPECIFIED", _), (_, 0): break
      default: throw direction.fault("not a direction")
      }
    }
  }
}

extension StructuredQuery.Cursor {
  init(_ json: JSONValue) throws(FirestoreFormatError) {
    values = []
    var elements = json.elements(of: "values")
    while let value = elements.next() { values.append(try FirestoreValue(value)) }
    isBefore = json.given("before")?.boolean ?? false
  }
}

extension QueryFilter {
  /// Reads a filter.
  ///
  /// - Parameter json: an object.
  /// - Throws: `FirestoreFormatError` at the part that is wrong or unknown.
  package init(_ json: JSONValue) throws(FirestoreFormatError) {
    self = try Self.read(json, depth: 0)
    guard leaves.count <= Self.countLimit else {
      throw json.fault("more than \(Self.countLimit) filters")
    }
  }

  private static func read(
    _ json: JSONValue, depth: Int
  ) throws(FirestoreFormatError) -> QueryFilter {
    guard depth < depthLimit else { throw json.fault("filters deeper than \(depthLimit)") }
    if let composite = json.given("compositeFilter") {
      var filters: [QueryFilter] = []
      var elements = composite.elements(of: "filters")
      while let filter = elements.next() {
        filters.append(try read(filter, depth: depth + 1))
      }
      guard !filters.isEmpty else { throw composite.fault("a filter of no filters") }
      switch (composite.given("op")?.string, composite.given("op")?.protoInteger) {
      case ("AND", _), (_, 1): return .all(filters)
      case ("OR", _), (_, 2): return .any(filters)
      default: throw composite.fault("neither AND nor OR")
      }
    }
    if let filter = json.given("fieldFilter") {
      let field = try Self.field(filter)
      let number = filter.given("op")?.protoInteger
      let word = filter.given("op")?.string
      guard
        let comparison = Operator.allCases.first(where: {
          $0.rawValue == word || $0.number == number
        })
      else { throw filter.fault("an operator that is not known") }
      guard let value = filter.given("value") else {
        throw filter.fault("a filter without a value")
      }
      return .field(field, comparison, try FirestoreValue(value))
    }
    if let filter = json.given("unaryFilter") {
      let field = try Self.field(filter)
      let number = filter.given("op")?.protoInteger
      let word = filter.given("op")?.string
      guard
        let test = UnaryOperator.allCases.first(where: {
          $0.rawValue == word || $0.number == number
        })
      else { throw filter.fault("an operator that is not known") }
      return .unary(field, test)
    }
    throw json.fault("a filter that is not known")
  }

  private static func field(_ json: JSONValue) throws(FirestoreFormatError) -> FieldPath {
    guard let field = json.given("field") else { throw json.fault("a filter without a field") }
    return try FieldPath(field.given("fieldPath"), of: field)
  }
}
