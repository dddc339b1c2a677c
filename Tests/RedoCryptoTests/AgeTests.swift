// Age files: the parts against other implementations' answers, and files that are made here.

import RedoCrypto
import TestSupport
import Testing

/// Makes and opens files.
private enum Ages {
  static func secret(_ text: String) -> SecretBytes {
    var bytes = Array(text.utf8)
    return SecretBytes(moving: &bytes)
  }

  static func identity(_ byte: UInt8) -> AgeIdentity {
    var bytes = [UInt8](repeating: byte, count: 32)
    return AgeIdentity(X25519PrivateKey(bytes: SecretBytes(moving: &bytes)))
  }

  static func signer(_ byte: UInt8) -> SecretKey {
    var bytes = [UInt8](repeating: byte, count: 32)
    return SecretKey(seed: SecretBytes(moving: &bytes))
  }

  static func file(
    _ bytes: [UInt8], _ lock: borrowing AgeLock, step: Int = 70_000
  ) throws -> [UInt8] {
    var writer = try AgeWriter(lock)
    var file = writer.take()
    for start in stride(from: 0, to: bytes.count, by: step) {
      writer.add(Array(bytes[start..<min(start + step, bytes.count)]))
      file += writer.take()
    }
    writer.finish()
    return file + writer.take()
  }

  /// What is in a file; `nil` when the key does not open it.
  static func open(
    _ file: [UInt8], _ identity: borrowing AgeIdentity
  ) throws(AgeFault) -> [UInt8]? {
    guard let header = try AgeHeader.read(file, isWhole: true),
      let key = try header.fileKey(identity)
    else { return nil }
    return try contents(file, header, header.payloadKey(for: key))
  }

  static func open(_ file: [UInt8], passphrase: String) throws(AgeFault) -> [UInt8]? {
    guard let header = try AgeHeader.read(file, isWhole: true),
      let key = try header.fileKey(passphrase: secret(passphrase))
    else { return nil }
    return try contents(file, header, header.payloadKey(for: key))
  }

  private static func contents(
    _ file: [UInt8], _ header: AgeHeader, _ key: consuming SecretBytes
  ) throws(AgeFault) -> [UInt8] {
    var opener = AgeOpener(key: key)
    var bytes: [UInt8] = []
    try opener.add(Array(file[header.end...]), into: &bytes)
    try opener.finish(into: &bytes)
    return bytes
  }

  static func bytes(_ count: Int) -> [UInt8] {
    var random = SeededRandom(seed: UInt64(count))
    return random.bytes(count)
  }
}

/// The bytes of a secret, for comparison.
private func revealed(_ secret: borrowing SecretBytes) -> [UInt8] {
  secret.withSpan { span in span.indices.map { span[$0] } }
}

@Suite("The parts of age")
struct AgePartTests {
  @Test("HKDF: RFC 5869, appendix A.3, the first 32 bytes")
  func derivation() {
    var material = [UInt8](repeating: 0x0b, count: 22)
    let secret = SecretBytes(moving: &material)
    let third = HKDF.key(of: secret, info: "")
    #expect(
      Hex.text(revealed(third).span)
        == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d")
  }

  @Test("scrypt: RFC 7914, section 12, the third vector, its first 32 bytes")
  func scrypt() throws {
    let made = Scrypt.key(
      passphrase: Ages.secret("pleaseletmein"), salt: Array("SodiumChloride".utf8), logarithm: 14)
    guard let key = made else {
      Issue.record("there is no memory")
      return
    }
    #expect(
      Hex.text(revealed(key).span)
        == "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2")
    #expect(Scrypt.memoryBytes(logarithm: 18) == 256 << 20)
    #expect(Scrypt.memoryBytes(logarithm: AgePassphrase.readLimit) == 4 << 30)
  }

  @Test("Bech32: one text a value, of one case, with a right checksum")
  func bech32() throws {
    // A key of the testkit, and what age-keygen -y says of it.
    let key = "AGE-SECRET-KEY-1EGTZVFFV20835NWYV6270LXYVK2VKNX2MMDKWYKLMGR48UAWX40Q2P2LM0"
    let made = AgeIdentity(text: Array(key.utf8).span)
    guard let identity = made, let text = identity.text() else {
      Issue.record("the key is not taken")
      return
    }
    #expect(revealed(text) == Array(key.utf8))
    for bad in [
      key.lowercased(), String(key.dropLast()), key + "Q", key.replacing("0Q2", with: "0Q3"),
      "age" + key.dropFirst(3), "",
    ] {
      switch AgeIdentity(text: Array(bad.utf8).span) {
      case .some: Issue.record("'\(bad)' is taken")
      case .none: break
      }
    }
    let recipient = identity.recipient.text
    #expect(recipient == "age1xmwwc06ly3ee5rytxm9mflaz2u56jjj36s0mypdrwsvlul66mv4q47ryef")
    #expect(AgeRecipient(recipient) == identity.recipient)
    #expect(AgeRecipient(recipient.uppercased()) == nil)
    // Every other letter in one place.
    for place in recipient.indices.dropFirst(4) {
      var bad = recipient
      bad.replaceSubrange(place...place, with: recipient[place] == "q" ? "p" : "q")
      #expect(AgeRecipient(bad) == nil)
    }
    for count in 0...40 {
      let bytes = Ages.bytes(count)
      guard count > 0 else { continue }
      let text = revealed(Bech32.text(bytes.span, name: "x"))
      switch Bech32.decode(text.span, name: "x") {
      case .some(let back): #expect(revealed(back) == bytes)
      case .none: Issue.record("\(count) bytes do not come back")
      }
    }
  }

  @Test("armor: any count comes back, in pieces of any size")
  func armor() throws {
    for count in [0, 1, 47, 48, 49, 95, 96, 1000] {
      let bytes = Ages.bytes(count)
      var writer = AgeArmorWriter()
      writer.add(Array(bytes.prefix(count / 3)))
      writer.add(Array(bytes.dropFirst(count / 3)))
      writer.finish()
      let text = writer.take()
      for step in [1, 50, 10_000] {
        var reader = AgeArmorReader()
        var back: [UInt8] = []
        for start in stride(from: 0, to: text.count, by: step) {
          try reader.add(Array(text[start..<min(start + step, text.count)]), into: &back)
        }
        try reader.finish(into: &back)
        #expect(back == bytes)
      }
    }
  }
}

