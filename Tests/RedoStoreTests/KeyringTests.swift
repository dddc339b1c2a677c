// The keyring: what a slot takes, what a crash leaves, and that nothing is lost.

import Glibc
import RedoCrypto
import RedoObject
import Testing

@testable import RedoStore

private func secret(_ text: String) -> SecretBytes {
  var bytes = Array(text.utf8)
  return SecretBytes(moving: &bytes)
}

private func key(_ byte: UInt8) -> SecretKey {
  var seed = [UInt8](repeating: byte, count: 32)
  return SecretKey(seed: SecretBytes(moving: &seed))
}

private func slot(_ text: String) throws -> SlotName { try #require(SlotName(text)) }

/// A store that has nothing but room for a keyring.
struct KeyringFixture: ~Copyable {
  let scratch: Scratch
  let options = RefsOptions(sync: .none, lockTimeoutMilliseconds: 0)

  init() throws { scratch = try Scratch() }

  func ring() throws -> Keyring { try Keyring.open(in: scratch.directory, options) }

  func line(_ name: SlotName) throws -> String? { try ring().line(name) }

  func writer() throws -> KeyringWriter { try KeyringWriter.open(in: scratch.directory, options) }

  @discardableResult
  func install(_ byte: UInt8, _ replacing: Replacing) throws -> Bool {
    let key = key(byte)
    return try writer().install(PrivateKeyText.plainText(of: key), of: key.publicKey, replacing)
  }

  func names() throws -> [String] { try ring().names().map(\.text) }

  func user(_ byte: UInt8) -> String { UserID(of: key(byte).publicKey).text }

  func write(_ name: String, _ text: String, mode: mode_t = 0o600) throws {
    try scratch.write("keys/" + name, text)
    guard unsafe chmod(scratch.path + "/keys/" + name, mode) == 0 else {
      throw SystemError(code: errno, operation: "chmod", path: name)
    }
  }

  /// What reading the user id throws.
  func error() -> KeyringError? {
    do throws(KeyringError) {
      _ = try Keyring.open(in: scratch.directory, options).userID()
      return nil
    } catch {
      return error
    }
  }
}

@Suite("Keyring: slots")
struct SlotTests {
  @Test("names are of a few characters, and unfinished files are none")
  func names() {
    for good in ["a", "0", "ed25519_private_key", "a.b-c_d", String(repeating: "x", count: 64)] {
      #expect(SlotName(good)?.text == good)
    }
    for bad in [
      "", "A", "_a", ".a", "-a", "a/b", "a b", "a\n", "ä", "tmp_a", "..",
      String(repeating: "x", count: 65),
    ] {
      #expect(SlotName(bad) == nil, "'\(bad)'")
    }
  }

  @Test("what a slot takes")
  func faults() throws {
    let hex64 = String(repeating: "ab", count: 32)
    let hex32 = String(repeating: "ab", count: 16)
    let rows: [(slot: String, value: String, isGood: Bool)] = [
      ("user_id", hex32, true), ("user_id", "108204268033311374519", false),
      ("user_id", hex32.uppercased(), false), ("user_id", hex64, false),
      ("ed25519_public_key", hex64, true), ("ed25519_public_key", hex32, false),
      ("google_access_token", "ya29.a0", true), ("google_access_token", hex32, false),
      ("google_access_token", hex64, false), ("google_access_token", "a\nb", false),
      ("firebase_token", "eyJ.eyJ.x", true), ("firebase_token", hex64, false),
      ("device_id", "f3a8", true), ("device_id", "", false), ("device_id", "a\u{7F}", false),
      ("device_name", "In\u{E8}s", true), ("device_name", "a\tb", false),
      ("device_name", String(repeating: "x", count: 16_385), false),
      ("mine", "a\nb\0c", true), ("mine", String(repeating: "x", count: 65_536), true),
      ("mine", String(repeating: "x", count: 65_537), false),
    ]
    for row in rows {
      let fault = try slot(row.slot).kind.fault(of: Array(row.value.utf8).span)
      #expect((fault == nil) == row.isGood, "\(row.slot): \(row.value.prefix(40))")
      if row.value.utf8.count >= 20 {
        #expect(fault?.contains(row.value) != true, "the fault tells the value")
      }
    }
  }

  @Test(
    "a line of a slot is UTF-8",
    arguments: [
      [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xE2, 0x82],
      [0xE0, 0x80, 0x80], [0xF0, 0x80, 0x80, 0x80], [0x80],
    ] as [[UInt8]])
  func utf8(_ bytes: [UInt8]) {
    #expect(SlotKind.text.fault(of: bytes.span) != nil)
    #expect(SlotKind.text.fault(of: Array("ä€𝄞\u{10FFFF}".utf8).span) == nil)
  }

  @Test("one slot never touches another, and none is overwritten unasked")
  func put() throws {
    let fixture = try KeyringFixture()
    let isFirst = try fixture.writer().put(.googleAccessToken, secret("one"), .never)
    let isSecond = try fixture.writer().put(.firebaseToken, secret("two"), .never)
    let isAgain = try fixture.writer().put(.googleAccessToken, secret("three"), .never)
    #expect(isFirst && isSecond && !isAgain)
    #expect(try fixture.line(.googleAccessToken) == "one")
    let isForced = try fixture.writer().put(.googleAccessToken, secret("three"), .always)
    #expect(isForced)
    #expect(try fixture.line(.googleAccessToken) == "three")
    #expect(try fixture.line(.firebaseToken) == "two")
    #expect(try fixture.line(.deviceID) == nil)
  }
}

@Suite("Keyring: the key pair")
struct KeyPairTests {
  @Test("public key and user id are what the private key says, whatever their files say")
  func derived() throws {
    let fixture = try KeyringFixture()
    try fixture.install(1, .never)
    let pair = ["ed25519_private_key", "ed25519_public_key", "user_id"]
    #expect(try fixture.names() == pair)
    // A crash right after the private key got its name leaves the copies of the old pair, or none.
    try fixture.write("ed25519_public_key", Hex.text(key(2).publicKey.bytes.span) + "\n")
    try fixture.scratch.directory.unlink("keys/user_id")
    #expect(try fixture.names() == pair)
    #expect(try fixture.line(.userID) == fixture.user(1))
    let isOwn = try fixture.ring().publicKey() == key(1).publicKey
    #expect(isOwn)
    // Removing the private key first writes what it said.
    try fixture.writer().remove([.privateKey])
    #expect(try fixture.names() == ["ed25519_public_key", "user_id"])
    #expect(try fixture.line(.userID) == fixture.user(1))
  }

  @Test("a pair stays unless it is replaced, and then it is retired")
  func retired() throws {
    let fixture = try KeyringFixture()
    #expect(try fixture.install(1, .never))
    #expect(try !fixture.install(2, .never))
    #expect(try fixture.line(.userID) == fixture.user(1))
    #expect(try fixture.install(2, .always))
    #expect(try fixture.line(.userID) == fixture.user(2))
    let name = SlotName.retired(UserID(of: key(1).publicKey), isPrivate: true)
    #expect(try fixture.names().contains(name.text))
    let isOld = try fixture.ring().privateKey(name)?.publicKey == key(1).publicKey
    #expect(isOld)
  }

  @Test("a rotation that was interrupted after the retired copy is taken up again")
  func interrupted() throws {
    let fixture = try KeyringFixture()
    try fixture.install(1, .never)
    let retired = SlotName.retired(UserID(of: key(1).publicKey), isPrivate: true).text
    try fixture.write(retired, Hex.text(key(1).seedBytes.span) + "\n")
    #expect(try !fixture.names().contains(retired))
    try fixture.install(2, .always)
    #expect(try fixture.names().filter { $0.hasPrefix("retired") } == [retired])
  }

  @Test("the same key in another form is kept beside the first")
  func forms() throws {
    let fixture = try KeyringFixture()
    let cost = Argon2id.Cost(passes: 1, memoryKiB: 8)
    try fixture.install(1, .never)
    try fixture.install(2, .always)
    let old = key(1)
    var text = try #require(
      WrappedKey.wrap(old, passphrase: secret("pass"), cost: cost)?.text)
    let wrapped = SecretBytes(moving: &text)
    _ = try fixture.writer().install(wrapped, of: old.publicKey, .always)
    try fixture.install(3, .always)
    let user = fixture.user(1)
    let names = try fixture.names()
    #expect(names.contains("retired.\(user).key") && names.contains("retired.\(user).2.key"))
  }

  @Test("a public key alone makes room for its private key, and for no other")
  func publicAlone() throws {
    let fixture = try KeyringFixture()
    let point = key(1).publicKey
    #expect(try fixture.writer().install(publicKey: point, .never))
    #expect(try !fixture.install(2, .never))
    #expect(try fixture.install(1, .never))
    // Over a whole pair, by force: the pair is retired, the public key is alone.
    #expect(try fixture.writer().install(publicKey: key(2).publicKey, .always))
    let isGone = try fixture.ring().privateKey() == nil
    #expect(isGone)
    #expect(try fixture.line(.userID) == fixture.user(2))
    #expect(try fixture.names().contains("retired.\(fixture.user(1)).key"))
    #expect(try fixture.install(3, .always))
    #expect(try fixture.names().contains("retired.\(fixture.user(2)).pub"))
  }

  @Test("what others may read or made, and what is damaged, is refused with its code")
  func refusals() throws {
    let fixture = try KeyringFixture()
    try fixture.install(1, .never)
    let directory = fixture.scratch.path + "/keys"
    unsafe chmod(directory, 0o750)
    #expect(fixture.error() == .exposed(path: directory, mode: 0o750))
    #expect(fixture.error()?.code == "KEYCHAIN_002")
    #expect(
      fixture.error()?.description
        == "others than the owner have rights on '\(directory)' (mode 0750)")
    unsafe chmod(directory, 0o700)
    let path = directory + "/ed25519_private_key"
    unsafe chmod(path, 0o640)
    #expect(fixture.error() == .exposed(path: path, mode: 0o640))
    unsafe chmod(path, 0o600)
    try fixture.write("ed25519_private_key", String(repeating: "AB", count: 32))
    #expect(fixture.error()?.code == "KEYCHAIN_003")
    try fixture.write("ed25519_private_key", String(repeating: "a", count: 70_000))
    #expect(fixture.error() == .malformed(path: path, reason: "it is too large"))
    try fixture.scratch.directory.unlink("keys/ed25519_private_key")
    unsafe symlink("/dev/null", path)
    #expect(fixture.error() == .irregular(path: path))
  }

  @Test("a second writer waits, and gives up after the time it was given")
  func lock() throws {
    let fixture = try KeyringFixture()
    let first = try fixture.writer()
    #expect(throws: KeyringError.locked(path: fixture.scratch.path + "/keys/.lock")) {
      _ = try fixture.writer()
    }
    _ = try first.put(.deviceID, secret("x"), .never)
  }
}

