// What stands for the state of some documents: their names, when they were changed, and who may read them.

internal import FirestoreModel
internal import NIOConcurrencyHelpers
internal import RedoCrypto

/// The state of some documents, as a hash.
struct DocumentDigest: Equatable, Sendable {
  private let digest: Digest

  /// The state of documents.
  ///
  /// - Parameter rows: the documents in their order; `nil` for one that does not exist.
  init(_ rows: [DocumentRow?]) {
    var bytes: [UInt8] = []
    for row in rows {
      guard let row else {
        bytes.append(0)
        continue
      }
      bytes.append(1)
      let path = row.key.path
      for number in [
        UInt64(path.count), UInt64(bitPattern: row.updated), UInt64(row.held.bytes.count),
      ] {
        for shift in stride(from: 0, to: 64, by: 8) {
          bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
      }
      bytes += path
      bytes += row.held.bytes
    }
    digest = SHA256.digest(of: bytes.span)
  }
}

extension DocumentStore {
  /// The results of a query.
  ///
  /// - Parameters:
  ///   - plan: the query.
  ///   - caller: the client, for whom the rules must let it through.
  /// - Returns: the documents in their order.
  /// - Throws: `PERMISSION_DENIED`, `FAILED_PRECONDITION` without an index, or when a document cannot be read.
  func rows(
    of plan: QueryPlan, for caller: FirestoreCaller
  ) throws(FirestoreError) -> [DocumentRow] {
    let result = state.withLockedValue { state -> Result<[DocumentRow], FirestoreError> in
      do throws(FirestoreError) {
        try plan.check(caller, state.table)
        try plan.checkIndexes()
        guard plan.asksNodes else { return .success([]) }
        // Clients ask page by page, for what they may read themselves.
        let asked = plan.branches.compactMap { plan.reader(of: $0) }
        state.table.index(asked.filter { $0 == caller.reader })
        let run = QueryRun(plan) { _ throws(FirestoreError) in FirestoreFields() }
        return .success(try run.rows(in: state.table))
      } catch {
        return .failure(error)
      }
    }
    if plan.asksNodes { return try result.get() }
    _ = try result.get()
    // What is not held in memory is read, while others go on.
    let table = state.withLockedValue { $0.table }
    return try QueryRun(plan) { row throws(FirestoreError) in try self.fields(of: row) }
      .rows(in: table)
  }

  /// Checks that everything that a transaction has read is still so.
  ///
  /// - Parameters:
  ///   - readings: what it has read.
  ///   - caller: whose it is.
  /// - Throws: `ABORTED` when something has changed, or may not be read any more.
  func check(
    _ readings: [Transactions.Reading], _ caller: FirestoreCaller
  ) throws(FirestoreError) {
    for reading in readings {
      let now: DocumentDigest
      switch reading.subject {
      case .documents(let keys):
        now = DocumentDigest(state.withLockedValue { state in keys.map { state.table[$0] } })
      case .query(let plan):
        do throws(FirestoreError) {
          now = DocumentDigest(try rows(of: plan, for: caller))
        } catch {
          throw error.status == .unavailable ? error : Transactions.contention
        }
      }
      guard now == reading.state else { throw Transactions.contention }
    }
  }
}