@Suite("Age files")
struct AgeTests {
  @Test(
    "come back whole, whatever their size",
    arguments: [0, 1, 2, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 300_000])
  func sizes(_ count: Int) throws {
    let bytes = Ages.bytes(count)
    let lock = AgeLock([Ages.identity(1).recipient])
    for step in [1000, 65_536, 1 << 20] {
      let file = try Ages.file(bytes, lock, step: step)
      let chunks = max(1, (count + 65_535) / 65_536)
      #expect(file.count == 184 + count + 16 * chunks)
      #expect(AgeHeader.isAge(file))
      #expect(try Ages.open(file, Ages.identity(1)) == bytes)
    }
  }

  @Test("open for each of their keys, and for nothing else")
  func locks() throws {
    let bytes = Ages.bytes(1000)
    let signer = AgeIdentity(Ages.signer(3))
    let lock = AgeLock([Ages.identity(1).recipient, Ages.identity(2).recipient, signer.recipient])
    let file = try Ages.file(bytes, lock)
    #expect(try Ages.open(file, Ages.identity(1)) == bytes)
    #expect(try Ages.open(file, Ages.identity(2)) == bytes)
    #expect(try Ages.open(file, signer) == bytes)
    #expect(try Ages.open(file, Ages.identity(3)) == nil)
    #expect(try Ages.open(file, AgeIdentity(Ages.signer(1))) == nil)
    #expect(try Ages.open(file, passphrase: "p") == nil)
    let header = try #require(try AgeHeader.read(file, isWhole: true))
    #expect(header.keyCount == 3 && !header.hasPassphrase && !header.hasUnknown)
    let (own, other) = (Ages.signer(3).publicKey, Ages.signer(4).publicKey)
    #expect(header.names(own) && !header.names(other))
    // The same bytes for the same keys are another file.
    #expect(try Ages.file(bytes, lock) != file)
  }

