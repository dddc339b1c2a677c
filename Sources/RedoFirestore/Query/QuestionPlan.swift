// How to ask a question: by an index that firestore.indexes.json declares, or by equality alone, which
// needs none, sorting here. A question that neither can answer is refused before anything is sent: the service
// would only refuse it, or read everything.

package import FirestoreModel
package import RedoRemote

/// An index over several fields, as firestore.indexes.json declares it.
package struct QuestionIndex: Hashable, Sendable {
  /// The fields that are compared, by their paths.
  package let fields: Set<String>
  /// The field that the documents are sorted by.
  package let order: String
  /// Whether the largest value comes first.
  package let isDescending: Bool

  /// An index.
  ///
  /// - Parameters:
  ///   - fields: the fields that are compared.
  ///   - order: the field that the documents are sorted by.
  ///   - isDescending: whether the largest value comes first.
  package init(_ fields: Set<String>, _ order: String, isDescending: Bool = false) {
    self.fields = fields
    self.order = order
    self.isDescending = isDescending
  }

  /// All of them: the four of document 000, and those that its own queries need in addition.
  package static let all = [
    QuestionIndex(["accessList"], "timestamp.lamport"),
    QuestionIndex(["accessList"], "timestamp.wall", isDescending: true),
    QuestionIndex(["author.userId", "action"], "timestamp.lamport"),
    QuestionIndex(["taskId"], "timestamp.lamport"),
    QuestionIndex(["accessList"], "createdAt"),
    QuestionIndex(["accessList"], "createdAt", isDescending: true),
    QuestionIndex(["accessList", "action"], "timestamp.lamport"),
    QuestionIndex(["accessList", "taskId"], "timestamp.lamport"),
  ]

  /// Whether indexes serve a query: as in the service, several indexes with the same order together serve what
  /// each of them compares.
  ///
  /// - Parameters:
  ///   - fields: the fields that are compared.
  ///   - order: the field that is sorted by.
  ///   - isDescending: whether the largest value comes first.
  /// - Returns: `false` when something is left over.
  static func serve(_ fields: Set<String>, _ order: String, isDescending: Bool) -> Bool {
    // A single field needs no declaration.
    guard !fields.isEmpty else { return true }
    let useful = all.filter {
      $0.order == order && $0.isDescending == isDescending && $0.fields.isSubset(of: fields)
    }
    return useful.reduce(into: Set()) { $0.formUnion($1.fields) } == fields
  }
}

/// How to ask a question.
package struct QuestionPlan: Sendable {
  /// The most documents of one answer.
  package static let pageLimit = 300
  /// What is wanted of each document.
  private static let selected = [
    FieldPath("id"), FieldPath("timestamp"), FieldPath("author", "userId"), FieldPath("action"),
    FieldPath("taskId"), FieldPath("createdAt"),
  ]

  /// Which documents.
  private let filter: QueryFilter?
  /// The field that the service sorts by; `nil` for the name alone.
  private let order: FieldPath?
  private let isDescending: Bool
  /// Whether the rows are to be sorted by their logical time when all have come.
  package let isSortedHere: Bool

  /// Finds a way.
  ///
  /// - Parameter question: the question.
  /// - Throws: `peer` with `FIREBASE_003` that names what no index serves.
  package init(_ question: NodeQuestion) throws(RemoteError) {
    var filters: [QueryFilter] = []
    var fields: Set<String> = []
    func add(_ path: String, _ comparison: QueryFilter.Operator, _ value: String?) {
      guard let value, let field = FieldPath(text: path) else { return }
      filters.append(.field(field, comparison, .string(value)))
      fields.insert(path)
    }
    add("accessList", .arrayContains, question.access?.text)
    add("author.userId", .equal, question.author)
    add("action", .equal, question.action)
    add("taskId", .equal, question.task)
    let path =
      switch question.sort {
      case .createdAt: "createdAt"
      case .lamport: "timestamp.lamport"
      case .wall: "timestamp.wall"
      }
    if let since = question.createdSince {
      filters.append(.field(FieldPath("createdAt"), .greaterThanOrEqual, .timestamp(since)))
    }
    let isBounded = question.createdSince != nil
    let isServed = QuestionIndex.serve(fields, path, isDescending: question.isDescending)
    let isEquality = question.sort == .lamport && !question.isDescending && !isBounded
    guard !isBounded || question.sort == .createdAt, isServed || isEquality else {
      throw Self.unserved(fields, path, question)
    }
    filter = filters.count > 1 ? .all(filters) : filters.first
    order = isServed ? FieldPath(text: path) : nil
    isDescending = isServed && question.isDescending
    isSortedHere = !isServed
  }

  private static func unserved(
    _ fields: Set<String>, _ path: String, _ question: NodeQuestion
  ) -> RemoteError {
    var words = fields.sorted()
    if question.createdSince != nil, question.sort != .createdAt { words.append("createdAt") }
    words.append(path + (question.isDescending ? " descending" : " ascending"))
    let remedy =
      question.createdSince != nil && question.sort != .createdAt
      ? "'--created-since' goes with '--sort=createdat' or '--sort=-createdat'"
      : "without '--sort' the nodes come by their logical time"
    return .peer(
      PeerFault(
        .stopped,
        "FIREBASE_003: no declared index serves \(words.joined(separator: " + ")); \(remedy)"))
  }

  /// The query of a page.
  ///
  /// - Parameters:
  ///   - last: the document that comes before; `nil` for the first page.
  ///   - limit: the most documents.
  /// - Returns: the query.
  package func query(after last: FirestoreDocument?, limit: Int) -> StructuredQuery {
    var orders = order.map { [StructuredQuery.Order($0, isDescending: isDescending)] } ?? []
    orders.append(StructuredQuery.Order(.documentName, isDescending: isDescending))
    var query = StructuredQuery("nodes", where: filter, orderBy: orders, limit: limit)
    query.select = Self.selected
    if let last {
      var values: [FirestoreValue] = []
      if let order { values.append(last.fields[order] ?? .null) }
      values.append(.reference(last.name))
      query.startAt = StructuredQuery.Cursor(values, isBefore: false)
    }
    return query
  }
}
