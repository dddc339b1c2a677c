// Queries as JSON.

internal import RedoObject

extension StructuredQuery {
  /// Appends the query.
  ///
  /// - Parameter output: receives JSON.
  package func appendJSON(to output: inout [UInt8]) {
    output.append(UInt8(ascii: "{"))
    if let select {
      output.appendName("select")
      output.append("{\"fields\":[")
      for field in select {
        output.appendComma()
        Self.append(field, to: &output)
      }
      output.append("]}")
    }
    output.appendName("from")
    output.append("[")
    for source in from {
      output.appendComma()
      output.append("{\"collectionId\":")
      output.append(json: source.collection)
      if source.isGroup { output.append(",\"allDescendants\":true") }
      output.append("}")
    }
    output.append("]")
    if let filter {
      output.appendName("where")
      filter.appendJSON(to: &output)
    }
    if !orderBy.isEmpty {
      output.appendName("orderBy")
      output.append("[")
      for order in orderBy {
        output.appendComma()
        output.append("{\"field\":")
        Self.append(order.field, to: &output)
        output.append(
          order.isDescending ? ",\"direction\":\"DESCENDING\"}" : ",\"direction\":\"ASCENDING\"}")
      }
      output.append("]")
    }
    Self.append(startAt, "startAt", to: &output)
    Self.append(endAt, "endAt", to: &output)
    if offset > 0 {
      output.appendName("offset")
      output.append(decimal: Int64(offset))
    }
    if let limit {
      output.appendName("limit")
      output.append(decimal: Int64(limit))
    }
    output.append(UInt8(ascii: "}"))
  }

  static func append(_ field: FieldPath, to output: inout [UInt8]) {
    output.append("{\"fieldPath\":")
    output.append(json: field.text)
    output.append("}")
  }

  private static func append(
    _ cursor: Cursor?, _ name: StaticString, to output: inout [UInt8]
  ) {
    guard let cursor else { return }
    output.appendName(name)
    output.append("{\"values\":")
    FirestoreValue.append(cursor.values, to: &output)
    if cursor.isBefore { output.append(",\"before\":true") }
    output.append("}")
  }
}

extension QueryFilter {
  /// Appends the filter.
  ///
  /// - Parameter output: receives JSON.
  package func appendJSON(to output: inout [UInt8]) {
    switch self {
    case .all(let filters): Self.append(filters, "AND", to: &output)
    case .any(let filters): Self.append(filters, "OR", to: &output)
    case .field(let field, let comparison, let value):
      output.append("{\"fieldFilter\":{\"field\":")
      StructuredQuery.append(field, to: &output)
      output.append(",\"op\":")
      output.append(json: comparison.rawValue)
      output.append(",\"value\":")
      value.appendJSON(to: &output)
      output.append("}}")
    case .unary(let field, let test):
      output.append("{\"unaryFilter\":{\"op\":")
      output.append(json: test.rawValue)
      output.append(",\"field\":")
      StructuredQuery.append(field, to: &output)
      output.append("}}")
    }
  }

  private static func append(
    _ filters: [QueryFilter], _ word: StaticString, to output: inout [UInt8]
  ) {
    output.append("{\"compositeFilter\":{\"op\":\"")
    output.append(word)
    output.append("\",\"filters\":[")
    for filter in filters {
      output.appendComma()
      filter.appendJSON(to: &output)
    }
    output.append("]}}")
  }
}
