// The path of an archive's bytes into the file: encrypted if requested, counted and hashed.

internal import RedoCrypto
internal import RedoStore

/// Whether and for whom archives are encrypted.
struct ArchiveSeal: ~Copyable {
  /// What opens them; `nil` when they are not encrypted.
  let lock: AgeLock?

  /// Prepares what is requested.
  ///
  /// - Parameters:
  ///   - recipients: for whom, as `SealRecipients.keys` reads them.
  ///   - passphrase: where a passphrase comes from.
  ///   - opened: the store.
  ///   - effects: where the trust file is looked for, and who is asked for a passphrase.
  /// - Throws: `SealingFault`, for keys and a passphrase at once, too; the error when a passphrase cannot be read.
  init(
    recipients: [String], passphrase: SealPassphrase, _ opened: Repository, _ effects: Effects
  ) throws {
    lock = try Self.lock(
      try SealRecipients.keys(recipients, opened, effects), passphrase, effects)
  }

  private static func lock(
    _ recipients: [AgeRecipient], _ passphrase: SealPassphrase, _ effects: Effects
  ) throws -> AgeLock? {
    guard recipients.isEmpty || !passphrase.isGiven else { throw SealingFault.keysAndPassphrase }
    guard recipients.isEmpty else { return AgeLock(recipients) }
    guard let secret = try passphrase.new(effects) else { return nil }
    return AgeLock(passphrase: secret)
  }

  /// Makes sure that the store can read what it is about to give up: with a key that opens its registered archives.
  ///
  /// - Throws: `ArchiveMakingFault.sealedRemoval` when there is none, as for every passphrase.
  func checkReadable(in opened: Repository, _ effects: Effects) throws {
    switch lock {
    case .none: return
    case .some(let lock):
      guard lock.isForKeys else { throw ArchiveMakingFault.sealedRemoval }
      let keys = RegisteredKeys(of: opened.store, effects)
      guard let header = try header(), keys.opens(header) else {
        throw ArchiveMakingFault.sealedRemoval
      }
    }
  }

  /// Whether some keys open what it encrypts; also if it encrypts nothing.
  ///
  /// - Throws: `SealFault` for a key that cannot be read.
  func isOpened(by keys: SealKeys, _ effects: Effects) throws -> Bool {
    guard let header = try header() else { return true }
    do { _ = try keys.payloadKey(header, "", effects) } catch let error as SealFault
      where error.isLocked
    {
      return false
    }
    return true
  }

  /// The header of a file that it encrypts; `nil` where nothing is encrypted.
  private func header() throws -> AgeHeader? {
    switch lock {
    case .none: return nil
    case .some(let lock):
      var writer = try AgeCipher.writer(lock)
      writer.finish()
      do throws(AgeFault) { return try AgeHeader.read(writer.take(), isWhole: true) } catch {
        throw SealFault.file(.age(error), path: "")
      }
    }
  }

  /// Starts the bytes of one archive.
  ///
  /// - Throws: `SealFault.memory` when there is not enough for the passphrase, whose key is derived for each file.
  func pass() throws -> ArchivePass {
    switch lock {
    case .some(let lock): ArchivePass(try AgeCipher.writer(lock))
    case .none: ArchivePass(nil)
    }
  }
}

/// The steps that the bytes of one archive take on their way into the file.
struct ArchivePass: ~Copyable {
  private var writer: AgeWriter?
  private var hash = SHA256()
  /// The bytes of the file so far.
  private(set) var fileBytes = 0
  /// Whether it is encrypted.
  let isSealed: Bool

  init(_ writer: consuming AgeWriter?) {
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
