// google.firestore.v1.StructuredAggregationQuery: what the results of a query come to, without the results.

package import CanonicalJSON
internal import RedoObject

/// Numbers about the results of a query.
package struct AggregationQuery: Sendable, Equatable {
  /// A number.
  package enum Kind: Sendable, Equatable {
    /// How many results there are; never more than a limit, if there is one.
    case count(upTo: Int64?)
    /// The sum of a field.
    case sum(FieldPath)
    /// The average of a field.
    case average(FieldPath)

    /// The field; `nil` for a count.
    package var field: FieldPath? {
      switch self {
      case .count: nil
      case .sum(let field), .average(let field): field
      }
    }
  }

  /// A number, and what it is called in the answer.
  package struct Aggregation: Sendable, Equatable {
    /// The name.
    package var alias: String
    /// The number.
    package var kind: Kind

    /// A number.
    ///
    /// - Parameters:
    ///   - alias: its name in the answer.
    ///   - kind: the number.
    package init(_ alias: String, _ kind: Kind) {
      self.alias = alias
      self.kind = kind
    }
  }

  /// The most numbers of one query (Firestore).
  package static let countLimit = 5

  /// The query whose results count.
  package var query: StructuredQuery
  /// The numbers.
  package var aggregations: [Aggregation]

  /// Numbers about the results of a query.
  ///
  /// - Parameters:
  ///   - query: the query.
  ///   - aggregations: the numbers.
  package init(_ query: StructuredQuery, _ aggregations: [Aggregation]) {
    self.query = query
    self.aggregations = aggregations
  }

  /// Reads a query.
  ///
  /// - Parameter json: an object with `structuredQuery` and `aggregations`.
  /// - Throws: `FirestoreFormatError` at the part that is wrong or unknown.
  package init(_ json: JSONValue) throws(FirestoreFormatError) {
    guard json.isObject else { throw json.fault("a query that is no object") }
    guard let inner = json.given("structuredQuery") else { throw json.fault("no query") }
    query = try StructuredQuery(inner)
    aggregations = []
    var unnamed = 0
    var elements = json.elements(of: "aggregations")
    while let element = elements.next() {
      guard aggregations.count < Self.countLimit else {
        throw element.fault("more than \(Self.countLimit) aggregations")
      }
      let kind = try Self.kind(element)
      var alias = element.given("alias")?.string ?? ""
      if alias.isEmpty {
        unnamed += 1
        alias = "field_\(unnamed)"
      }
      guard !FieldPath.isReserved(alias) else { throw element.fault("a reserved alias") }
      guard !aggregations.contains(where: { ExactText.areEqual($0.alias, alias) }) else {
        throw element.fault("the alias '\(alias)' twice")
      }
      aggregations.append(Aggregation(alias, kind))
    }
    guard !aggregations.isEmpty else { throw json.fault("aggregations can not be empty") }
  }

  private static func kind(_ json: JSONValue) throws(FirestoreFormatError) -> Kind {
    guard json.isObject else { throw json.fault("an aggregation that is no object") }
    var kind: Kind?
    var members = json.members
    while let member = members.next() {
      let name = member.name
      let value = member.value
      if value.isNull || name.isText("alias") { continue }
      guard kind == nil else { throw name.fault("a second kind in one aggregation") }
      switch name.string {
      case "count":
        var limit: Int64?
        if let given = value.given("upTo") {
          guard let number = given.protoInteger, number >= 0 else {
            throw given.fault("a limit that is not 0 or more")
          }
          limit = number
        }
        kind = .count(upTo: limit)
      case "sum": kind = .sum(try field(value))
      case "avg": kind = .average(try field(value))
      default: throw name.fault("an aggregation that is not known")
      }
    }
    guard let kind else { throw json.fault("an aggregation without a kind") }
    return kind
  }

  private static func field(_ json: JSONValue) throws(FirestoreFormatError) -> FieldPath {
    guard let field = json.given("field") else { throw json.fault("no field") }
    let path = try FieldPath(field.given("fieldPath"), of: field)
    guard !path.isDocumentName else { throw field.fault("'__name__' is no number") }
    return path
  }
}

extension AggregationQuery: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.addArray("aggregations") { json in
        for aggregation in aggregations {
          json.object { json in
            json.add("alias", aggregation.alias)
            switch aggregation.kind {
            case .count(let limit):
              json.addObject("count") { json in if let limit { json.add("upTo", "\(limit)") } }
            case .sum(let field):
              json.addObject("sum") { $0.addObject("field") { $0.add("fieldPath", field.text) } }
            case .average(let field):
              json.addObject("avg") { $0.addObject("field") { $0.add("fieldPath", field.text) } }
            }
          }
        }
      }
      json.add("structuredQuery", query)
    }
  }

  /// Appends the body of `:runAggregationQuery`.
  ///
  /// - Parameter output: receives JSON.
  package func appendRequest(to output: inout [UInt8]) {
    JSONWriter.append(to: &output) { json in
      json.object { $0.add("structuredAggregationQuery", self) }
    }
  }

  /// Reads a row of the answer to `:runAggregationQuery`.
  ///
  /// - Parameter json: an object.
  /// - Returns: the numbers by their names; `nil` for a row that has none.
  /// - Throws: `FirestoreFormatError` at the part that is wrong.
  package static func numbers(_ json: JSONValue) throws(FirestoreFormatError) -> FirestoreFields? {
    guard json.isObject else { throw json.fault("a row that is no object") }
    guard let result = json.given("result") else { return nil }
    guard let fields = result.given("aggregateFields") else { return FirestoreFields() }
    return try FirestoreFields(fields)
  }
}
