// Transactions: what each has read, so that its commit is refused when any of that has changed. Nothing is locked and
// no old state is kept, so a transaction that is given up costs nobody anything.
//
// A read in a transaction sees the present documents. If one that it has read before has changed, the read is refused
// as the commit would be: so everything that a transaction has read was there at one time.

internal import FirestoreModel
internal import NIOConcurrencyHelpers
internal import RedoStore

/// The transactions of one store.
///
/// A class, because all threads of a server share them; what changes is behind a lock.
final class Transactions: Sendable {
  /// Something that was read, and what it was.
  struct Reading: Sendable {
    /// What was read.
    enum Subject: Sendable {
      case documents([DocumentKey])
      case query(QueryPlan)
    }

    let subject: Subject
    /// What stands for its state.
    let state: DocumentDigest
  }

  private struct Open {
    let caller: FirestoreCaller
    let isReadOnly: Bool
    let beganNanoseconds: Int64
    var usedNanoseconds: Int64
    var readings: [Reading] = []
  }

  /// How long a transaction may take, and how long it may do nothing (Firestore).
  static let lifeNanoseconds: Int64 = 270_000_000_000
  static let idleNanoseconds: Int64 = 60_000_000_000
  /// How many one client may have open, and how many reads one may have.
  static let openLimit = 100
  static let readingLimit = 500

  /// How many that have ended are known, so that rolling one of them back does no harm.
  private static let endedLimit = 1000

  private struct State {
    var open: [[UInt8]: Open] = [:]
    var ended: [(id: [UInt8], caller: FirestoreCaller)] = []

    mutating func end(_ id: [UInt8]) -> Open? {
      guard let one = open.removeValue(forKey: id) else { return nil }
      if ended.count == Transactions.endedLimit { ended.removeFirst(ended.count / 2) }
      ended.append((id, one.caller))
      return one
    }
  }

  private let state = NIOLockedValueBox(State())
  private let clock: @Sendable () -> Int64

  /// No transactions.
  ///
  /// - Parameter clock: nanoseconds that only grow.
  init(clock: @escaping @Sendable () -> Int64 = { SystemClock.monotonicNanoseconds() }) {
    self.clock = clock
  }

  static let invalid = FirestoreError(
    .invalidArgument, "The referenced transaction has expired or is no longer valid.")
  static let contention = FirestoreError(
    .aborted, "Too much contention on these documents. Please try again.")

  /// Begins one.
  ///
  /// - Parameters:
  ///   - options: what it may do.
  ///   - caller: whose it is.
  /// - Returns: its id.
  /// - Throws: `INVALID_ARGUMENT`, `RESOURCE_EXHAUSTED` when the client has too many, `UNIMPLEMENTED` for one at a time.
  func begin(
    _ options: TransactionOptions, _ caller: FirestoreCaller
  ) throws(FirestoreError) -> [UInt8] {
    guard caller != .nobody else { throw FirestoreRules.refusal }
    let isReadOnly: Bool
    switch options {
    case .readOnly: isReadOnly = true
    case .readWrite(let old):
      guard old.map({ $0.count == Self.idBytes }) ?? true else { throw Self.invalid }
      isReadOnly = false
    case .readOnlyAt: throw Self.noPast
    }
    let now = clock()
    let id = Self.newID()
    let isFull = state.withLockedValue { state in
      for (id, one) in state.open where Self.isOver(one, now) { _ = state.end(id) }
      guard state.open.values.count(where: { $0.caller == caller }) < Self.openLimit else {
        return true
      }
      state.open[id] = Open(
        caller: caller, isReadOnly: isReadOnly, beganNanoseconds: now, usedNanoseconds: now)
      return false
    }
    guard !isFull else {
      throw FirestoreError(.resourceExhausted, "more than \(Self.openLimit) open transactions")
    }
    return id
  }

  /// What the server does not keep.
  static let noPast = FirestoreError(
    .unimplemented, "what was there at an earlier time is not kept here")

  private static let idBytes = 16

  private static func newID() -> [UInt8] {
    var id: [UInt8] = []
    while id.count < idBytes {
      let number = Random.uint64()
      for shift in stride(from: 0, to: 64, by: 8) {
        id.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
      }
    }
    return id
  }

  private static func isOver(_ one: Open, _ now: Int64) -> Bool {
    now - one.beganNanoseconds > lifeNanoseconds || now - one.usedNanoseconds > idleNanoseconds
  }

  /// What a transaction has read so far; it counts as used.
  ///
  /// - Parameters:
  ///   - id: its id.
  ///   - caller: whose it must be.
  /// - Returns: its readings.
  /// - Throws: `INVALID_ARGUMENT` when there is none of this client.
  func readings(
    of id: [UInt8], _ caller: FirestoreCaller
  ) throws(FirestoreError) -> [Reading] {
    let now = clock()
    let found = state.withLockedValue { state -> [Reading]? in
      guard let one = state.open[id], one.caller == caller, !Self.isOver(one, now) else {
        return nil
      }
      state.open[id]?.usedNanoseconds = now
      return one.readings
    }
    guard let found else { throw Self.invalid }
    return found
  }

  /// Notes what a transaction has read.
  ///
  /// - Parameters:
  ///   - reading: what it was.
  ///   - id: the transaction.
  /// - Throws: `INVALID_ARGUMENT` when it is over, or has read too much.
  func note(_ reading: Reading, in id: [UInt8]) throws(FirestoreError) {
    let error = state.withLockedValue { state -> FirestoreError? in
      guard let one = state.open[id] else { return Self.invalid }
      guard one.readings.count < Self.readingLimit else {
        return FirestoreError(
          .invalidArgument, "more than \(Self.readingLimit) reads in one transaction")
      }
      state.open[id]?.readings.append(reading)
      return nil
    }
    if let error { throw error }
  }

  /// Ends a transaction, whatever comes of it.
  ///
  /// - Parameters:
  ///   - id: its id.
  ///   - caller: whose it must be.
  ///   - writes: whether it is to write.
  /// - Returns: what it has read.
  /// - Throws: `INVALID_ARGUMENT` when there is none of this client, or it may only read.
  func end(
    _ id: [UInt8], _ caller: FirestoreCaller, writes: Bool
  ) throws(FirestoreError) -> [Reading] {
    let now = clock()
    let one = state.withLockedValue { state -> Open? in
      guard state.open[id]?.caller == caller, let one = state.end(id) else { return nil }
      return Self.isOver(one, now) ? nil : one
    }
    guard let one else { throw Self.invalid }
    guard !writes || !one.isReadOnly else {
      throw FirestoreError(
        .invalidArgument, "Cannot modify entities in a read-only transaction.")
    }
    return one.readings
  }

  /// Gives a transaction up; one that has ended stays as it is.
  ///
  /// - Parameters:
  ///   - id: its id.
  ///   - caller: whose it must be.
  /// - Throws: `INVALID_ARGUMENT` when this client never had it, or long ago.
  func rollBack(_ id: [UInt8], _ caller: FirestoreCaller) throws(FirestoreError) {
    let isKnown = state.withLockedValue { state in
      if state.open[id]?.caller == caller { return state.end(id) != nil }
      return state.ended.contains { $0.id == id && $0.caller == caller }
    }
    guard isKnown else { throw Self.invalid }
  }
}
