// Making, importing and using keys: refusals first.

import RedoCrypto
import RedoObject
import RedoStore
import Testing

@testable import RedoRepository

@Suite("Keys of a store")
struct NewKeyTests {
  private let plain = KeyWrapping(isWanted: false, source: PassphraseSource())

  private func secret(_ text: String) -> SecretBytes {
    var bytes = Array(text.utf8)
    return SecretBytes(moving: &bytes)
  }

  @Test("A key pair is neither replaced nor retired where that is not asked for")
  func taken() throws {
    let store = try SmallStore(hasKey: false)
    #expect {
      try store.opened.rotateKey(plain, store.effects)
    } throws: { error in
      guard case KeyUseFault.noneToRetire = error else { return false }
      return true
    }
    let first = try store.opened.generateKey(plain, isForced: false, store.effects)
    #expect(first.novelty == .none)
    #expect {
      try store.opened.generateKey(plain, isForced: false, store.effects)
    } throws: { error in
      guard case KeyUseFault.taken(first.user) = error else { return false }
      return RedoError(error).subject == first.user.text
    }
    let second = try store.opened.rotateKey(plain, store.effects)
    #expect(second.installed.novelty == .after(first.user))
    #expect(second.untrusted == nil)
  }

  @Test("What is no key is not taken in")
  func imports() throws {
    let store = try SmallStore(hasKey: false)
    #expect {
      try store.opened.importPublicKey(secret("x\n"), "file", .never, store.effects)
    } throws: { error in
      guard case KeyUseFault.noPublicKey("file") = error else { return false }
      return true
    }
    #expect {
      try store.opened.importPrivateKey(secret("x\n"), "file", plain, .never, store.effects)
    } throws: { error in
      guard case KeyUseFault.noPrivateKey("file", _) = error else { return false }
      return true
    }
    let seed = String(repeating: "1", count: 64)
    let user = try store.opened.importPrivateKey(
      secret(seed), "file", plain, .never, store.effects
    ).user
    #expect(
      try store.opened.importPrivateKey(secret(seed), "file", plain, .never, store.effects).user
        == user)
  }

  @Test("A slot keeps what it holds, and only takes what fits")
  func slots() throws {
    let store = try SmallStore()
    try store.opened.putLine("one", in: .deviceName, .never)
    try store.opened.putLine("one", in: .deviceName, .never)
    #expect {
      try store.opened.putLine("two", in: .deviceName, .never)
    } throws: { error in
      guard case KeyUseFault.slotTaken(.deviceName) = error else { return false }
      return true
    }
    #expect {
      try store.opened.putLine("a\nb", in: .deviceName, .always)
    } throws: { error in
      guard case KeyUseFault.misfit("a\nb", .deviceName, _) = error else { return false }
      return true
    }
    #expect {
      try Repository.refuseCopies([.userID], [.userID, .publicKey])
    } throws: { error in
      guard case KeyUseFault.madeOf(.userID, .publicKey) = error else { return false }
      return true
    }
  }

  @Test(
    "A signature holds in the form that it was made in", arguments: [SignatureForm.body, .digest])
  func signatures(form: SignatureForm) throws {
    let store = try SmallStore()
    let key = try store.opened.signingKey(PassphraseSource(), store.effects)
    let signature = try key.signature(of: [1, 2, 3], as: form)
    let point = key.publicKey
    let found = SignatureForm.holding(signature, of: [1, 2, 3], by: point, as: nil)
    #expect(found == form)
    let other: SignatureForm = form == .body ? .digest : .body
    #expect(SignatureForm.holding(signature, of: [1, 2, 3], by: point, as: other) == nil)
    #expect(SignatureForm.holding(signature, of: [1, 2], by: point, as: nil) == nil)
  }
}
