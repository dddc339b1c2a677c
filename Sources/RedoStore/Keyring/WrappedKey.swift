// A private key under a passphrase, as text:
//
//   redo-key 1
//   public <64 hex>
//   argon2id <passes> <memory in KiB> <32 hex: salt>
//   xchacha20-poly1305 <48 hex: nonce> <96 hex: the seed, sealed>
//
// Argon2id (RFC 9106, one lane) derives the key from the passphrase and the salt; XChaCha20-Poly1305
// seals the 32 bytes of the seed, with the 32 bytes of the public key as associated data. redo-key(1)
// documents the format for other programs.

package import RedoCrypto

/// A private key that a passphrase opens.
package struct WrappedKey: Sendable {
  /// What new keys cost: about half a second of a present-day processor, and 256 MiB.
  package static let usualCost = Argon2id.Cost(passes: 3, memoryKiB: 262_144)
  /// The most passes that a text may ask for.
  package static let passesLimit = 16
  /// The most memory that a text may ask for: 1 GiB.
  package static let memoryLimitKiB = 1_048_576
  /// The most passes times KiB, which is what the time grows with: four passes over 1 GiB.
  package static let workLimit = 4 * memoryLimitKiB
  /// What the text begins with.
  private static let magic = "redo-key "

  /// The public half, which needs no passphrase.
  package let publicKey: PublicKey
  /// What opening it costs.
  package let cost: Argon2id.Cost
  private let salt: InlineArray<16, UInt8>
  private let nonce: InlineArray<24, UInt8>
  private let sealed: [UInt8]

  /// Why a text is not a wrapped key.
  package enum Fault: Error, Hashable, Sendable {
    /// It breaks the form.
    case form
    /// It is of a later version.
    case version(String)
    /// It asks for more memory or time than allowed.
    case cost(Argon2id.Cost)

    /// What is wrong, for people.
    package var reason: String {
      switch self {
      case .form: "it is neither 64 lower-case hex digits nor a wrapped key"
      case .version(let version): "its version '\(version)' is not known, only 1"
      case .cost(let cost):
        "it asks for \(cost.passes) passes over \(cost.memoryKiB) KiB, more than allowed"
      }
    }
  }

  /// Wraps a key.
  ///
  /// - Parameters:
  ///   - key: what to wrap.
  ///   - passphrase: what is to open it.
  ///   - cost: what opening it is to cost.
  /// - Returns: `nil` when the system has not so much memory.
  package static func wrap(
    _ key: borrowing SecretKey, passphrase: borrowing SecretBytes,
    cost: Argon2id.Cost = usualCost
  ) -> WrappedKey? {
    let salt = SecretBytes(randomCount: 16).withSpan { bytes in
      InlineArray<16, UInt8> { bytes[$0] }
    }
    let nonce = SecretBytes(randomCount: 24).withSpan { bytes in
      InlineArray<24, UInt8> { bytes[$0] }
    }
    guard let wrapping = Argon2id.key(passphrase: passphrase, salt: salt, cost: cost) else {
      return nil
    }
    let sealed = XChaCha20Poly1305.seal(
      key.seed(), key: wrapping, nonce: nonce, associated: key.publicKey.bytes.span)
    return WrappedKey(
      publicKey: key.publicKey, cost: cost, salt: salt, nonce: nonce, sealed: sealed)
  }

  /// What came of a passphrase.
  package enum Opening: ~Copyable {
    /// The key.
    case key(SecretKey)
    /// It is another passphrase, or the text was changed.
    case refused
    /// The system has not so much memory.
    case noMemory
  }

  /// Opens the key.
  package func open(passphrase: borrowing SecretBytes) -> Opening {
    guard let wrapping = Argon2id.key(passphrase: passphrase, salt: salt, cost: cost) else {
      return .noMemory
    }
    let seed = XChaCha20Poly1305.open(
      sealed.span, key: wrapping, nonce: nonce, associated: publicKey.bytes.span)
    guard let seed else { return .refused }
    let key = SecretKey(seed: seed)
    return key.publicKey == publicKey ? .key(key) : .refused
  }

  // MARK: Text

  /// The text, four lines.
  package var text: [UInt8] {
    var text = Array("\(Self.magic)1\npublic ".utf8)
    Hex.append(publicKey.bytes.span, to: &text)
    text += "\nargon2id \(cost.passes) \(cost.memoryKiB) ".utf8
    Hex.append(salt.span, to: &text)
    text += "\nxchacha20-poly1305 ".utf8
    Hex.append(nonce.span, to: &text)
    text.append(UInt8(ascii: " "))
    Hex.append(sealed.span, to: &text)
    text.append(UInt8(ascii: "\n"))
    return text
  }

  /// Whether a text wants to be a wrapped key.
  static func isWrapped(_ text: Span<UInt8>) -> Bool {
    let magic = Array(Self.magic.utf8)
    guard text.count >= magic.count else { return false }
    for index in magic.indices where text[index] != magic[index] { return false }
    return true
  }

  /// Reads a text.
  ///
  /// - Throws: what is wrong with it; costs above the limits are never paid.
  package static func read(_ text: [UInt8]) throws(Fault) -> WrappedKey {
    var body = text[...]
    if body.last == UInt8(ascii: "\n") { body.removeLast() }
    let lines = body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { $0.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false) }
    guard let first = lines.first, first.count == 2, first[0].elementsEqual("redo-key".utf8) else {
      throw .form
    }
    guard first[1].elementsEqual("1".utf8) else {
      throw .version(String(decoding: first[1].prefix(20), as: UTF8.self))
    }
    guard lines.count == 4,
      lines[1].count == 2, lines[1][0].elementsEqual("public".utf8),
      let point = Hex.decode32(Array(lines[1][1]).span),
      lines[2].count == 4, lines[2][0].elementsEqual("argon2id".utf8),
      let passes = decimal(lines[2][1]), let memory = decimal(lines[2][2]),
      let salt = Hex.decode16(Array(lines[2][3]).span),
      lines[3].count == 3, lines[3][0].elementsEqual("xchacha20-poly1305".utf8),
      let nonce = bytes(lines[3][1], 24), let sealed = bytes(lines[3][2], 48)
    else { throw .form }
    let cost = Argon2id.Cost(passes: passes, memoryKiB: memory)
    guard passes >= 1, memory >= 8 else { throw .form }
    guard passes <= passesLimit, memory <= memoryLimitKiB, passes * memory <= workLimit else {
      throw .cost(cost)
    }
    return WrappedKey(
      publicKey: PublicKey(bytes: point), cost: cost, salt: salt,
      nonce: InlineArray { nonce[$0] }, sealed: sealed)
  }

  private static func bytes(_ digits: ArraySlice<UInt8>, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var span = bytes.mutableSpan
    return Hex.decode(Array(digits).span, into: &span) ? bytes : nil
  }

  /// A number of at most nine digits, none of them a leading zero.
  private static func decimal(_ digits: ArraySlice<UInt8>) -> Int? {
    guard (1...9).contains(digits.count), digits.first != UInt8(ascii: "0"),
      digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }
}
