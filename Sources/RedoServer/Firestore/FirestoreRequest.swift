// What a request asks for: the method and the address of Firestore's REST API, version 1.
//
//   POST   /v1/projects/<p>/databases/<d>/documents:commit | :batchGet | :beginTransaction | :rollback
//   POST   .../documents:runQuery | :runAggregationQuery | :listCollectionIds
//   POST   .../documents/<document>:runQuery | :runAggregationQuery | :listCollectionIds
//   GET    .../documents/<document>          a document
//   GET    .../documents/<collection>        the documents of a collection
//   POST   .../documents/<collection>        a new document, ?documentId=
//   PATCH  .../documents/<document>          ?updateMask.fieldPaths=
//   DELETE .../documents/<document>

internal import FirestoreModel
internal import NIOHTTP1

/// A request to the documents of a database.
struct FirestoreRequest: Sendable {
  /// The operation that a request asks for.
  enum Operation: Sendable {
    case commit
    /// A query, below this document or at the root.
    case runQuery(parent: [String])
    /// Numbers about a query, below this document or at the root.
    case runAggregationQuery(parent: [String])
    case batchGet
    case beginTransaction
    case rollback
    /// The collections below this document or at the root.
    case listCollectionIDs(parent: [String])
    case get(DocumentName)
    case list(collection: [String])
    case create(collection: [String])
    case patch(DocumentName)
    case delete(DocumentName)
    /// What the API has and this server has not.
    case unknown(String)

    /// Whether it only looks at documents.
    var isReading: Bool {
      switch self {
      case .runQuery, .runAggregationQuery, .batchGet, .listCollectionIDs, .get, .list: true
      case .commit, .beginTransaction, .rollback, .create, .patch, .delete, .unknown: false
      }
    }
  }

  /// What the addresses of this API begin with.
  static let prefix = "/v1/projects/"
  /// The longest address in bytes.
  private static let byteLimit = 32_768

  let database: DatabaseName
  let operation: Operation
  /// The query after the question mark.
  let parameters: [(name: String, value: String)]

  /// Whether an address is one of this API.
  static func isOne(_ uri: String) -> Bool { uri.hasPrefix(prefix) }

