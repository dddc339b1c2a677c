// The service `query` of the helper: questions at standard input, rows at standard output.

internal import CanonicalJSON
internal import FirestoreModel
internal import RedoRepository
package import RedoRemote

/// Answers questions.
package struct QueryService {
  /// The longest question.
  private static let lineLimit = 16 << 20
  /// How many bytes of rows are written together.
  private static let writeBytes = 65_536
  /// The most documents whose rows are all held in memory, to be sorted here.
  private static let sortLimit = 1_000_000

  private let collection: NodeCollection
  private let stream: any ByteStream
  private var output: [UInt8] = []
  private var rowCount = 0

  private init(_ collection: NodeCollection, _ stream: any ByteStream) {
    self.collection = collection
    self.stream = stream
  }

  /// Answers until the side at the pipe ends.
  ///
  /// - Parameters:
  ///   - collection: the documents.
  ///   - stream: the pipe.
  /// - Throws: why nothing can be read or written any more.
  package static func run(
    _ collection: NodeCollection, _ stream: any ByteStream
  ) throws(RemoteError) {
    var buffer: [UInt8] = []
    while true {
      while let end = buffer.firstIndex(of: newline) {
        let line = Array(buffer[..<end])
        buffer.removeFirst(end + 1)
        var service = QueryService(collection, stream)
        do throws(RemoteError) {
          try service.answer(line)
        } catch {
          try service.fail(error)
        }
      }
      guard buffer.count <= lineLimit else {
        throw .limit("a question of more than \(lineLimit) bytes")
      }
      let bytes = try stream.read(atMost: writeBytes)
      if bytes.isEmpty { return }
      buffer += bytes
    }
  }

  /// Says why no question can be answered.
  ///
  /// - Parameters:
  ///   - error: why.
  ///   - stream: the pipe.
  package static func refuse(_ error: RemoteError, _ stream: any ByteStream) {
    try? stream.write(line(error))
  }

  private static let newline = UInt8(ascii: "\n")

  private static func line(_ error: RemoteError) -> [UInt8] {
    let fault = error.fault ?? PeerFault(.stopped, error.description)
    let told: PeerFault = if case .peer(let fault) = error { fault } else { fault }
    var inner = AnswerObject()
    inner.add("code", told.code.rawValue)
    inner.add("text", told.text)
    var row = AnswerObject()
    row.add("error", inner)
    return row.bytes + [newline]
  }

  // MARK: Rows

  private mutating func put(_ row: AnswerObject) throws(RemoteError) {
    output += row.bytes
    output.append(Self.newline)
    rowCount += 1
    if output.count >= Self.writeBytes { try flush() }
  }

  private mutating func flush() throws(RemoteError) {
    try stream.write(output)
    output = []
  }

  private mutating func end() throws(RemoteError) {
    var row = AnswerObject()
    let cost = collection.client.cost
    row.add("bytesReceived", Int64(cost.bytesReceived))
    row.add("bytesSent", Int64(cost.bytesSent))
    row.add("end", Int64(rowCount))
    row.add("reads", Int64(cost.reads))
    row.add("roundTrips", Int64(cost.roundTrips))
    row.add("writes", Int64(cost.writes))
    output += row.bytes + [Self.newline]
    try flush()
  }

  private mutating func fail(_ error: RemoteError) throws(RemoteError) {
    output += Self.line(error)
    try flush()
  }

  // MARK: Answers

  private mutating func answer(_ line: [UInt8]) throws(RemoteError) {
    let account = collection.client.settings.account
    switch try HelperQuestion(line, account: account) {
    case .nodes(let question): try nodes(question)
    case .owned(let limit): try owned(limit)
    case .user: try user()
    case .count: try count()
    case .documents: try documents(account)
    case .verify(let ids, let allowsUnsigned):
      try verify(ids, account, allowsUnsigned: allowsUnsigned)
    }
    try end()
  }

  private mutating func nodes(_ question: NodeQuestion) throws(RemoteError) {
    let plan = try QuestionPlan(question)
    var held: [NodeRow] = []
    var last: FirestoreDocument?
    var wanted = question.limit ?? Int.max
    while wanted > 0 {
      let limit = plan.isSortedHere ? QuestionPlan.pageLimit : min(wanted, QuestionPlan.pageLimit)
      let documents = try page(plan.query(after: last, limit: limit))
      for document in documents {
        let row = NodeRow(document)
        if plan.isSortedHere { held.append(row) } else { try put(row.row) }
      }
      if !plan.isSortedHere { wanted -= documents.count }
      guard held.count <= Self.sortLimit else {
        throw .peer(
          PeerFault(
            .limit, "FIREBASE_003: more than \(Self.sortLimit) nodes would have to be sorted here"))
      }
      last = documents.last
      if documents.count < limit { break }
    }
    held.sort(by: NodeRow.isOrdered)
    for row in held.prefix(wanted) { try put(row.row) }
  }

  private func page(_ query: StructuredQuery) throws(RemoteError) -> [FirestoreDocument] {
    let client = collection.client
    do throws(CallFailure) {
      return try client.run(query, as: "nodes").documents
    } catch {
      throw error.told("the query", by: client.settings.account)
    }
  }

  private mutating func owned(_ limit: Int?) throws(RemoteError) {
    let ids = Array(try collection.owned().prefix(limit ?? .max))
    let step = 300
    for start in stride(from: 0, to: ids.count, by: step) {
      let part = Array(ids[start..<min(start + step, ids.count)])
      var rows: [String: NodeRow] = [:]
      try collection.documents(part) { documents in
        for document in documents {
          if let id = DocumentName(text: document.name)?.id { rows[id] = NodeRow(document) }
        }
      }
      for id in part { try put((rows[id] ?? NodeRow(id: id)).row) }
    }
  }

  private mutating func user() throws(RemoteError) {
    guard let document = try collection.user() else { return }
    let fields = document.fields
    func time(_ name: String) -> String? {
      fields[name].flatMap { $0.timestamp?.text ?? $0.text }
    }
    var row = AnswerObject()
    row.add("account", collection.client.settings.account.text)
    row.add("createdAt", time("createdAt"))
    row.add("deviceIds", fields["deviceIds"]?.elements?.compactMap(\.text) ?? [])
    row.add("displayName", fields["displayName"]?.text)
    row.add("email", fields["email"]?.text)
    row.add("lastActivity", time("lastActivity"))
    row.add("lastSyncAt", time("lastSyncAt"))
    row.add("ownedNodes", Int64(fields["ownedNodes"]?.elements?.count ?? 0))
    row.add("totalNodes", fields["totalNodes"]?.integer)
    try put(row)
  }

  private mutating func count() throws(RemoteError) {
    var count: Int64 = 0
    var last: String?
    if let counted = try collection.count(.all) { count = Int64(counted) }
    // A service without numbers lists the names.
    while !collection.client.hasNumbers {
      let page = try collection.names(after: last)
      count += Int64(page.documents.count)
      guard !page.isLast, let name = page.documents.last?.name else { break }
      last = DocumentName(text: name)?.id
    }
    var row = AnswerObject()
    row.add("account", collection.client.settings.account.text)
    row.add("nodeCount", count)
    try put(row)
  }

  private mutating func documents(_ account: OAuthID) throws(RemoteError) {
    let (accessList, createdAt) = (FieldPath("accessList"), FieldPath("createdAt"))
    var query = StructuredQuery(
      "nodes", where: .field(accessList, .arrayContains, .string(account.text)),
      orderBy: [.init(.documentName)], limit: QuestionPlan.pageLimit)
    query.select = [accessList, createdAt]
    while true {
      let page = try page(query)
      for document in page {
        var row = AnswerObject()
        row.add("accessList", document.fields[accessList]?.elements?.compactMap(\.text) ?? [])
        row.add("createdAt", document.fields[createdAt].flatMap { $0.timestamp?.text ?? $0.text })
        row.add("id", DocumentName(text: document.name)?.id ?? document.name)
        try put(row)
      }
      guard page.count == QuestionPlan.pageLimit, let last = page.last else { break }
      query.startAt = .init([.reference(last.name)], isBefore: false)
    }
    var row = AnswerObject()
    if let document = try collection.user() {
      var fields: [UInt8] = []
      document.fields.appendJSON(to: &fields)
      row.add("fields", json: fields)
    }
    row.add("user", account.text)
    try put(row)
  }

  private mutating func verify(
    _ ids: [String], _ account: OAuthID, allowsUnsigned: Bool
  ) throws(RemoteError) {
    let step = 300
    for start in stride(from: 0, to: ids.count, by: step) {
      let part = Array(ids[start..<min(start + step, ids.count)])
      var checks: [String: DocumentCheck] = [:]
      try collection.documents(part.filter(DocumentName.isSegment)) { documents in
        for document in documents {
          let check = DocumentCheck(
            document, account: account, allowsUnsigned: allowsUnsigned)
          checks[check.id] = check
        }
      }
      for id in part { try put((checks[id] ?? DocumentCheck(missing: id)).row) }
    }
  }
}
