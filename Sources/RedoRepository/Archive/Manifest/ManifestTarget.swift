// Where manifests are written: beside their archives, after them.
//
// A file that is being replaced is removed first: between two steps there may be an archive without a manifest, just
// like one that never had one, but never one with the manifest of another.

internal import RedoCrypto
internal import RedoObject
internal import RedoStore

/// Makes manifests.
struct ManifestMaker: ~Copyable {
  /// Whether manifests are asked for.
  let isWanted: Bool
  /// The key that signs them; `nil` when they are not signed.
  fileprivate let key: SecretKey?
  /// The name of the store.
  fileprivate let store: StoreID?

  /// Looks for a key; one with a passphrase is opened now, not after the work.
  ///
  /// - Parameters:
  ///   - passphrase: where the passphrase of the key comes from; `nil` when no manifests are asked for.
  ///   - opened: the store.
  ///   - effects: who is asked for the passphrase.
  /// - Throws: when the key cannot be opened.
  init(
    _ passphrase: PassphraseSource?, _ opened: Repository, _ effects: Effects
  ) throws {
    let isWanted = passphrase != nil
    let store = isWanted ? try opened.storeID() : nil
    key = try passphrase.flatMap { passphrase throws in try Self.key(passphrase, opened, effects) }
    self.isWanted = isWanted
    self.store = store
  }

  private static func key(
    _ passphrase: PassphraseSource, _ opened: Repository, _ effects: Effects
  ) throws -> SecretKey? {
    let keyring = try opened.keyring()
    return try KeySource.find(opened, keyring, effects)?.open(
      passphrase, opened, effects)
  }

  /// The names of the files beside an archive: its manifest and the signature of that.
  private static func names(_ path: String) -> [String] {
    [path + ArchiveManifest.suffix, path + ManifestSignature.suffix]
  }

  /// Makes sure that manifest and signature can be written, or that none would be left beside an archive.
  ///
  /// - Parameters:
  ///   - path: the archive.
  ///   - isForced: whether it is replaced.
  ///   - effects: says where relative paths begin.
  /// - Throws: `ArchiveMakingFault.foreignManifest` when one is there that would stay.
  func check(
    _ path: String, isForced: Bool, _ effects: Effects
  ) throws {
    for name in Self.names(path) {
      guard !isWanted else {
        try ArchiveTarget.check(name, isForced: isForced, effects)
        continue
      }
      let resolved = effects.resolve(name)
      let status = try FileFault.naming(name) {
        try FileStatus.ofLink(at: resolved)
      }
      guard status == nil else {
        throw ArchiveMakingFault.foreignManifest(path: name)
      }
    }
  }

  /// Makes the unfinished manifest and signature.
  ///
  /// - Parameters:
  ///   - path: the archive.
  ///   - isForced: whether it is replaced.
  ///   - syncs: whether to wait for the disk.
  ///   - effects: says where relative paths begin.
  /// - Returns: where they go; `nil` when none is wanted.
  /// - Throws: as `check`.
  func target(
    _ path: String, isForced: Bool, syncs: Bool, _ effects: Effects
  ) throws -> ManifestTarget? {
    guard isWanted else {
      try check(path, isForced: isForced, effects)
      return nil
    }
    let names = Self.names(path)
    return ManifestTarget(
      manifest: try ArchiveTarget(names[0], isForced: isForced, syncs: syncs, effects),
      signature: try ArchiveTarget(names[1], isForced: isForced, syncs: syncs, effects))
  }
}

/// A manifest and its signature while they are being written.
struct ManifestTarget: ~Copyable {
  private var manifest: ArchiveTarget
  private var signature: ArchiveTarget
  private var isSigned = false

  init(manifest: consuming ArchiveTarget, signature: consuming ArchiveTarget) {
    self.manifest = manifest
    self.signature = signature
  }

  /// Writes the files for the place beside the archive, and removes those that are there.
  mutating func prepare(
    _ text: ArchiveManifest, _ maker: borrowing ManifestMaker
  ) throws {
    var text = text
    text.store = maker.store
    let bytes = text.bytes
    try manifest.write(bytes)
    switch maker.key {
    case .some(let key):
      try signature.write(ManifestSignature(of: bytes, by: key).bytes)
      isSigned = true
    case .none: break
    }
    try signature.removeOld()
    try manifest.removeOld()
  }

  /// Gives them their names, once the archive has its own.
  mutating func commit() throws {
    try manifest.commit()
    if isSigned { try signature.commit() }
  }
}