@Suite("Keys under a passphrase")
struct WrappedKeyTests {
  private static let cost = Argon2id.Cost(passes: 1, memoryKiB: 8)

  private func text() throws -> String {
    let key = key(7)
    let wrapped = WrappedKey.wrap(key, passphrase: secret("correct horse"), cost: Self.cost)
    return String(decoding: try #require(wrapped?.text), as: UTF8.self)
  }

  private func fault(_ text: String) -> WrappedKey.Fault? {
    do throws(WrappedKey.Fault) {
      _ = try PrivateKeyText.read(secret(text)).publicKey
      return nil
    } catch {
      return error
    }
  }

  private func opens(_ text: String, _ passphrase: String) throws -> Bool {
    let read = try WrappedKey.read(Array(text.utf8))
    switch read.open(passphrase: secret(passphrase)) {
    case .key(let opened): return opened.publicKey == key(7).publicKey
    case .refused: return false
    case .noMemory: return false
    }
  }

  @Test("the text opens with its passphrase alone, and is another each time")
  func roundTrip() throws {
    let text = try text()
    #expect(try opens(text, "correct horse"))
    #expect(try !opens(text, "correct hors"))
    #expect(try !opens(text, "correct horse "))
    #expect(try text != self.text())
    #expect(!text.contains(Hex.text(key(7).seedBytes.span)))
  }

  @Test("one changed digit, and it does not open or is no key")
  func changed() throws {
    let text = Array(try text().utf8)
    for index in text.indices where text[index] != UInt8(ascii: "\n") {
      var changed = text
      changed[index] = changed[index] == UInt8(ascii: "1") ? UInt8(ascii: "2") : UInt8(ascii: "1")
      let isOpen = (try? opens(String(decoding: changed, as: UTF8.self), "correct horse")) ?? false
      #expect(!isOpen, "byte \(index)")
    }
  }

  @Test("texts that are none, and costs that are never paid")
  func faults() throws {
    let text = try text()
    #expect(fault(text) == nil)
    #expect(fault(String(text.dropLast())) == nil)
    #expect(fault(text + "\n") == .form)
    #expect(fault(text.replacing("redo-key 1", with: "redo-key 2")) == .version("2"))
    #expect(fault(text.replacing("public", with: "Public")) == .form)
    let rows: [(String, WrappedKey.Fault?)] = [
      ("16 8", nil), ("4 1048576", nil), ("16 262144", nil),
      ("17 8", .cost(Argon2id.Cost(passes: 17, memoryKiB: 8))),
      ("1 1048577", .cost(Argon2id.Cost(passes: 1, memoryKiB: 1_048_577))),
      ("5 1048576", .cost(Argon2id.Cost(passes: 5, memoryKiB: 1_048_576))),
      ("0 8", .form), ("1 7", .form), ("01 8", .form), ("+1 8", .form), ("1  8", .form),
      ("9999999999 8", .form), ("1 8 1", .form),
    ]
    for (cost, expected) in rows {
      #expect(
        fault(text.replacing("argon2id 1 8", with: "argon2id \(cost)")) == expected, "\(cost)")
    }
  }