  @Test("a passphrase opens, another one does not, and a dear one is not paid for")
  func passphrases() throws {
    let lock = AgeLock(passphrase: Ages.secret("correct horse"), logarithm: 4)
    let bytes = Ages.bytes(100)
    let file = try Ages.file(bytes, lock)
    #expect(try Ages.open(file, passphrase: "correct horse") == bytes)
    #expect(try Ages.open(file, passphrase: "correct horse ") == nil)
    // Each file has a salt of its own: the wrapping has no nonce.
    let again = try Ages.file(bytes, lock)
    let starts = (Array(file.prefix(60)), Array(again.prefix(60)))
    #expect(starts.0 != starts.1)
    let header = try #require(try AgeHeader.read(file, isWhole: true))
    #expect(throws: AgeFault.work(logarithm: 4)) {
      _ = try header.fileKey(passphrase: Ages.secret("correct horse"), limit: 3) == nil
    }
  }

  @Test("every change of a byte is refused, or leaves nothing that opens the file")
  func changes() throws {
    let file = try Ages.file(Ages.bytes(200), AgeLock([Ages.identity(1).recipient]))
    for place in file.indices {
      for bit: UInt8 in [0x01, 0x10, 0x80] {
        var bad = file
        bad[place] ^= bit
        let opened = try? Ages.open(bad, Ages.identity(1))
        #expect(opened == nil, "byte \(place)")
      }
    }
    for count in file.indices {
      let opened = try? Ages.open(Array(file[..<count]), Ages.identity(1))
      #expect(opened == nil, "the first \(count) bytes")
    }
  }

  @Test("what is made longer, repeated or moved is refused")
  func order() throws {
    let lock = AgeLock([Ages.identity(1).recipient])
    let file = try Ages.file(Ages.bytes(3 * 65_536), lock)
    let (start, chunk) = (184, 65_536 + 16)
    #expect(file.count == start + 3 * chunk)
    func refused(_ bad: [UInt8], _ what: Comment) {
      #expect(throws: AgeFault.self, what) { _ = try Ages.open(bad, Ages.identity(1)) }
    }
    refused(file + [0], "a byte more")
    refused(Array(file[..<(start + chunk)]), "one chunk")
    refused(Array(file[..<(start + 2 * chunk + 5)]), "two chunks and a bit")
    refused(file + file[(start + 2 * chunk)...], "the last chunk twice")
    refused(Array(file[..<start] + file[(start + chunk)...]), "without the first chunk")
    let other = try Ages.file(Ages.bytes(3 * 65_536), lock)
    refused(Array(file[..<start] + other[start...]), "the chunks of another file")
  }

  @Test("keys of OpenSSH, as ssh-keygen writes them")
  func openSSH() throws {
    func file(_ body: String) -> [UInt8] {
      Array(
        "-----BEGIN OPENSSH PRIVATE KEY-----\n\(body)\n-----END OPENSSH PRIVATE KEY-----\n".utf8)
    }
    let plain = """
      b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW
      QyNTUxOQAAACACY71vSx14wr7dc/tUf9n5coE9p7Cw1bvLcpp9AOX7JAAAAJBuWW3wbllt
      8AAAAAtzc2gtZWQyNTUxOQAAACACY71vSx14wr7dc/tUf9n5coE9p7Cw1bvLcpp9AOX7JA
      AAAEB2kEF5eE1Fm+JRFp00C5tqK9U69bnKspjoPg4WCIxZEAJjvW9LHXjCvt1z+1R/2fly
      gT2nsLDVu8tymn0A5fskAAAACWEgY29tbWVudAECAwQ=
      """
    let line = """
      ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAJjvW9LHXjCvt1z+1R/2flygT2nsLDVu8tymn0A5fsk
      """
    let key = try SSHPrivateKey.read(file(plain).span)
    let recipient = AgeIdentity(key).recipient
    #expect(recipient.text == line && AgeRecipient(line + " a comment") == recipient)
    let locked = """
      b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABCILjTymr
      rqn8FVs1DzVSn2AAAAEAAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIJLTS9mumBXSiSh0
      GqSsSRWYyt9UOHF3ycWOlCVGG11aAAAAkKYdePbo68BQqlc01W/z8+kEyBdcWkl+at7rB3
      mtRg6olqHJwGMByhXa5QlKI4rq/uEsBNVecVvBMO4+Mhtmmvp3G+XxqH7yCS8qnS6Rau47
      HxJT3BLFGBkjRmaH+A9XLJwUcZD7dW5SXlktPisdCjBmQ+sUAvru0ASX1RQPbNvniHNXj0
      CqoOGKowZO/sN4hg==
      """
    #expect(throws: SSHPrivateKey.Fault.encrypted) {
      _ = try SSHPrivateKey.read(file(locked).span).publicKey
    }
    let other = """
      b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAaAAAABNlY2RzYS
      1zaGEyLW5pc3RwMjU2AAAACG5pc3RwMjU2AAAAQQTKNCHbTXW5+AhC1E7eGaGy37Wdqkma
      uVRnuuXpBrF/JYu4wk3Er9AB7Xy5ZfPa1Uh99iVXjruQsOfJjuO4IlYHAAAAqCnbLkUp2y
      5FAAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBMo0IdtNdbn4CELU
      Tt4ZobLftZ2qSZq5VGe65ekGsX8li7jCTcSv0AHtfLll89rVSH32JVeOu5Cw58mO47giVg
      cAAAAge8VTTW+/S7Tnqhj/R0QGEoK7QwhXvIn8SjMgDu1FgWcAAAAJYSBjb21tZW50AQID
      BAUGBw==
      """
    #expect(throws: SSHPrivateKey.Fault.otherAlgorithm) {
      _ = try SSHPrivateKey.read(file(other).span).publicKey
    }
    // A change of any letter is noticed, or is one of the comment.
    let text = file(plain)
    var kept = 0
    for place in text.indices {
      var bad = text
      bad[place] = bad[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      do {
        let same = try SSHPrivateKey.read(bad.span).publicKey
        #expect(same == key.publicKey)
        kept += 1
      } catch SSHPrivateKey.Fault.form, SSHPrivateKey.Fault.encrypted,
        SSHPrivateKey.Fault.otherAlgorithm
      {
        continue
      }
    }
    #expect(kept < 60)
  }
}
