// Where manifests are written: beside their archives, after them.
//
// What is replaced is removed first: between two steps there may be an archive without a manifest, which
// is as good as one that never had one, but never one with the manifest of another.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Makes manifests.
struct ManifestMaker: ~Copyable {
  static let option = OptionSpec(
    "manifest", help: "write <file>.manifest, and its signature where there is a key")
  /// The options of what writes manifests.
  static var options: [OptionSpec] { [option, PassphraseSource.descriptorOption] }

  /// Whether options ask for manifests.
  let isWanted: Bool
  /// Who signs them; `nil` for nobody.
  fileprivate let key: SecretKey?
  /// The name of the store.
  fileprivate let store: StoreID?

  /// What the options say; a key that is under a passphrase is opened now, not after the work.
  ///
  /// - Throws: `access` when the passphrase is refused; `fatal`.
  init(
    _ options: ParsedOptions, _ opened: Repository, _ context: inout Context
  ) throws {
    let isWanted = options.has(Self.option)
    let store = isWanted ? try opened.storeID() : nil
    key = isWanted ? try Self.key(options, opened, &context) : nil
    self.isWanted = isWanted
    self.store = store
  }

  private static func key(
    _ options: ParsedOptions, _ opened: Repository, _ context: inout Context
  ) throws -> SecretKey? {
    let passphrase = try PassphraseSource(options)
    let keyring = try opened.keyring()
    return try KeySource.find(opened, keyring, context.effects)?.open(
      passphrase, opened, context.effects)
  }

  /// What lies beside an archive: its manifest and the signature of that.
  private static func names(_ path: String) -> [String] {
    [path + ArchiveManifest.suffix, path + ManifestSignature.suffix]
  }

  /// Makes sure that manifest and signature can be written, or that none is left beside an archive.
  ///
  /// - Parameters:
  ///   - path: the archive.
  ///   - isForced: whether it is replaced.
  ///   - context: says where relative paths begin.
  /// - Throws: `fatal` when one is there that would stay.
  func check(
    _ path: String, isForced: Bool, _ context: borrowing Context
  ) throws {
    for name in Self.names(path) {
      guard !isWanted else {
        try ArchiveTarget.check(name, isForced: isForced, context)
        continue
      }
      let resolved = context.resolve(name)
      let status = try CommandError.wrapping(name) {
        try FileStatus.ofLink(at: resolved)
      }
      guard status == nil else {
        throw CommandError.fatal(
          "'\(name)' is there already, which is not about this archive",
          hints: ["'--manifest --force' replaces it"])
      }
    }
  }

  /// Makes the unfinished manifest and signature.
  ///
  /// - Parameters:
  ///   - path: the archive.
  ///   - isForced: whether it is replaced.
  ///   - syncs: whether the disk is waited for.
  ///   - context: says where relative paths begin.
  /// - Returns: where they go; `nil` when none is wanted.
  /// - Throws: as `check`.
  func target(
    _ path: String, isForced: Bool, syncs: Bool, _ context: borrowing Context
  ) throws -> ManifestTarget? {
    guard isWanted else {
      try check(path, isForced: isForced, context)
      return nil
    }
    let names = Self.names(path)
    return ManifestTarget(
      manifest: try ArchiveTarget(names[0], isForced: isForced, syncs: syncs, context),
      signature: try ArchiveTarget(names[1], isForced: isForced, syncs: syncs, context))
  }
}

/// A manifest and its signature, on their way.
struct ManifestTarget: ~Copyable {
  private var manifest: ArchiveTarget
  private var signature: ArchiveTarget
  private var isSigned = false

  init(manifest: consuming ArchiveTarget, signature: consuming ArchiveTarget) {
    self.manifest = manifest
    self.signature = signature
  }

  /// Writes what is going to lie beside the archive, and removes what lies there.
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
