// Changes to the trust file: refusals first.

import RedoCrypto
import RedoObject
import RedoStore
import Testing

@testable import RedoRepository

@Suite("Changes of the trust file")
struct TrustChangeTests {
  private func signer(_ digit: Character) throws -> Signer {
    let digits = Array(String(repeating: digit, count: 64).utf8)
    let signer = Signer(hex: digits.span)
    return try #require(signer)
  }

  private func addition(
    _ signers: TrustAddition.Signers, role: TrustLine.Role? = nil, isDryRun: Bool = false
  ) throws -> TrustAddition {
    var model = TrustLine(try signer("a"))
    model.role = role
    return TrustAddition(of: signers, model: model, isDryRun: isDryRun)
  }

  @Test("What the file says of a signer is not said otherwise")
  func otherwise() throws {
    let store = try SmallStore()
    let one = try signer("a")
    let change = try addition(.named([one])).make(store.effects)
    #expect(change.isNew)
    #expect(change.lines.map(\.signer) == [one])
    #expect(try addition(.named([one])).make(store.effects).lines.isEmpty)
    #expect {
      try addition(.named([one]), role: .auditor).make(store.effects)
    } throws: { error in
      guard case TrustEditFault.saysOtherwise(one, _) = error else { return false }
      return RedoError(error).code == .refused
    }
  }

  @Test("Nobody is revoked who is not listed, nor given trust again")
  func revoked() throws {
    let store = try SmallStore()
    let one = try signer("a")
    let revocation = TrustRevocation(of: one, keeping: [], comment: nil, isDryRun: false)
    #expect {
      try revocation.make(store.opened, store.effects)
    } throws: { error in
      guard case TrustEditFault.notListed(one) = error else { return false }
      return RedoError(error).code == .missing
    }
    _ = try addition(.named([one])).make(store.effects)
    #expect(try revocation.make(store.opened, store.effects).change.lines.count == 1)
    #expect {
      try addition(.named([one])).make(store.effects)
    } throws: { error in
      guard case TrustEditFault.revoked(one, _) = error else { return false }
      return true
    }
  }

  @Test("The keys that nodes carry are added; a dry run adds nothing")
  func seen() throws {
    let store = try SmallStore()
    _ = try store.task()
    let key = try #require(try store.opened.keyring().publicKey())
    #expect(
      try addition(.seen, isDryRun: true).make(store.effects).lines.map(\.signer) == [.key(key)])
    #expect(try store.effects.trustList(store.opened) == nil)
    _ = try addition(.seen).make(store.effects)
    let list = try #require(try store.effects.trustList(store.opened))
    #expect(TrustRow.rows(list, now: WallTime(milliseconds: 0)).map(\.state) == [.trusted])
  }

  @Test("What a key reaches stays good")
  func reach() throws {
    let store = try SmallStore()
    let task = try store.task()
    let first = try store.heads(of: task)
    _ = try store.commit(SmallStore.update(task, "b"))
    let key = try #require(try store.opened.keyring().publicKey())
    _ = try addition(.seen).make(store.effects)
    let outcome = try TrustRevocation(
      of: .key(key), keeping: first, comment: nil, isDryRun: true
    ).make(store.opened, store.effects)
    #expect([outcome.keptCount, outcome.allCount] == [1, 2])
    #expect(outcome.change.lines.map(\.validThrough) == [first])
  }
}
