// What precedes the stream of a sealed file: for each way to open it a stanza with the file key.
//
//   kind 1, 80 bytes   the file key in a box (crypto_box_seal) for an X25519 key, which is not named
//   kind 2, 96 bytes   salt (16 bytes), passes, KiB (4 each), nonce (24), and the file key under what
//                      Argon2id makes of a passphrase (48), the 24 bytes before the nonce associated
//
// Stanzas of other kinds are skipped: a later release may know more ways, and the hash under the file key
// proves that nobody has added one.

package import RedoCrypto
internal import RedoObject

/// One way to open a sealed file.
enum SealedStanza {
  /// A box for a key.
  case box([UInt8])
  /// The file key under a passphrase.
  case passphrase(SealedPassphrase)
  /// A kind that is not known here.
  case unknown
}

/// The file key under a passphrase.
struct SealedPassphrase {
  let salt: InlineArray<16, UInt8>
  let cost: Argon2id.Cost
  let nonce: InlineArray<24, UInt8>
  let sealed: [UInt8]
  /// Salt and cost as they are in the file.
  let associated: [UInt8]

  static let byteCount = 96

  /// Reads a stanza; `nil` when it has another size or a cost of nothing.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    let passes = Int(bytes.littleEndian(at: 16, bytes: 4))
    let memory = Int(bytes.littleEndian(at: 20, bytes: 4))
    guard passes >= 1, memory >= 8 else { return nil }
    salt = InlineArray { bytes[$0] }
    cost = Argon2id.Cost(passes: passes, memoryKiB: memory)
    nonce = InlineArray { bytes[24 + $0] }
    sealed = Array(bytes[48...])
    associated = Array(bytes[..<24])
  }

  /// What a key costs is never paid above the limits of keys.
  var isDear: Bool {
    cost.passes > WrappedKey.passesLimit || cost.memoryKiB > WrappedKey.memoryLimitKiB
      || cost.passes * cost.memoryKiB > WrappedKey.workLimit
  }
}

/// What opens a new sealed file.
///
/// It can serve for several files: each has a key of its own.
package struct SealedLock: ~Copyable {
  /// A key derived from a passphrase.
  struct Passphrase: ~Copyable {
    let key: SecretBytes
    /// Salt and cost as they are in the file.
    let associated: [UInt8]

    /// The stanza of a file key.
    func stanza(_ fileKey: borrowing SecretBytes) -> [UInt8] {
      let nonce = SecretBytes(randomCount: 24).withSpan { bytes in
        InlineArray<24, UInt8> { bytes[$0] }
      }
      let sealed = XChaCha20Poly1305.seal(
        fileKey, key: key, nonce: nonce, associated: associated.span)
      var stanza = associated
      stanza.append(nonce.span)
      return stanza + sealed
    }
  }

  let recipients: [X25519PublicKey]
  let passphrase: Passphrase?

  /// A lock for keys.
  ///
  /// - Parameter recipients: the keys, at least one and at most `SealedFile.stanzaLimit` - 1.
  package init(_ recipients: [X25519PublicKey]) {
    precondition(
      !recipients.isEmpty && recipients.count < SealedFile.stanzaLimit, "BUG: a lock without a key")
    self.recipients = recipients
    passphrase = nil
  }

  /// A lock for a passphrase, and for keys.
  ///
  /// `nil` when the system does not have that much memory.
  ///
  /// - Parameters:
  ///   - recipients: the keys, at most `SealedFile.stanzaLimit` - 1.
  ///   - passphrase: what is to open the file as well.
  ///   - cost: what opening it is to cost.
  package init?(
    _ recipients: [X25519PublicKey], passphrase: borrowing SecretBytes,
    cost: Argon2id.Cost = WrappedKey.usualCost
  ) {
    precondition(recipients.count < SealedFile.stanzaLimit, "BUG: a lock of too many keys")
    let salt = SecretBytes(randomCount: 16).withSpan { bytes in
      InlineArray<16, UInt8> { bytes[$0] }
    }
    guard let key = Argon2id.key(passphrase: passphrase, salt: salt, cost: cost) else {
      return nil
    }
    self.recipients = recipients
    var associated: [UInt8] = []
    associated.append(salt.span)
    associated.append(littleEndian: UInt64(cost.passes), bytes: 4)
    associated.append(littleEndian: UInt64(cost.memoryKiB), bytes: 4)
    self.passphrase = Passphrase(key: key, associated: associated)
  }

  /// The bytes before the stream of a file, and the key of its stream.
  func header(_ streamKey: inout SecretBytes) -> [UInt8] {
    let fileKey = SecretBytes(randomCount: SecretStream.keyCount)
    var bytes = SealedFile.magic + [SealedFile.version]
    let count = recipients.count + (passphrase == nil ? 0 : 1)
    bytes.append(littleEndian: UInt64(count), bytes: 2)
    for recipient in recipients {
      Self.append(SealedHeader.boxKind, recipient.seal(fileKey), to: &bytes)
    }
    appendPassphrase(fileKey, to: &bytes)
    bytes.append(SHA256.digest(of: bytes.span).bytes.span)
    bytes.append(
      KeyedHash.hash(bytes.span, key: SealedHeader.hashKey(of: fileKey)).bytes.span)
    streamKey = SealedHeader.streamKey(of: fileKey)
    return bytes
  }

  private func appendPassphrase(_ fileKey: borrowing SecretBytes, to bytes: inout [UInt8]) {
    switch passphrase {
    case .none: return
    case .some(let passphrase):
      Self.append(SealedHeader.passphraseKind, passphrase.stanza(fileKey), to: &bytes)
    }
  }

  private static func append(_ kind: UInt8, _ stanza: [UInt8], to bytes: inout [UInt8]) {
    bytes.append(kind)
    bytes.append(littleEndian: UInt64(stanza.count), bytes: 2)
    bytes += stanza
  }
}