  /// Reads the first line of a request.
  ///
  /// - Throws: what is wrong with it.
  init(_ head: HTTPRequestHead) throws(FirestoreError) {
    guard head.uri.utf8.count <= Self.byteLimit else {
      throw FirestoreError(.invalidArgument, "the address has more than \(Self.byteLimit) bytes")
    }
    let uri = Array(head.uri.utf8)
    let question = uri.firstIndex(of: UInt8(ascii: "?")) ?? uri.endIndex
    parameters = try Self.parameters(uri[question...].dropFirst())
    // The colon of a custom method is one that is written as such; ids with a colon have it, too.
    var parts: [String] = []
    for part in uri[..<question].split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
    ).dropFirst() {
      parts.append(try Self.decode(part))
    }
    guard parts.count >= 6, parts[0] == "v1", parts[1] == "projects", parts[3] == "databases" else {
      throw Self.notFound
    }
    guard let database = DatabaseName(project: parts[2], database: parts[4]) else {
      throw FirestoreError(.invalidArgument, "this is no name of a database")
    }
    self.database = database
    let root = parts[5].split(separator: ":", maxSplits: 1).map(String.init)
    guard root.first == "documents" else { throw Self.notFound }
    operation = try Self.operation(
      head.method, parts: Array(parts[6...]), method: root.count > 1 ? root[1] : nil, database)
  }

  private static let notFound = FirestoreError(.notFound, "there is nothing here")

  private static let methods: Set<String> = [
    "commit", "runQuery", "batchGet", "beginTransaction", "rollback", "batchWrite", "listen",
    "write", "listCollectionIds", "runAggregationQuery", "partitionQuery", "executePipeline",
  ]

  private static func operation(
    _ verb: HTTPMethod, parts: [String], method: String?, _ database: DatabaseName
  ) throws(FirestoreError) -> Operation {
    var parts = parts
    var method = method
    // A method after the name of a document; the end of an id after its last colon may only look like one
    // there.
    if method == nil, verb == .POST, let last = parts.last, let colon = last.lastIndex(of: ":"),
      methods.contains(String(last[last.index(after: colon)...]))
    {
      method = String(last[last.index(after: colon)...])
      parts[parts.count - 1] = String(last[..<colon])
    }
    if let method {
      guard verb == .POST, methods.contains(method) else { throw notFound }
      switch method {
      case "commit" where parts.isEmpty: return .commit
      case "batchGet" where parts.isEmpty: return .batchGet
      case "beginTransaction" where parts.isEmpty: return .beginTransaction
      case "rollback" where parts.isEmpty: return .rollback
      case "runQuery" where parts.count.isMultiple(of: 2): return .runQuery(parent: parts)
      case "runAggregationQuery" where parts.count.isMultiple(of: 2):
        return .runAggregationQuery(parent: parts)
      case "listCollectionIds" where parts.count.isMultiple(of: 2):
        return .listCollectionIDs(parent: parts)
      default: return .unknown(method)
      }
    }
    guard !parts.isEmpty else { throw notFound }
    if parts.count.isMultiple(of: 2) {
      guard let name = DocumentName(database, parts) else {
        throw FirestoreError(.invalidArgument, "this is no name of a document")
      }
      switch verb {
      case .GET: return .get(name)
      case .PATCH: return .patch(name)
      case .DELETE: return .delete(name)
      default: throw notFound
      }
    }
    guard parts.allSatisfy(DocumentName.isSegment) else {
      throw FirestoreError(.invalidArgument, "this is no name of a collection")
    }
    switch verb {
    case .GET: return .list(collection: parts)
    case .POST: return .create(collection: parts)
    default: throw notFound
    }
  }

  // MARK: The query after the question mark

  private static func parameters(
    _ text: ArraySlice<UInt8>
  ) throws(FirestoreError) -> [(name: String, value: String)] {
    var parameters: [(name: String, value: String)] = []
    for pair in text.split(separator: UInt8(ascii: "&")) {
      let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      let value = pair[equals...].dropFirst().map {
        $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0
      }
      parameters.append((try decode(pair[..<equals]), try decode(value[...])))
    }
    return parameters
  }

  /// Takes percent signs away (RFC 3986, section 2.1).
  private static func decode(_ text: ArraySlice<UInt8>) throws(FirestoreError) -> String {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hex), let low = rest.popFirst().flatMap(hex) else {
        throw FirestoreError(.invalidArgument, "the address is not encoded as it should be")
      }
      bytes.append(high << 4 | low)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw FirestoreError(.invalidArgument, "the address is not UTF-8")
    }
    return text
  }

  private static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The last value of a parameter.
  func parameter(_ name: String) -> String? { parameters.last { $0.name == name }?.value }

  /// Which state of the documents is read.
  func consistency() throws(FirestoreError) -> ReadConsistency {
    if let text = parameter("transaction"), !text.isEmpty {
      guard let id = FirestoreValue.decodeBase64(text) else {
        throw FirestoreError(.invalidArgument, "'transaction' is not Base64")
      }
      return .transaction(id)
    }
    return parameter("readTime") == nil ? .present : .time
  }

  /// The paths of a mask; `nil` when it is not given.
  func mask(_ name: String) throws(FirestoreError) -> [FieldPath]? {
    var paths: [FieldPath]?
    for parameter in parameters where parameter.name == name + ".fieldPaths" {
      guard let path = FieldPath(text: parameter.value) else {
        throw FirestoreError(.invalidArgument, "'\(parameter.value)' is no path of a field")
      }
      paths = (paths ?? []) + [path]
    }
    return paths
  }

  /// The precondition of a change.
  func precondition() throws(FirestoreError) -> FirestoreWrite.Precondition? {
    if let text = parameter("currentDocument.exists") {
      guard text == "true" || text == "false" else {
        throw FirestoreError(.invalidArgument, "'currentDocument.exists' is true or false")
      }
      return .exists(text == "true")
    }
    guard let text = parameter("currentDocument.updateTime") else { return nil }
    guard let time = FirestoreTimestamp(text: text) else {
      throw FirestoreError(.invalidArgument, "'currentDocument.updateTime' is no time of RFC 3339")
    }
    return .updateTime(time)
  }
}