  @Test("a plain key is 64 lower-case hex digits and at most one line feed")
  func plain() {
    let digits = String(repeating: "0a", count: 32)
    #expect(fault(digits) == nil && fault(digits + "\n") == nil)
    for text in [digits + "\n\n", digits.uppercased(), " " + digits, digits + digits, "\n", "x"] {
      #expect(fault(text) == .form, "'\(text)'")
    }
  }
}

extension SecretKey {
  /// The seed, for comparison.
  fileprivate var seedBytes: [UInt8] {
    seed().withSpan { span in
      var bytes: [UInt8] = []
      for index in span.indices { bytes.append(span[index]) }
      return bytes
    }
  }
}

@Suite("Secrets for some addresses")
struct BoundSecretTests {
  @Test(
    "the origin of an address is scheme, host and port",
    arguments: [
      ("https://Example.org", "https://example.org"),
      ("https://example.org:443/a?b#c", "https://example.org"),
      ("http://example.org:443", "http://example.org:443"),
      ("http://example.org:0080/", "http://example.org"),
      ("https://[2001:DB8::1]:8443", "https://[2001:db8::1]:8443"),
    ])
  func origins(_ address: String, _ origin: String) { #expect(WebOrigin(address)?.text == origin) }

  @Test(
    "what has no origin",
    arguments: [
      "", "https://", "https://a@b", "https://a:b@c", "ftp://a", "//a", "https://a:", "https://a:0",
      "https://a:65536", "https://[", "https://[1]", "https://[::1]x", "https://a\\b",
      "https://a b",
    ])
  func none(_ address: String) { #expect(WebOrigin(address) == nil) }

  @Test("a secret for some addresses is read as it was written, and one of an older store as it is")
  func written() throws {
    let fixture = try KeyringFixture()
    let name = try slot("token")
    let origins = try (1...BoundSecret.originLimit).map {
      try #require(WebOrigin("https://" + String(repeating: "a", count: 250) + "\($0 % 10):\($0)"))
    }
    var bytes = [UInt8](repeating: 7, count: SlotKind.byteLimit)
    _ = try fixture.writer().put(name, SecretBytes(moving: &bytes), for: origins, .never)
    guard let stored = try fixture.ring().boundSecret(name) else {
      Issue.record("there is no secret")
      return
    }
    let answers = [origins[9].text, nil, "https://b"].map { stored.isFor($0) }
    #expect(answers == [true, true, false])
    let (count, found) = (stored.secret.count, Set(stored.origins))
    #expect(count == SlotKind.byteLimit)
    #expect(found == Set(origins))
    try fixture.write("old", "redo-token 2\nfor https://a\n\nx")
    guard let old = try fixture.ring().boundSecret(slot("old")) else {
      Issue.record("there is no secret")
      return
    }
    let isAsItWas = old.origins.isEmpty && old.secret.count == 29 && old.isFor("https://b")
    #expect(isAsItWas)
  }

  private static func opened(_ sealed: SealedExchangeKey, by signer: UInt8) -> X25519PublicKey? {
    switch sealed.open(by: key(signer)) {
    case .some(let key): key.publicKey
    case .none: nil
    }
  }

  private static func exchangeKey(_ fixture: borrowing KeyringFixture) throws -> X25519PublicKey? {
    switch try fixture.ring().exchangeKey() {
    case .some(let text): text.publicKey
    case .none: nil
    }
  }

  @Test("a key for sharing is plain, or what its signer alone opens")
  func exchangeKeys() throws {
    let fixture = try KeyringFixture()
    let exchange = X25519PrivateKey.generate()
    let publicKey = exchange.publicKey
    let sealed = SealedExchangeKey(exchange, for: key(1))
    let text = String(decoding: sealed.text, as: UTF8.self)
    let opened = Self.opened(sealed, by: 1)
    let byAnother = Self.opened(sealed, by: 2)
    #expect(opened == publicKey)
    #expect(byAnother == nil)
    let plain = ExchangeKeyText.plainText(of: exchange)
    let isPut = try fixture.writer().put(.exchangeKey, plain, .never)
    #expect(isPut)
    let stored = try Self.exchangeKey(fixture)
    #expect(stored == publicKey)
    for (contents, isGood) in [
      (text, true), (text + "\n", true), (text + " ", false), (String(text.dropLast(2)), false),
      (text.replacing("x25519 1", with: "x25519 2"), false), ("00", false),
      (String(repeating: "G", count: 64), false), (String(repeating: "ab", count: 32), true),
    ] {
      try fixture.write("x25519_private_key", contents)
      if isGood {
        let found = try Self.exchangeKey(fixture)
        #expect(found != nil, "\(contents)")
      } else {
        #expect(throws: KeyringError.self, "\(contents)") { try Self.exchangeKey(fixture) }
      }
    }
    // Whatever byte of the sealed part changes, it is not opened.
    for offset in stride(from: text.count - 1, to: text.count - 145, by: -7) {
      var changed = Array(text.utf8)
      changed[offset] = changed[offset] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
      let opened = SealedExchangeKey(changed).flatMap { Self.opened($0, by: 1) }
      #expect(opened == nil)
    }
  }
}