/// The part of a sealed file before its stream.
struct SealedHeader {
  /// The ways to open the file.
  let stanzas: [SealedStanza]
  /// Where the stream begins.
  let end: Int
  /// What the hash under the file key is of.
  private let hashed: [UInt8]
  private let hash: Digest

  static let boxKind: UInt8 = 1
  static let passphraseKind: UInt8 = 2
  private static let startBytes = 14

  /// Reads a header.
  ///
  /// - Parameter read: gives some bytes at a place; fewer where the file ends.
  /// - Throws: `notSealed`, `unsupported`, `corrupt`, and what the closure throws.
  init(
    _ read: (_ count: Int, _ offset: Int) throws(SealedError) -> [UInt8]
  ) throws(SealedError) {
    let start = try read(Self.startBytes, 0)
    guard SealedFile.isSealed(start) else { throw .notSealed }
    if start.count > SealedFile.magic.count {
      let version = start[SealedFile.magic.count]
      guard version == SealedFile.version else { throw .unsupported(version: version) }
    }
    guard start.count == Self.startBytes else { throw Self.short(start.count) }
    let count = Int(start.littleEndian(at: 12, bytes: 2))
    guard (1...SealedFile.stanzaLimit).contains(count) else {
      throw .corrupt(
        offset: 12, reason: "\(count) stanzas, and there can be 1 to \(SealedFile.stanzaLimit)")
    }
    var stanzas: [SealedStanza] = []
    var bytes = start
    for _ in 0..<count {
      let place = bytes.count
      let head = try read(3, place)
      guard head.count == 3 else { throw Self.short(place + head.count) }
      let size = Int(head.littleEndian(at: 1, bytes: 2))
      guard size <= SealedFile.stanzaByteLimit else {
        throw .corrupt(offset: place, reason: "a stanza is too large")
      }
      let stanza = try read(size, place + 3)
      guard stanza.count == size else { throw Self.short(place + 3 + stanza.count) }
      stanzas.append(try Self.stanza(head[0], stanza, at: place))
      bytes += head + stanza
    }
    let ends = try read(2 * Digest.byteCount, bytes.count)
    guard ends.count == 2 * Digest.byteCount,
      let sum = Digest(raw: ends.span.extracting(0..<32)),
      let hash = Digest(raw: ends.span.extracting(32..<64))
    else { throw Self.short(bytes.count + ends.count) }
    guard sum == SHA256.digest(of: bytes.span) else {
      throw .corrupt(offset: bytes.count, reason: "the header is not that of its hash")
    }
    let passphrases = stanzas.count { if case .passphrase = $0 { true } else { false } }
    guard passphrases <= 1 else {
      throw .corrupt(offset: 12, reason: "there is more than one passphrase")
    }
    hashed = bytes + ends[..<32]
    end = bytes.count + ends.count
    self.stanzas = stanzas
    self.hash = hash
  }

  static func short(_ place: Int) -> SealedError {
    .corrupt(offset: place, reason: "the file ends too early")
  }

  private static func stanza(
    _ kind: UInt8, _ bytes: [UInt8], at place: Int
  ) throws(SealedError) -> SealedStanza {
    switch kind {
    case boxKind:
      guard bytes.count == SecretStream.keyCount + X25519PublicKey.sealCount else {
        throw .corrupt(offset: place, reason: "a box of another size")
      }
      return .box(bytes)
    case passphraseKind:
      guard let passphrase = SealedPassphrase(bytes) else {
        throw .corrupt(offset: place, reason: "a passphrase of another form")
      }
      return .passphrase(passphrase)
    default: return .unknown
    }
  }

  /// The key of the hash over the header.
  static func hashKey(of fileKey: borrowing SecretBytes) -> SecretBytes {
    KeyedHash.subkey(of: fileKey, number: 1, context: "redoseal")
  }

  /// The key of the stream.
  static func streamKey(of fileKey: borrowing SecretBytes) -> SecretBytes {
    KeyedHash.subkey(of: fileKey, number: 2, context: "redoseal")
  }

  /// The key of the stream, of a file key that a stanza gave.
  ///
  /// - Throws: `corrupt` when the header is not the one that was written with it.
  func streamKey(for fileKey: borrowing SecretBytes) throws(SealedError) -> SecretBytes {
    let found = KeyedHash.hash(hashed.span, key: Self.hashKey(of: fileKey))
    guard KeyedHash.isEqual(found, hash) else {
      throw .corrupt(offset: hashed.count, reason: "the header is not the one that was written")
    }
    return Self.streamKey(of: fileKey)
  }
}
