// The header of an age file (age-encryption.org/v1, C2SP): for each way to open it a stanza that wraps the file key.
//
//   age-encryption.org/v1 LF
//   -> <kind> <argument>... LF
//   <body: unpadded Base64 in lines of 64 characters, the last one shorter, if need be empty> LF
//   --- <HMAC-SHA-256 under the file key of all before and of these dashes> LF
//   16 bytes: the nonce of the payload
//
//   X25519 <share>             the file key under what HKDF makes of the secret shared with a key
//   ssh-ed25519 <tag> <share>  the same for an Ed25519 key of SSH
//   scrypt <salt> <log N>      the file key under a passphrase; the only stanza
//
// Stanzas of other kinds are skipped. The code under the file key proves that nobody has added one.

/// One way to open an age file.
package enum AgeStanza: Sendable {
  /// For an X25519 key.
  case x25519(share: InlineArray<32, UInt8>, body: [UInt8])
  /// For an Ed25519 key of SSH.
  case ssh(tag: [UInt8], share: InlineArray<32, UInt8>, body: [UInt8])
  /// For a passphrase.
  case passphrase(salt: [UInt8], logarithm: Int, body: [UInt8])
  /// For a post-quantum key, which is not supported here.
  case hybrid
  /// A kind that is not known here.
  case unknown

  /// The number of bytes of a wrapped file key.
  static let bodyCount = AgeHeader.fileKeyCount + ChaCha20Poly1305.tagCount

  static let x25519Name = "X25519"
  static let sshName = "ssh-ed25519"
  static let passphraseName = "scrypt"
  static let hybridName = "mlkem768x25519"

  /// Reads a stanza.
  ///
  /// - Returns: `nil` when its arguments or its body are not those of its kind.
  init?(_ words: [ArraySlice<UInt8>], _ body: [UInt8]) {
    switch String(decoding: words[0], as: UTF8.self) {
    case Self.x25519Name:
      guard words.count == 2, let share = Self.share(words[1]), body.count == Self.bodyCount else {
        return nil
      }
      self = .x25519(share: share, body: body)
    case Self.sshName:
      guard words.count == 3, let tag = Base64.decode(unpadded: words[1]),
        tag.count == SSHKey.tagCount, let share = Self.share(words[2]),
        body.count == Self.bodyCount
      else { return nil }
      self = .ssh(tag: tag, share: share, body: body)
    case Self.passphraseName:
      guard words.count == 3, let salt = Base64.decode(unpadded: words[1]),
        salt.count == AgePassphrase.saltCount, let logarithm = Self.logarithm(words[2]),
        body.count == Self.bodyCount
      else { return nil }
      self = .passphrase(salt: salt, logarithm: logarithm, body: body)
    case Self.hybridName: self = .hybrid
    default: self = .unknown
    }
  }

  private static func share(_ text: ArraySlice<UInt8>) -> InlineArray<32, UInt8>? {
    guard let bytes = Base64.decode(unpadded: text), bytes.count == 32 else { return nil }
    return InlineArray { bytes[$0] }
  }

  /// A decimal number of 1 to 63 without leading zeros.
  private static func logarithm(_ text: ArraySlice<UInt8>) -> Int? {
    guard (1...2).contains(text.count), text.first != UInt8(ascii: "0"),
      text.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    let value = text.reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
    return value < 64 ? value : nil
  }
}

