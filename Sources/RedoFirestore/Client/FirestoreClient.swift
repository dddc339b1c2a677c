// Requests to the REST API of Firestore (v1), one after another: the thread waits, the event loop does not.

internal import CanonicalJSON
package import AsyncHTTPClient
package import FirestoreModel
internal import NIOCore
internal import NIOHTTP1
package import RedoRepository
internal import RedoHTTP
package import RedoRemote

/// Talks to a database.
///
/// A class, because its token changes.
package final class FirestoreClient {
  /// The most bytes of an answer; queries ask for less when one has more.
  private static let answerLimit = 48 << 20
  /// An answer as a whole may take this many times as long as it may stall.
  private static let patience = 10.0
  private static let mediaType = "application/json"

  package let settings: FirestoreSettings
  private let client: HTTPClient
  private let token: FirestoreToken
  private let trace: Trace
  /// What it has done so far, without requests for tokens.
  package private(set) var cost = TransportCost()
  /// Whether the service has not yet said that it knows no numbers about queries.
  package private(set) var hasNumbers = true

  /// A client.
  ///
  /// - Parameters:
  ///   - settings: where the database is.
  ///   - client: makes the requests.
  ///   - token: identifies the client.
  ///   - trace: records requests.
  package init(
    _ settings: FirestoreSettings, _ client: HTTPClient, _ token: FirestoreToken, _ trace: Trace
  ) {
    self.settings = settings
    self.client = client
    self.token = token
    self.trace = trace
  }

  // MARK: Operations

  /// Asks a query.
  ///
  /// - Parameters:
  ///   - query: the query.
  ///   - name: what the trace calls it.
  ///   - count: how many ids it names, for the trace.
  /// - Returns: the rows, and when they were so.
  /// - Throws: why there is no answer.
  package func run(
    _ query: StructuredQuery, as name: StaticString, count: Int = 0
  ) throws(CallFailure) -> (documents: [FirestoreDocument], readTime: FirestoreTimestamp?) {
    var body: [UInt8] = []
    query.appendRequest(to: &body)
    let answer = try call(
      name, .POST, "\(settings.database.documents):runQuery", body, count: count)
    let rows = try Self.rows(answer)
    cost.reads += max(1, rows.documents.count)
    return rows
  }

  /// Asks for numbers about a query, one of which, `n`, is how many results there are.
  ///
  /// - Parameters:
  ///   - query: the query and the numbers.
  ///   - name: what the trace calls it.
  /// - Returns: the numbers by their names; `nil` when the service knows none.
  /// - Throws: why there is no answer.
  package func numbers(
    _ query: AggregationQuery, as name: StaticString
  ) throws(CallFailure) -> FirestoreFields? {
    guard hasNumbers else { return nil }
    var body: [UInt8] = []
    query.appendRequest(to: &body)
    let answer: [UInt8]
    do throws(CallFailure) {
      answer = try call(
        name, .POST, "\(settings.database.documents):runAggregationQuery", body, count: 1)
    } catch {
      guard error.status == .unimplemented || error.status == .notFound else { throw error }
      hasNumbers = false
      return nil
    }
    let numbers = try Self.numbers(answer)
    // A read for each thousand of what is counted.
    let count = numbers[Self.countName]?.integer ?? 0
    cost.reads += max(1, Int(clamping: (count + 999) / 1000))
    return numbers
  }

  /// The name of the number of results.
  package static let countName = "n"

  /// Writes, all or nothing.
  ///
  /// - Parameters:
  ///   - request: the writes.
  ///   - name: what the trace calls it.
  /// - Returns: when it happened.
  /// - Throws: why it did not, or why that is unknown.
  package func commit(
    _ request: FirestoreCommit, as name: StaticString
  ) throws(CallFailure) -> FirestoreCommitAnswer {
    var body: [UInt8] = []
    request.appendJSON(to: &body)
    let answer = try call(
      name, .POST, "\(settings.database.documents):commit", body, count: request.writes.count)
    cost.writes += request.writes.count
    return try Self.reading { () throws(FirestoreFormatError) in
      let text = try MessageText(answer)
      return try FirestoreCommitAnswer(text.root)
    }
  }

  /// Reads one document.
  ///
  /// - Parameters:
  ///   - document: its name.
  ///   - name: what the trace calls it.
  /// - Returns: the document; `nil` when it does not exist.
  /// - Throws: why it cannot be read.
  package func get(
    _ document: DocumentName, as name: StaticString
  ) throws(CallFailure) -> FirestoreDocument? {
    let answer: [UInt8]
    do throws(CallFailure) {
      answer = try call(name, .GET, document.urlPath, [], count: 1)
    } catch {
      guard error.status == .notFound else { throw error }
      cost.reads += 1
      return nil
    }
    cost.reads += 1
    return try Self.reading { () throws(FirestoreFormatError) in
      let text = try MessageText(answer)
      return try FirestoreDocument(text.root)
    }
  }

  // MARK: Answers

  /// The rows of an answer; an error may follow some of them.
  private static func rows(
    _ answer: [UInt8]
  ) throws(CallFailure) -> (documents: [FirestoreDocument], readTime: FirestoreTimestamp?) {
    var documents: [FirestoreDocument] = []
    var readTime: FirestoreTimestamp?
    try forEachRow(of: answer) { text throws(FirestoreFormatError) in
      let row = try FirestoreRow(text)
      if let time = row.readTime, readTime.map({ time < $0 }) ?? true { readTime = time }
      if let document = row.document { documents.append(document) }
    }
    return (documents, readTime)
  }

  /// The numbers of an answer.
  private static func numbers(_ answer: [UInt8]) throws(CallFailure) -> FirestoreFields {
    var numbers: FirestoreFields?
    try forEachRow(of: answer) { text throws(FirestoreFormatError) in
      numbers = try AggregationQuery.numbers(text) ?? numbers
    }
    return try reading { () throws(FirestoreFormatError) in
      guard let numbers, numbers[countName]?.integer != nil else {
        throw FirestoreFormatError("", "an answer without its numbers")
      }
      return numbers
    }
  }

  /// Hands on the rows of an answer, up to an error.
  private static func forEachRow(
    of answer: [UInt8], _ body: (JSONValue) throws(FirestoreFormatError) -> Void
  ) throws(CallFailure) {
    var failure: CallFailure?
    try reading { () throws(FirestoreFormatError) in
      var cutter = JSONRows()
      for bytes in try cutter.take(answer) {
        let text = try MessageText(bytes)
        if let error = FirestoreError(text.root) {
          failure = .status(error, retryAfterSeconds: nil)
          return
        }
        try body(text.root)
      }
      guard cutter.isComplete else { throw FirestoreFormatError("", "an answer that is cut off") }
    }
    if let failure { throw failure }
  }

  private static func reading<Value>(
    _ body: () throws(FirestoreFormatError) -> Value
  ) throws(CallFailure) -> Value {
    do throws(FirestoreFormatError) {
      return try body()
    } catch {
      throw .transport(
        .refused(
          PeerFault(
            .malformed,
            "FIREBASE_002: the answer is not one of Firestore: \(error.message); the setting "
              + "'endpoint' says where it is")))
    }
  }

  // MARK: Requests

  /// Makes a request; once more with a new token when the old one is not accepted.
  private func call(
    _ name: StaticString, _ method: HTTPMethod, _ path: String, _ body: [UInt8], count: Int
  ) throws(CallFailure) -> [UInt8] {
    do throws(CallFailure) {
      return try call(name, method, path, body, count, isAgain: false)
    } catch {
      guard error.status == .unauthenticated else { throw error }
      return try call(name, method, path, body, count, isAgain: true)
    }
  }

  private func call(
    _ name: StaticString, _ method: HTTPMethod, _ path: String, _ body: [UInt8], _ count: Int,
    isAgain: Bool
  ) throws(CallFailure) -> [UInt8] {
    var headers = HTTPHeaders([
      ("Accept", "application/json"), ("Accept-Encoding", "identity"), ("User-Agent", "redo"),
    ])
    if method == .POST { headers.add(name: "Content-Type", value: "application/json") }
    do throws(RemoteError) {
      if let bearer = try token.bearer(forceRefresh: isAgain) {
        headers.add(name: "Authorization", value: "Bearer \(bearer)")
      }
    } catch {
      throw .transport(error.own)
    }
    cost.roundTrips += 1
    cost.bytesSent += body.count
    let began = trace.beginRequest()
    let response: HTTPClient.Response
    do {
      let request = try HTTPClient.Request(
        url: "\(settings.endpoint.base)/v1/\(path)", method: method, headers: headers,
        body: body.isEmpty ? nil : .bytes(body))
      let collecting = ResponseAccumulator(request: request, maxBodySize: Self.answerLimit)
      response = try client.execute(
        request: request, delegate: collecting,
        deadline: .now() + .milliseconds(Int64(settings.limitSeconds * Self.patience * 1_000))
      ).wait()
    } catch {
      trace.endRequest(name, began, count: count, status: 0)
      if error is ResponseAccumulator.ResponseTooBigError { throw .tooLarge }
      let fault = TransportFault.fault(of: error, settings.endpoint)
      throw .transport(.refused(PeerFault(fault.code, "FIREBASE_002: \(fault.text)")))
    }
    let status = Int(response.status.code)
    trace.endRequest(name, began, count: count, status: status)
    let answer = response.body.map { Array($0.readableBytesView) } ?? []
    cost.bytesReceived += answer.count
    guard status == 200 else {
      throw CallFailure(
        status: status, answer,
        location: response.headers.first(name: "location"),
        retryAfterSeconds: response.headers.first(name: "retry-after")
          .flatMap(AnswerCheck.waitSeconds))
    }
    let type = response.headers.first(name: "content-type") ?? Self.mediaType
    guard type.lowercased().hasPrefix(Self.mediaType) else {
      throw .transport(
        .refused(
          PeerFault(
            .malformed,
            "FIREBASE_002: the answer is '\(String(type.unicodeScalars.prefix(120)))', not "
              + "'\(Self.mediaType)': it is not one of Firestore; the setting 'endpoint' says where "
              + "it is, and a page to log in may stand before it")))
    }
    return answer
  }
}
