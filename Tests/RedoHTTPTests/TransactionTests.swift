// Transactions of the server of documents: their time, their number, and to whom they belong; and numbers as bytes.

import FirestoreModel
import NIOConcurrencyHelpers
import Testing

@testable import RedoServer

@Suite("Transactions of documents")
struct TransactionTests {
  private static let ada = caller("ada")
  private static let bob = caller("bob")

  private static func caller(_ name: String) -> FirestoreCaller {
    guard let id = try? OAuthID(name) else { preconditionFailure("BUG: a test without an account") }
    return .user(id, mayWrite: true, seesAll: false)
  }

  /// Transactions whose clock stands still until it is moved.
  private final class Clocked: Sendable {
    let now = NIOLockedValueBox(Int64(0))
    let transactions: Transactions

    init() {
      let now = now
      transactions = Transactions { now.withLockedValue { $0 } }
    }

    func wait(_ nanoseconds: Int64) { now.withLockedValue { $0 += nanoseconds } }
  }

  private func status(_ body: () throws(FirestoreError) -> Void) -> FirestoreStatus? {
    do throws(FirestoreError) { try body() } catch { return error.status }
    return nil
  }

  @Test("one that does nothing for 60 seconds is over, and so is any after 270")
  func expiry() throws {
    let clocked = Clocked()
    let all = clocked.transactions
    let idle = try all.begin(.readWrite(retrying: nil), Self.ada)
    clocked.wait(Transactions.idleNanoseconds)
    #expect(try all.readings(of: idle, Self.ada).isEmpty)
    clocked.wait(Transactions.idleNanoseconds + 1)
    #expect(
      status { () throws(FirestoreError) in _ = try all.readings(of: idle, Self.ada) }
        == .invalidArgument)
    #expect(
      status { () throws(FirestoreError) in _ = try all.end(idle, Self.ada, writes: true) }
        == .invalidArgument)

    let busy = try all.begin(.readWrite(retrying: nil), Self.ada)
    for _ in 0..<5 {
      clocked.wait(Transactions.lifeNanoseconds / 5)
      #expect(try all.readings(of: busy, Self.ada).isEmpty)
    }
    clocked.wait(1)
    #expect(
      status { () throws(FirestoreError) in _ = try all.end(busy, Self.ada, writes: true) }
        == .invalidArgument)
  }

  @Test("it belongs to one client, ends once, and may be rolled back when it has ended")
  func owner() throws {
    let all = Transactions()
    let id = try all.begin(.readWrite(retrying: nil), Self.ada)
    #expect(id.count == 16)
    #expect(
      status { () throws(FirestoreError) in _ = try all.end(id, Self.bob, writes: true) }
        == .invalidArgument)
    #expect(
      status { () throws(FirestoreError) in try all.rollBack(id, Self.bob) } == .invalidArgument)
    #expect(try all.end(id, Self.ada, writes: true).isEmpty)
    #expect(
      status { () throws(FirestoreError) in _ = try all.end(id, Self.ada, writes: true) }
        == .invalidArgument)
    #expect(status { () throws(FirestoreError) in try all.rollBack(id, Self.ada) } == nil)
    #expect(
      status { () throws(FirestoreError) in try all.rollBack(id, Self.bob) } == .invalidArgument)
    #expect(
      status { () throws(FirestoreError) in try all.rollBack([1, 2, 3], Self.ada) }
        == .invalidArgument)
  }

  @Test("one that only reads writes nothing, and nobody begins one")
  func readOnly() throws {
    let all = Transactions()
    let id = try all.begin(.readOnly, Self.ada)
    #expect(
      status { () throws(FirestoreError) in _ = try all.end(id, Self.ada, writes: true) }
        == .invalidArgument)
    let other = try all.begin(.readOnly, Self.ada)
    #expect(try all.end(other, Self.ada, writes: false).isEmpty)
    #expect(
      status { () throws(FirestoreError) in _ = try all.begin(.readOnly, .nobody) }
        == .permissionDenied)
    #expect(
      status { () throws(FirestoreError) in _ = try all.begin(.readOnlyAt, Self.ada) }
        == .unimplemented)
  }

  @Test("a client has so many at a time, and each so many reads; those that are over do not count")
  func limits() throws {
    let clocked = Clocked()
    let all = clocked.transactions
    for _ in 0..<Transactions.openLimit { _ = try all.begin(.readOnly, Self.ada) }
    #expect(
      status { () throws(FirestoreError) in _ = try all.begin(.readOnly, Self.ada) }
        == .resourceExhausted)
    let id = try all.begin(.readOnly, Self.bob)
    let reading = Transactions.Reading(subject: .documents([]), state: DocumentDigest([]))
    for _ in 0..<Transactions.readingLimit { try all.note(reading, in: id) }
    #expect(
      status { () throws(FirestoreError) in try all.note(reading, in: id) } == .invalidArgument)
    clocked.wait(Transactions.idleNanoseconds + 1)
    _ = try all.begin(.readOnly, Self.ada)
  }

  @Test("numbers come back from their bytes; whole ones as integers")
  func numbers() {
    let integers: [Int64] = [
      0, 1, -1, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1, .max, .max - 1, .max - 511, .max - 512,
      .max - 1024, .min, .min + 1, .min + 1024, 123_456_789_012_345_678,
    ]
    for number in integers {
      #expect(OrderedValue.number(OrderedValue.bytes(.integer(number))[...]) == .integer(number))
    }
    for number in [0.5, -0.5, 1e300, -1e300, 0x1p63, -0x1p70, .infinity, -.infinity] {
      #expect(OrderedValue.number(OrderedValue.bytes(.double(number))[...]) == .double(number))
    }
    #expect(OrderedValue.number(OrderedValue.bytes(.double(3))[...]) == .integer(3))
    let notANumber = OrderedValue.number(OrderedValue.bytes(.double(.nan))[...])
    if case .double(let number)? = notANumber { #expect(number.isNaN) } else { Issue.record() }
    for value: FirestoreValue in [.null, true, "1", [1], .map([:])] {
      #expect(OrderedValue.number(OrderedValue.bytes(value)[...]) == nil)
    }
  }
}
