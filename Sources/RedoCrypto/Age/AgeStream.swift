// The payload of an age file: STREAM with ChaCha20-Poly1305.
//
// Chunks of 65,536 bytes and 16 more each; the last one may be shorter, and is empty only where it is the first. The
// nonce of a chunk is its number, 11 bytes with the highest first, and 1 for the last chunk or 0 for any other: a
// chunk cannot be moved, and the file cannot be cut off, unseen. Any chunk can be opened by itself.

/// The chunks of a payload.
package enum AgeStream {
  /// The bytes of a chunk before they are sealed.
  package static let chunkBytes = 65_536
  /// The bytes of a sealed chunk.
  package static let sealedBytes = chunkBytes + ChaCha20Poly1305.tagCount

  static func nonce(_ number: Int, isLast: Bool) -> InlineArray<12, UInt8> {
    var nonce = InlineArray<12, UInt8>(repeating: 0)
    for place in 0..<8 { nonce[10 - place] = UInt8(truncatingIfNeeded: number >> (8 * place)) }
    nonce[11] = isLast ? 1 : 0
    return nonce
  }

  /// Opens one chunk.
  ///
  /// - Parameters:
  ///   - sealed: its bytes in the file.
  ///   - number: which one, from 0.
  ///   - isLast: whether it must be the last.
  ///   - key: the key of the payload.
  ///   - output: receives the bytes.
  /// - Returns: whether it is that chunk, unchanged.
  package static func open(
    _ sealed: Span<UInt8>, _ number: Int, isLast: Bool, key: borrowing SecretBytes,
    into output: inout [UInt8]
  ) -> Bool {
    ChaCha20Poly1305.open(sealed, key: key, nonce: nonce(number, isLast: isLast), into: &output)
  }
}

/// What opens a new age file.
package struct AgeLock: ~Copyable {
  private let recipients: [AgeRecipient]
  private let passphrase: SecretBytes?
  private let logarithm: Int

  /// Whether keys open the file, not a passphrase.
  package var isForKeys: Bool { !recipients.isEmpty }

  /// A lock for keys.
  ///
  /// - Parameter recipients: the keys, at least one.
  package init(_ recipients: [AgeRecipient]) {
    precondition(!recipients.isEmpty, "BUG: a lock without a key")
    self.recipients = recipients
    passphrase = nil
    logarithm = 0
  }

  /// A lock for a passphrase.
  ///
  /// - Parameters:
  ///   - passphrase: what is to open the file.
  ///   - logarithm: the base-2 logarithm of scrypt's N.
  package init(
    passphrase: consuming SecretBytes, logarithm: Int = AgePassphrase.usualLogarithm
  ) {
    recipients = []
    self.passphrase = .some(passphrase)
    self.logarithm = logarithm
  }

  /// The header of a new file with a new file key, and the key of its payload.
  ///
  /// The key of a passphrase is derived anew for each file: it wraps with a nonce of zero.
  ///
  /// - Throws: `memory`.
  func header(_ payloadKey: inout SecretBytes) throws(AgeFault) -> [UInt8] {
    let fileKey = SecretBytes(randomCount: AgeHeader.fileKeyCount)
    var bytes = AgeHeader.firstLine
    for recipient in recipients { recipient.wrap(fileKey, into: &bytes) }
    try appendPassphrase(fileKey, to: &bytes)
    bytes += AgeHeader.lastStart.dropLast()
    let code = AgeHeader.code(of: bytes, fileKey)
    bytes.append(UInt8(ascii: " "))
    code.withSpan { Base64.append(unpadded: $0, to: &bytes) }
    bytes.append(UInt8(ascii: "\n"))
    let nonce = Self.random(AgeHeader.nonceCount)
    payloadKey = AgeHeader.payloadKey(fileKey, nonce)
    return bytes + nonce
  }

  private func appendPassphrase(
    _ fileKey: borrowing SecretBytes, to bytes: inout [UInt8]
  ) throws(AgeFault) {
    switch passphrase {
    case .none: return
    case .some(let passphrase):
      let salt = Self.random(AgePassphrase.saltCount)
      guard
        let key = Scrypt.key(
          passphrase: passphrase, salt: AgePassphrase.label + salt, logarithm: logarithm)
      else { throw .memory(logarithm: logarithm) }
      let words = [
        Array(AgeStanza.passphraseName.utf8), AgeRecipient.base64(salt.span),
        Array("\(logarithm)".utf8),
      ]
      AgeRecipient.append(words, AgeWrapping.seal(fileKey, key), to: &bytes)
    }
  }

  private static func random(_ count: Int) -> [UInt8] {
    SecretBytes(randomCount: count).withSpan { bytes in bytes.indices.map { bytes[$0] } }
  }
}

