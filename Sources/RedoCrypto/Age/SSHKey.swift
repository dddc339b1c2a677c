// Ed25519 keys as SSH writes them.
//
//   ssh-ed25519 <Base64 of: string "ssh-ed25519", string key> [comment]       RFC 8709, section 4; RFC 4253, 6.6
//
//   -----BEGIN OPENSSH PRIVATE KEY-----                                       OpenSSH's PROTOCOL.key
//   Base64 of: "openssh-key-v1" NUL, string cipher, string kdf, string options, uint32 1, string public key,
//     string: uint32 check, uint32 check, string "ssh-ed25519", string key, string seed and key, string comment,
//     bytes 1, 2, 3, ... to a multiple of 8
//   -----END OPENSSH PRIVATE KEY-----
//
// Strings are preceded by their count, 4 bytes with the highest first.

/// The public half of an Ed25519 key of SSH.
package struct SSHKey: Sendable {
  /// The key.
  package let signer: PublicKey

  static let name = "ssh-ed25519"
  static let tagCount = 4
  /// The most bytes of a line that is read.
  package static let lineLimit = 8192

  /// The key of a signer.
  package init(_ signer: PublicKey) { self.signer = signer }

  /// Reads a line of a `.pub` file; `nil` for anything else.
  ///
  /// - Parameter line: without its line feed.
  init?(line: [UInt8]) {
    let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard words.count >= 2, words[0].elementsEqual(Self.name.utf8),
      let blob = Base64.decode(Array(words[1]).span), let key = SSHKey(blob: blob)
    else { return nil }
    self = key
  }

  /// Reads the binary form.
  fileprivate init?(blob: [UInt8]) {
    var reader = SSHReader(blob[...])
    guard let name = reader.string(), name.elementsEqual(Self.name.utf8),
      let point = reader.string(), point.count == 32, reader.isAtEnd
    else { return nil }
    let start = point.startIndex
    signer = PublicKey(bytes: InlineArray { point[start + $0] })
  }

  /// The binary form.
  var blob: [UInt8] {
    var blob: [UInt8] = []
    for part in [Array(Self.name.utf8), (0..<32).map { signer.bytes[$0] }] {
      blob += [0, 0, 0, UInt8(part.count)]
      blob += part
    }
    return blob
  }

  /// The line of a `.pub` file, without comment and line feed.
  package var line: String {
    var text: [UInt8] = Array("\(Self.name) ".utf8)
    Base64.append(blob.span, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// By what a stanza names the key: the first bytes of a hash.
  var tag: [UInt8] {
    let digest = SHA256.digest(of: blob.span)
    return (0..<Self.tagCount).map { digest.bytes[$0] }
  }

  /// Binds a shared secret to the key in the form of SSH.
  func tweak(_ secret: borrowing SecretBytes) -> SecretBytes? {
    let none: [UInt8] = []
    let tweak = HKDF.key(of: none.span, salt: blob, info: AgeWrapping.ssh)
    let point = secret.withSpan { secret in InlineArray<32, UInt8> { secret[$0] } }
    return X25519PrivateKey.product(tweak, point)
  }
}

/// A private key of an OpenSSH file.
package enum SSHPrivateKey {
  /// Why a text is not a key that serves.
  package enum Fault: Error, Equatable, Sendable {
    /// It is under a passphrase.
    case encrypted
    /// It is the key of another algorithm.
    case otherAlgorithm
    /// It breaks the form.
    case form
  }

  /// What the text begins with.
  package static let firstLine = "-----BEGIN OPENSSH PRIVATE KEY-----"
  private static let lastLine = "-----END OPENSSH PRIVATE KEY-----"
  private static let magic = Array("openssh-key-v1".utf8) + [0]

  /// Whether a text wants to be such a file.
  package static func isOne(_ text: Span<UInt8>) -> Bool {
    let first = Array(firstLine.utf8)
    return text.count > first.count && first.indices.allSatisfy { text[$0] == first[$0] }
  }

  /// Reads a file.
  ///
  /// - Parameter text: all of it.
  /// - Returns: the key.
  /// - Throws: why it does not serve.
  package static func read(_ text: Span<UInt8>) throws(Fault) -> SecretKey {
    var digits: [UInt8] = []
    digits.reserveCapacity(text.count)
    defer { for index in digits.indices { digits[index] = 0 } }
    let first = Array(firstLine.utf8)
    let last = Array(lastLine.utf8)
    guard isOne(text) else { throw .form }
    var index = first.count
    while index < text.count, text[index] != UInt8(ascii: "-") {
      let byte = text[index]
      if ![UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(byte) { digits.append(byte) }
      index += 1
    }
    guard index + last.count <= text.count,
      last.indices.allSatisfy({ text[index + $0] == last[$0] })
    else { throw .form }
    guard var blob = Base64.decode(digits.span) else { throw .form }
    defer { for index in blob.indices { blob[index] = 0 } }
    return try read(blob: blob)
  }

  private static func read(blob: [UInt8]) throws(Fault) -> SecretKey {
    guard blob.starts(with: magic) else { throw .form }
    var reader = SSHReader(blob.dropFirst(magic.count))
    guard let cipher = reader.string(), let derivation = reader.string(),
      let options = reader.string(), reader.number() == 1, let open = reader.string(),
      let secret = reader.string()
    else { throw .form }
    guard cipher.elementsEqual("none".utf8) else { throw .encrypted }
    guard derivation.elementsEqual("none".utf8), options.isEmpty else { throw .form }
    guard let known = SSHKey(blob: Array(open)) else {
      var name = SSHReader(open)
      throw name.string()?.elementsEqual(SSHKey.name.utf8) == false ? .otherAlgorithm : .form
    }
    var inner = SSHReader(secret)
    guard let check = inner.number(), check == inner.number(),
      inner.string()?.elementsEqual(SSHKey.name.utf8) == true, let point = inner.string(),
      point.count == 32, let pair = inner.string(), pair.count == 64, inner.string() != nil,
      inner.rest.enumerated().allSatisfy({ $0.element == UInt8(truncatingIfNeeded: $0.offset + 1) })
    else { throw .form }
    var seed = Array(pair.prefix(32))
    let key = SecretKey(seed: SecretBytes(moving: &seed))
    let isPair = (0..<32).allSatisfy {
      key.publicKey.bytes[$0] == point[point.startIndex + $0]
        && key.publicKey.bytes[$0] == pair[pair.startIndex + 32 + $0]
    }
    guard isPair, key.publicKey == known.signer else { throw .form }
    return key
  }
}

/// Reads the numbers and strings of SSH.
private struct SSHReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func number() -> UInt32? {
    guard rest.count >= 4 else { return nil }
    defer { rest = rest.dropFirst(4) }
    return rest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  mutating func string() -> ArraySlice<UInt8>? {
    guard let count = number(), Int(count) <= rest.count else { return nil }
    defer { rest = rest.dropFirst(Int(count)) }
    return rest.prefix(Int(count))
  }
}
