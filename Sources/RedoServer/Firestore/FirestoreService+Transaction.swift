// Transactions as the REST API has them: begun, read in, rolled back. CommitRun ends them.

internal import CanonicalJSON
internal import FirestoreModel
internal import RedoCrypto

extension FirestoreService {
  /// A read, and the transaction to which it belongs.
  struct Reading {
    private let work: FirestoreWork
    private let id: [UInt8]?
    /// The id of the transaction that begins with it.
    let newID: String?

    /// Prepares a read.
    ///
    /// - Parameters:
    ///   - consistency: which state is to be read.
    ///   - work: the request.
    /// - Throws: `INVALID_ARGUMENT` without such a transaction, `ABORTED` when something has changed that it has read,
    ///   `UNIMPLEMENTED` for a state that is past.
    init(_ consistency: ReadConsistency, _ work: FirestoreWork) throws(FirestoreError) {
      self.work = work
      switch consistency {
      case .present: (id, newID) = (nil, nil)
      case .time: throw Transactions.noPast
      case .new(let options):
        let new = try work.store.transactions.begin(options, work.caller)
        (id, newID) = (new, FirestoreService.text(new))
      case .transaction(let old):
        (id, newID) = (old, nil)
        let readings = try work.store.transactions.readings(of: old, work.caller)
        do throws(FirestoreError) {
          try work.store.check(readings, work.caller)
        } catch {
          try? work.store.transactions.rollBack(old, work.caller)
          throw error
        }
      }
    }

    /// Notes what was read.
    ///
    /// - Parameters:
    ///   - subject: what was asked for.
    ///   - rows: what there was.
    /// - Throws: `INVALID_ARGUMENT` when the transaction is over, or has read too much.
    func note(
      _ subject: Transactions.Reading.Subject, _ rows: [DocumentRow?]
    ) throws(FirestoreError) {
      guard let id else { return }
      try work.store.transactions.note(.init(subject: subject, state: DocumentDigest(rows)), in: id)
    }
  }

  private static func text(_ id: [UInt8]) -> String {
    var text: [UInt8] = []
    Base64.append(id.span, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Begins a transaction.
  static func begin(
    _ work: FirestoreWork, _ body: [UInt8], _ answer: FirestoreAnswer
  ) throws(FirestoreError) {
    var options = TransactionOptions.readWrite(retrying: nil)
    if !body.isEmpty {
      options = try parsed(body) { (json) throws(FirestoreFormatError) in
        guard json.isObject else { throw json.fault("a request that is no object") }
        guard let given = json.given("options") else { return options }
        return try TransactionOptions(given, usual: options)
      }
    }
    let id = try work.store.transactions.begin(options, work.caller)
    var json = JSONWriter()
    json.object { $0.add("transaction", text(id)) }
    answer.send(json.bytes)
  }

  /// Gives a transaction up.
  static func rollback(
    _ work: FirestoreWork, _ body: [UInt8], _ answer: FirestoreAnswer
  ) throws(FirestoreError) {
    let id = try parsed(body) { (json) throws(FirestoreFormatError) in
      guard let id = json.given("transaction") else { throw json.fault("no transaction") }
      return try id.transaction()
    }
    try work.store.transactions.rollBack(id, work.caller)
    answer.send(Array("{}".utf8))
  }
}