/// Makes the bytes of an age file; memory is needed for a chunk and what is added at a time.
///
/// No two files are the same, though what is in them may be: each has random keys.
package struct AgeWriter: ~Copyable {
  private let key: SecretBytes
  private var output: [UInt8]
  private var number = 0
  /// What does not fill a chunk yet, or is the last one.
  private var waiting: [UInt8] = []

  /// A file of nothing yet.
  ///
  /// - Parameter lock: what is to open it.
  /// - Throws: `memory`.
  package init(_ lock: borrowing AgeLock) throws(AgeFault) {
    var key = SecretBytes(count: ChaCha20Poly1305.keyCount)
    output = try lock.header(&key)
    self.key = key
  }

  /// Adds bytes.
  ///
  /// - Parameter bytes: what is to be sealed, of any count.
  package mutating func add(_ bytes: [UInt8]) {
    var all = waiting
    waiting = []
    all += bytes
    var place = 0
    // A full chunk waits until it is known whether it is the last.
    while all.count - place > AgeStream.chunkBytes {
      let next = place + AgeStream.chunkBytes
      seal(all.span.extracting(place..<next), isLast: false)
      place = next
    }
    if place > 0 { all.removeFirst(place) }
    waiting = all
  }

  private mutating func seal(_ chunk: Span<UInt8>, isLast: Bool) {
    ChaCha20Poly1305.seal(
      chunk, key: key, nonce: AgeStream.nonce(number, isLast: isLast), into: &output)
    number += 1
  }

  /// The bytes that were made since they were taken last.
  package mutating func take() -> [UInt8] {
    let bytes = output
    output = []
    return bytes
  }

  /// Makes the last chunk, which `take` gives.
  package mutating func finish() {
    let last = waiting
    waiting = []
    seal(last.span, isLast: true)
  }
}

/// Opens the payload of an age file from its beginning to its end.
///
/// It gives out only what is proved, each chunk as soon as it is; that the end was reached shows only when `finish`
/// does not throw.
package struct AgeOpener: ~Copyable {
  private let key: SecretBytes
  private var number = 0
  private var waiting: [UInt8] = []

  /// A payload of which nothing is read yet.
  ///
  /// - Parameter key: what `AgeHeader.payloadKey` gives.
  package init(key: consuming SecretBytes) { self.key = key }

  /// Adds the next bytes.
  ///
  /// - Parameters:
  ///   - bytes: of the payload, of any count.
  ///   - output: receives what is proved, also when it throws.
  /// - Throws: `payload`.
  package mutating func add(_ bytes: [UInt8], into output: inout [UInt8]) throws(AgeFault) {
    let all = waiting + bytes
    waiting = []
    var place = 0
    while all.count - place > AgeStream.sealedBytes {
      let sealed = all.span.extracting(place..<(place + AgeStream.sealedBytes))
      guard AgeStream.open(sealed, number, isLast: false, key: key, into: &output) else {
        // A last chunk with bytes behind it is a true one, and is given out before the error.
        guard AgeStream.open(sealed, number, isLast: true, key: key, into: &output) else {
          throw .payload(chunk: number, .changed)
        }
        throw .payload(chunk: number + 1, .trailing)
      }
      place += AgeStream.sealedBytes
      number += 1
    }
    waiting = Array(all[place...])
  }

  /// Ends the payload.
  ///
  /// - Parameter output: receives the last bytes, also when it throws.
  /// - Throws: `payload`.
  package mutating func finish(into output: inout [UInt8]) throws(AgeFault) {
    let last = waiting
    waiting = []
    let isFull = last.count == AgeStream.sealedBytes
    guard last.count >= ChaCha20Poly1305.tagCount else {
      throw .payload(chunk: number, .cutOff)
    }
    guard last.count > ChaCha20Poly1305.tagCount || number == 0 else {
      throw .payload(chunk: number, .empty)
    }
    if AgeStream.open(last.span, number, isLast: true, key: key, into: &output) { return }
    if isFull, AgeStream.open(last.span, number, isLast: false, key: key, into: &output) {
      throw .payload(chunk: number + 1, .cutOff)
    }
    throw .payload(chunk: number, .changed)
  }
}