/// The part of an age file before its payload.
package struct AgeHeader: Sendable {
  /// What an age file of any version begins with.
  package static let magic = Array("age-encryption.org/".utf8)
  /// The largest header in bytes that is read: about 9,000 recipients.
  package static let byteLimit = 1 << 20
  /// The number of bytes of the key that the stanzas wrap.
  package static let fileKeyCount = 16
  static let nonceCount = 16
  static let firstLine = Array("age-encryption.org/v1\n".utf8)
  static let stanzaStart = Array("-> ".utf8)
  static let lastStart = Array("--- ".utf8)
  static let columns = 64

  /// The ways to open the file.
  package let stanzas: [AgeStanza]
  /// Where the payload begins.
  package let end: Int
  /// What the code is of.
  private let authenticated: [UInt8]
  private let code: [UInt8]
  private let nonce: [UInt8]

  /// Whether bytes begin as an age file of any version does.
  ///
  /// - Parameter start: the first bytes of a file.
  /// - Returns: `false` for fewer bytes than `magic` has.
  package static func isAge(_ start: [UInt8]) -> Bool { start.starts(with: magic) }

  /// Reads a header.
  ///
  /// - Parameters:
  ///   - bytes: the beginning of a file.
  ///   - isWhole: whether nothing follows them.
  /// - Returns: `nil` when the header does not end in these bytes, and more may follow.
  /// - Throws: `notAge`, `version`, `header`.
  package static func read(_ bytes: [UInt8], isWhole: Bool) throws(AgeFault) -> AgeHeader? {
    var lines = AgeLines(bytes[...], limit: byteLimit)
    let known = bytes.prefix(firstLine.count)
    guard firstLine.starts(with: known) else {
      throw isAge(bytes) ? .version : .notAge
    }
    guard known.count == firstLine.count, lines.next() != nil else {
      guard isWhole else { return nil }
      throw known.count < magic.count ? .notAge : .header(line: 1, .cutOff)
    }
    var stanzas: [AgeStanza] = []
    var passphrases = 0
    while true {
      guard let line = lines.next() else { return try more(bytes, lines, isWhole) }
      if line.starts(with: lastStart) {
        return try end(bytes, line, stanzas, passphrases, lines, isWhole)
      }
      let number = lines.number
      guard line.starts(with: stanzaStart) else { throw .header(line: number, .form) }
      let words = line.dropFirst(stanzaStart.count)
        .split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      // VCHAR of RFC 5234.
      guard !words.isEmpty, words.allSatisfy({ !$0.isEmpty && $0.allSatisfy { 33...126 ~= $0 } })
      else { throw .header(line: number, .form) }
      var body: [UInt8] = []
      while true {
        guard let line = lines.next() else { return try more(bytes, lines, isWhole) }
        guard line.count <= columns, let part = Base64.decode(unpadded: line) else {
          throw .header(line: lines.number, .body)
        }
        body += part
        if line.count < columns { break }
      }
      guard let stanza = AgeStanza(words, body) else { throw .header(line: number, .stanza) }
      if case .passphrase = stanza { passphrases += 1 }
      stanzas.append(stanza)
    }
  }

  /// A header that does not end in the bytes at hand.
  private static func more(
    _ bytes: [UInt8], _ lines: AgeLines, _ isWhole: Bool
  ) throws(AgeFault) -> AgeHeader? {
    guard bytes.count <= byteLimit else { throw .header(line: lines.number + 1, .tooLong) }
    guard isWhole else { return nil }
    throw .header(line: lines.number + 1, .cutOff)
  }

  private static func end(
    _ bytes: [UInt8], _ line: ArraySlice<UInt8>, _ stanzas: [AgeStanza], _ passphrases: Int,
    _ lines: AgeLines, _ isWhole: Bool
  ) throws(AgeFault) -> AgeHeader? {
    guard !stanzas.isEmpty else { throw .header(line: lines.number, .form) }
    guard let code = Base64.decode(unpadded: line.dropFirst(lastStart.count)),
      code.count == HMACSHA256.byteCount
    else { throw .header(line: lines.number, .form) }
    guard passphrases == 0 || stanzas.count == 1 else {
      throw .header(line: lines.number, .passphraseNotAlone)
    }
    let end = lines.position + nonceCount
    guard bytes.count >= end else { return try more(bytes, lines, isWhole) }
    return AgeHeader(
      stanzas: stanzas, end: end,
      // Without the space behind the dashes.
      authenticated: Array(bytes[..<(line.startIndex + lastStart.count - 1)]), code: code,
      nonce: Array(bytes[lines.position..<end]))
  }

  // MARK: Keys

  /// For how many keys the file was written.
  package var keyCount: Int {
    stanzas.count {
      switch $0 {
      case .x25519, .ssh: true
      case .passphrase, .hybrid, .unknown: false
      }
    }
  }

  /// Whether a stanza is for a signer's key, or for one that looks the same in four bytes.
  package func names(_ signer: PublicKey) -> Bool {
    stanzas.contains {
      if case .ssh(let tag, _, _) = $0 { SSHKey(signer).tag == tag } else { false }
    }
  }

  /// Whether a passphrase opens the file.
  package var hasPassphrase: Bool {
    stanzas.contains { if case .passphrase = $0 { true } else { false } }
  }

  /// Whether a post-quantum key opens the file.
  package var hasHybrid: Bool {
    stanzas.contains { if case .hybrid = $0 { true } else { false } }
  }

  /// Whether there are unknown ways to open the file.
  package var hasUnknown: Bool {
    stanzas.contains { if case .unknown = $0 { true } else { false } }
  }

  /// The key of the payload.
  ///
  /// - Parameter fileKey: what a stanza gave.
  /// - Returns: 32 bytes.
  /// - Throws: `changedHeader` when the header is not the one that was written with it.
  package func payloadKey(for fileKey: borrowing SecretBytes) throws(AgeFault) -> SecretBytes {
    var expected = code
    guard Self.code(of: authenticated, fileKey).isEqual(to: SecretBytes(moving: &expected)) else {
      throw .changedHeader
    }
    return Self.payloadKey(fileKey, nonce)
  }

  static func payloadKey(_ fileKey: borrowing SecretBytes, _ nonce: [UInt8]) -> SecretBytes {
    HKDF.key(of: fileKey, salt: nonce, info: "payload")
  }

  static func code(of bytes: [UInt8], _ fileKey: borrowing SecretBytes) -> SecretBytes {
    HKDF.key(of: fileKey, info: "header").withSpan { key in
      var code = HMACSHA256(key: key)
      code.update(bytes.span)
      return code.finalize()
    }
  }
}

/// The lines of some bytes, each without its line feed.
struct AgeLines {
  private let bytes: ArraySlice<UInt8>
  private let limit: Int
  /// Where the next line begins.
  private(set) var position: Int
  /// How many lines were given.
  private(set) var number = 0

  init(_ bytes: ArraySlice<UInt8>, limit: Int) {
    self.bytes = bytes
    self.limit = limit
    position = bytes.startIndex
  }

  /// The next line; `nil` when the bytes end in it, or it ends beyond the limit.
  mutating func next() -> ArraySlice<UInt8>? {
    let rest = bytes[position..<min(bytes.endIndex, bytes.startIndex + limit)]
    guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer {
      position = end + 1
      number += 1
    }
    return rest[..<end]
  }
}
