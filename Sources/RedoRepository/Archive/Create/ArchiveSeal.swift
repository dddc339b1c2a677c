// The path of an archive's bytes into the file: sealed if requested, counted and hashed.

internal import RedoCrypto
internal import RedoStore

/// Whether and for whom archives are sealed.
struct ArchiveSeal: ~Copyable {
  /// What opens them; `nil` when they are not sealed.
  let lock: SealedLock?

  /// Prepares what is requested; a passphrase is derived only once for any number of archives.
  ///
  /// - Parameters:
  ///   - recipients: for whom, as `SealRecipients.keys` reads them.
  ///   - passphrase: where a passphrase comes from.
  ///   - opened: the store.
  ///   - effects: where the trust file is looked for, and who is asked for a passphrase.
  /// - Throws: `SealingFault`; the error when a passphrase cannot be read.
  init(
    recipients: [String], passphrase: SealPassphrase, _ opened: Repository, _ effects: Effects
  ) throws {
    lock = try Self.lock(
      try SealRecipients.keys(recipients, opened, effects), try passphrase.new(effects))
  }

  private static func lock(
    _ recipients: [X25519PublicKey], _ passphrase: consuming SecretBytes?
  ) throws -> SealedLock? {
    guard let passphrase else { return recipients.isEmpty ? nil : SealedLock(recipients) }
    guard let lock = SealedLock(recipients, passphrase: passphrase) else {
      let cost = WrappedKey.usualCost.memoryKiB
      throw SealingFault.noMemory(kibibytes: Int(cost))
    }
    return lock
  }

  /// Starts the bytes of one archive.
  func pass() -> ArchivePass {
    switch lock {
    case .some(let lock): ArchivePass(SealedWriter(lock))
    case .none: ArchivePass(nil)
    }
  }
}

/// The steps that the bytes of one archive take on their way into the file.
struct ArchivePass: ~Copyable {
  private var writer: SealedWriter?
  private var hash = SHA256()
  /// The bytes of the file so far.
  private(set) var fileBytes = 0
  /// Whether it is sealed.
  let isSealed: Bool

  init(_ writer: consuming SealedWriter?) {
    isSealed = writer != nil
    self.writer = writer
  }

  /// The bytes of the file for some bytes of the pack.
  mutating func add(_ bytes: [UInt8]) -> [UInt8] {
    guard isSealed else { return note(bytes) }
    writer?.add(bytes)
    return note(writer?.take() ?? [])
  }

  /// The last bytes of the file.
  mutating func finish() -> [UInt8] {
    guard isSealed else { return [] }
    writer?.finish()
    return note(writer?.take() ?? [])
  }

  /// SHA-256 of the file, once it is finished.
  mutating func digest() -> Digest { hash.finalize() }

  private mutating func note(_ bytes: [UInt8]) -> [UInt8] {
    hash.update(bytes.span)
    fileBytes += bytes.count
    return bytes
  }
}
