// Reads a sealed file: its header, then with a key its chunks.
//
// A pack is not read in the order of the stream, so that the contents of the file must be kept somewhere:
// `HiddenCopy` keeps them where they never have a name.

package import RedoCrypto

/// An open sealed file.
package struct SealedReader: ~Copyable {
  private let source: PackSource
  private let header: SealedHeader
  /// The bytes of the file.
  package let fileBytes: Int
  /// Where the next chunk begins.
  private var place: Int
  private var stream: SecretStreamOpener?

  /// Opens a file and reads its header.
  ///
  /// - Parameter source: where its bytes are.
  /// - Throws: `notSealed`, `unsupported`, `corrupt`, `system`.
  package init(_ source: consuming PackSource) throws(SealedError) {
    let size = try Self.size(source)
    let header = try Self.header(source)
    fileBytes = size
    place = header.end
    self.header = header
    self.source = source
  }

  private static func size(_ source: borrowing PackSource) throws(SealedError) -> Int {
    do throws(PackError) { return try source.size() } catch { throw SealedError(error) }
  }

  private static func header(
    _ source: borrowing PackSource
  ) throws(SealedError) -> SealedHeader {
    // Read at once: a header is small, and its parts are read one by one.
    let start: [UInt8]
    do throws(PackError) {
      start = try source.read(headerLimit, at: 0)
    } catch {
      throw SealedError(error)
    }
    return try SealedHeader { count, offset in
      let from = min(offset, start.count)
      return Array(start[from..<min(from + count, start.count)])
    }
  }

  private static let headerLimit =
    128 + SealedFile.stanzaLimit * (3 + SealedFile.stanzaByteLimit)

  /// For how many keys the file was written.
  package var boxCount: Int {
    header.stanzas.count { if case .box = $0 { true } else { false } }
  }

  /// Whether a passphrase opens the file.
  package var hasPassphrase: Bool {
    header.stanzas.contains { if case .passphrase = $0 { true } else { false } }
  }

  /// Whether there are unknown ways to open the file.
  package var hasUnknown: Bool {
    header.stanzas.contains { if case .unknown = $0 { true } else { false } }
  }

  /// Tries a key.
  ///
  /// - Parameter key: a private key.
  /// - Returns: whether the file is for it, and can be read now.
  /// - Throws: `corrupt` when it is, and the header was changed.
  package mutating func unlock(_ key: borrowing X25519PrivateKey) throws(SealedError) -> Bool {
    for case .box(let box) in header.stanzas {
      if let fileKey = key.open(box.span), try unlock(fileKey: fileKey) { return true }
    }
    return false
  }

  /// Tries a passphrase.
  ///
  /// - Parameter passphrase: its bytes.
  /// - Returns: whether it opens the file, which can be read now.
  /// - Throws: `cost`, `noMemory`; `corrupt` when it opens the file, and the header was changed.
  package mutating func unlock(
    passphrase: borrowing SecretBytes
  ) throws(SealedError) -> Bool {
    for case .passphrase(let stanza) in header.stanzas {
      guard !stanza.isDear else { throw .cost(stanza.cost) }
      let key = Argon2id.key(passphrase: passphrase, salt: stanza.salt, cost: stanza.cost)
      guard let key else { throw .noMemory(stanza.cost) }
      let fileKey = XChaCha20Poly1305.open(
        stanza.sealed.span, key: key, nonce: stanza.nonce, associated: stanza.associated.span)
      if let fileKey, try unlock(fileKey: fileKey) { return true }
    }
    return false
  }

  private mutating func unlock(fileKey: borrowing SecretBytes) throws(SealedError) -> Bool {
    guard fileKey.count == SecretStream.keyCount else { return false }
    let key = try header.streamKey(for: fileKey)
    let start = try read(SecretStream.headerCount, at: header.end)
    guard start.count == SecretStream.headerCount else {
      throw SealedHeader.short(header.end + start.count)
    }
    stream = SecretStreamOpener(key: key, header: start.span)
    place = header.end + start.count
    return true
  }

  private func read(_ count: Int, at offset: Int) throws(SealedError) -> [UInt8] {
    do throws(PackError) { return try source.read(count, at: offset) } catch {
      throw SealedError(error)
    }
  }

  /// The next bytes of the contents, once a key is found.
  ///
  /// - Returns: `nil` after the last chunk.
  /// - Throws: `corrupt` for a chunk that was changed, moved or cut off; `system`.
  package mutating func next() throws(SealedError) -> [UInt8]? {
    if place == fileBytes, place > header.end + SecretStream.headerCount { return nil }
    let whole = SealedFile.chunkBytes + SecretStream.tagCount
    let sealed = try read(min(whole, fileBytes - place), at: place)
    // Between chunks there is always another: only the last one says that it is the last.
    guard sealed.count > SecretStream.tagCount else {
      throw SealedHeader.short(place + sealed.count)
    }
    let isLast = place + sealed.count == fileBytes
    guard let chunk = stream?.open(sealed.span, isLast ? .last : .middle) else {
      throw .corrupt(
        offset: place,
        reason: isLast ? "it is cut off, or its last chunk was changed" : "a chunk was changed")
    }
    place += sealed.count
    return chunk
  }
}
