// Answers requests for documents: what each operation of the REST API does, and how its result is written.

internal import CanonicalJSON
internal import FirestoreModel
internal import NIOConcurrencyHelpers
internal import NIOHTTP1
package import RedoRepository
internal import RedoObject
internal import RedoRemote
internal import RedoStore

/// A request that was let in.
struct FirestoreWork: Sendable {
  let request: FirestoreRequest
  let caller: FirestoreCaller
  let store: DocumentStore
}

/// The documents of all stores of a server.
package struct FirestoreService: Sendable {
  /// The most bytes of a request (Firestore's limit).
  static let requestLimit = 10 << 20
  /// The most documents that are listed at a time, and the default.
  static let pageLimit = 300
  static let pageSize = 100

  /// The project whose documents these are; any when `nil`.
  let project: String?
  /// Whether unsigned tokens are accepted, as by Google's emulator.
  let isEmulator: Bool
  /// How many large requests of each client are being worked on.
  let large: NIOLockedValueBox<[String: Int]>
  /// The documents of each store, by its path.
  let stores: [String: DocumentStore]
  /// The same by the real paths.
  private let opened: [String: DocumentStore]
  /// The replicas of each store, by the real paths.
  private let replicas: [String: [OAuthID]]
  /// The accounts that ask for documents of each store, by the real paths.
  private let readers: [String: [OAuthID]]

  /// Opens the documents of all stores that are served.
  ///
  /// - Parameters:
  ///   - project: the project whose documents these are; any when `nil`.
  ///   - isEmulator: whether unsigned tokens are accepted.
  ///   - accounts: the accounts; `nil` with an emulator.
  ///   - localStore: the absolute path of the store that is served without accounts.
  ///   - stores: how stores are opened.
  ///   - log: takes lines for people.
  ///   - former: what was served before: stores that stay are not opened again.
  /// - Throws: `SyncFault` when another server has documents open, `DocumentLogError` when they cannot be used,
  ///   `DocumentAccountFault` for an account that cannot have any.
  package init(
    project: String?, isEmulator: Bool, _ accounts: Accounts?, localStore: String,
    _ stores: ServedStores, _ log: RequestLog, after former: FirestoreService? = nil
  ) throws {
    large = former?.large ?? NIOLockedValueBox([:])
    self.project = project
    self.isEmulator = isEmulator
    // Two paths may lead to one store; its documents are opened once.
    var places: [String: String] = [:]
    var replicas: [String: [OAuthID]] = [:]
    var readers: [String: [OAuthID]] = [:]
    if accounts == nil {
      places[localStore] = localStore
      replicas[localStore] = []
    }
    for account in accounts?.all ?? [] {
      let real = try stores.check(account.store)
      places[account.store] = real
      do throws(OAuthID.Fault) {
        let id = try OAuthID(account.name)
        replicas[real, default: []] += account.rights.isReplica ? [id] : []
        readers[real, default: []].append(id)
      } catch {
        throw DocumentAccountFault(account: account.name, reason: error)
      }
    }
    var opened: [String: DocumentStore] = [:]
    for (real, replicas) in replicas {
      if let known = former?.opened[real] {
        opened[real] = known
        continue
      }
      opened[real] = try DocumentStore(
        try ServedNodes(stores, path: real), replicas: replicas, readers: readers[real] ?? [],
        words: log.words
      ) { line in log.say("message", [("store", .text(real)), ("text", .text(line))]) }
    }
    self.opened = opened
    self.replicas = replicas
    self.readers = readers
    self.stores = places.compactMapValues { opened[$0] }
  }

  /// From now on it is this that is served: stores that were served before go by the new accounts.
  func takeOver() {
    for (real, replicas) in replicas {
      opened[real]?.serve(replicas: replicas, readers: readers[real] ?? [])
    }
  }

  // MARK: One request

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - work: the operation.
  ///   - stream: the body of the request, and where the answer goes.
  /// - Returns: why the connection is at its end; `nil` when the answer has left.
  func answer(_ work: FirestoreWork, _ stream: RequestStream) -> RemoteError? {
    let answer = FirestoreAnswer(stream, large, of: work.caller.name)
    defer { answer.end() }
    do throws(FirestoreError) {
      var body: [UInt8] = []
      switch work.request.operation {
      case .commit, .runQuery, .runAggregationQuery, .batchGet, .beginTransaction, .rollback,
        .listCollectionIDs, .create, .patch, .unknown:
        body = try answer.body(limit: Self.requestLimit)
      case .get, .list, .delete: break
      }
      if answer.failure == nil {
        try follow(work.store)
        try perform(work, body, answer)
      }
    } catch {
      answer.send(error)
    }
    return answer.failure
  }

  /// Does what is asked; anew, without the nodes that could not be read, if reading has met such.
  private func perform(
    _ work: FirestoreWork, _ body: [UInt8], _ answer: FirestoreAnswer
  ) throws(FirestoreError) {
    while true {
      let before = work.store.state.withLockedValue { $0.leftOutCount }
      do throws(FirestoreError) {
        return try Self.perform(work, body, answer)
      } catch {
        let isLess = work.store.state.withLockedValue { $0.leftOutCount } > before
        guard isLess, error.status == .unavailable, work.request.operation.isReading,
          !answer.hasLeft
        else { throw error }
      }
    }
  }

  private func follow(_ store: DocumentStore) throws(FirestoreError) {
    do { try store.follow() } catch {
      store.say("the history cannot be read: \(store.nodes.describe(error))")
      throw FirestoreError(.unavailable, "the store cannot be read now")
    }
  }

  static func parsed<Value>(
    _ body: [UInt8], _ read: (JSONValue) throws(FirestoreFormatError) -> Value
  ) throws(FirestoreError) -> Value {
    do throws(FirestoreFormatError) {
      let text = try MessageText(body)
      return try read(text.root)
    } catch {
      throw FirestoreError(.invalidArgument, "the body is not as it should be: \(error.message)")
    }
  }

  private static func perform(
    _ work: FirestoreWork, _ body: [UInt8], _ answer: FirestoreAnswer
  ) throws(FirestoreError) {
    let (request, caller, store) = (work.request, work.caller, work.store)
    switch request.operation {
    case .commit:
      let commit = try parsed(body) { (json) throws(FirestoreFormatError) in
        try FirestoreCommit(json)
      }
      let response = try CommitRun.run(
        commit.writes, store, caller, request.database, in: commit.transaction)
      var json: [UInt8] = []
      response.appendJSON(to: &json)
      answer.send(json)
    case .runQuery(let parent): try query(work, parent, body, answer)
    case .runAggregationQuery(let parent): try aggregate(work, parent, body, answer)
    case .batchGet: try batchGet(work, body, answer)
    case .beginTransaction: try begin(work, body, answer)
    case .rollback: try rollback(work, body, answer)
    case .listCollectionIDs(let parent): try listCollections(work, parent, body, answer)
    case .get(let name):
      let key = DocumentKey(name)
      let reading = try Reading(try request.consistency(), work)
      let row = store.state.withLockedValue { $0.table[key] }
      guard FirestoreRules.allowsRead(caller, key, row) else { throw FirestoreRules.refusal }
      try reading.note(.documents([key]), [row])
      guard let row else {
        throw FirestoreError(.notFound, "Document (\(name.text)) not found.")
      }
      answer.send(try document(row, work, mask: try request.mask("mask")))
    case .list(let collection): try list(work, collection, answer)
    case .create(let collection):
      let id = request.parameter("documentId") ?? Self.newID()
      guard let name = DocumentName(request.database, collection + [id]) else {
        throw FirestoreError(.invalidArgument, "'\(id)' is no id of a document")
      }
      try write(work, name, body, mask: nil, .exists(false), answer)
    case .patch(let name):
      try write(
        work, name, body, mask: try request.mask("updateMask"), try request.precondition(), answer)
    case .delete(let name):
      let write = FirestoreWrite(.delete(name.text), precondition: try request.precondition())
      _ = try CommitRun.run([write], store, caller, request.database)
      answer.send(Array("{}".utf8))
    case .unknown(let method):
      throw FirestoreError(.unimplemented, "':\(method)' is not served here")
    }
  }

  /// An id for a document whose client gives it none.
  private static func newID() -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    return String(
      decoding: (0..<20).map { _ in letters[Int(Random.uint64() % UInt64(letters.count))] },
      as: UTF8.self)
  }

  /// Writes one document, and answers it.
  private static func write(
    _ work: FirestoreWork, _ name: DocumentName, _ body: [UInt8], mask: [FieldPath]?,
    _ precondition: FirestoreWrite.Precondition?, _ answer: FirestoreAnswer
  ) throws(FirestoreError) {
    var document = try parsed(body) { (json) throws(FirestoreFormatError) in
      try FirestoreDocument(json)
    }
    document.name = name.text
    let write = FirestoreWrite(.update(document), updateMask: mask, precondition: precondition)
    _ = try CommitRun.run([write], work.store, work.caller, work.request.database)
    guard let row = work.store.state.withLockedValue({ $0.table[DocumentKey(name)] }) else {
      throw FirestoreError(.notFound, "Document (\(name.text)) not found.")
    }
    answer.send(try self.document(row, work, mask: try work.request.mask("mask")))
  }
}
