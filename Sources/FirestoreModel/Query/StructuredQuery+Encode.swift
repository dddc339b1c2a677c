// Queries as JSON.

package import CanonicalJSON

extension StructuredQuery: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      if let select {
        json.addObject("select") { $0.add("fields", select.map(FieldReference.init)) }
      }
      json.addArray("from") { json in
        for source in from {
          json.object { json in
            json.add("collectionId", source.collection)
            if source.isGroup { json.add("allDescendants", true) }
          }
        }
      }
      if let filter { json.add("where", filter) }
      if !orderBy.isEmpty {
        json.addArray("orderBy") { json in
          for order in orderBy {
            json.object { json in
              json.add("field", FieldReference(order.field))
              json.add("direction", order.isDescending ? "DESCENDING" : "ASCENDING")
            }
          }
        }
      }
      if let startAt { json.add("startAt", startAt) }
      if let endAt { json.add("endAt", endAt) }
      if offset > 0 { json.add("offset", offset) }
      if let limit { json.add("limit", limit) }
    }
  }
}

extension StructuredQuery.Cursor: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.add("values", values)
      if isBefore { json.add("before", true) }
    }
  }
}

/// A field as queries name it.
private struct FieldReference: JSONWritable {
  let field: FieldPath

  init(_ field: FieldPath) { self.field = field }

  func write(to json: inout JSONWriter) {
    json.object { $0.add("fieldPath", field.text) }
  }
}

extension QueryFilter: JSONWritable {
  package func write(to json: inout JSONWriter) {
    switch self {
    case .all(let filters): Self.write(filters, "AND", to: &json)
    case .any(let filters): Self.write(filters, "OR", to: &json)
    case .field(let field, let comparison, let value):
      json.object { json in
        json.addObject("fieldFilter") { json in
          json.add("field", FieldReference(field))
          json.add("op", comparison.rawValue)
          json.add("value", value)
        }
      }
    case .unary(let field, let test):
      json.object { json in
        json.addObject("unaryFilter") { json in
          json.add("op", test.rawValue)
          json.add("field", FieldReference(field))
        }
      }
    }
  }

  private static func write(_ filters: [QueryFilter], _ word: String, to json: inout JSONWriter) {
    json.object { json in
      json.addObject("compositeFilter") { json in
        json.add("op", word)
        json.add("filters", filters)
      }
    }
  }
}
