// Archives on their way into their files: written, described, registered.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// What goes into one archive.
struct ArchivePart {
  /// Its file, `-` for standard output; `nil` when none is named.
  let path: String?
  /// The nodes in the order of a pack.
  let ids: [ObjectID]
  /// Those that no other one names as parent, in ascending order; none when nobody asks.
  let heads: [ObjectID]
}

/// How archives are made, and through what: once for however many.
struct ArchiveMaking: ~Copyable {
  let opened: Repository
  let isDryRun: Bool
  let isForced: Bool
  let removes: Bool
  let isQuiet: Bool
  private let isJSON: Bool
  let syncs: Bool
  private let seal: ArchiveSeal
  private let maker: ManifestMaker

  /// Whether manifests are written, for which heads are needed.
  var describes: Bool { maker.isWanted }

  /// - Throws: `usage`, `access`, `fatal`.
  init(
    _ options: ParsedOptions, _ opened: Repository, isDryRun: Bool, isForced: Bool,
    removes: Bool, isQuiet: Bool, _ context: inout Context
  ) throws {
    let seal = try ArchiveSeal(options, opened, &context)
    guard !options.has(ArchiveRemote.option) || seal.lock == nil else {
      throw CommandError.usage(
        "'--remote' cannot be used with encryption: what lies beside would be readable")
    }
    guard !removes || seal.lock == nil else {
      throw CommandError.usage(
        "'--remove' cannot be used with encryption: a store reads single nodes")
    }
    let maker = try ManifestMaker(options, opened, &context)
    syncs = removes ? true : try opened.refsOptions().sync != .none
    self.seal = seal
    self.maker = maker
    self.opened = opened
    self.isDryRun = isDryRun
    self.isForced = isForced
    self.removes = removes
    self.isQuiet = isQuiet
    isJSON = options.has(.json)
  }

  /// Makes sure that files, and what goes beside them, can be written.
  ///
  /// - Throws: `fatal` for the first that cannot.
  func check(_ paths: [String], _ context: borrowing Context) throws {
    guard !isDryRun else { return }
    for path in paths {
      try ArchiveRegistered.check(path, opened, context)
      try ArchiveTarget.check(path, isForced: isForced, context)
      try maker.check(path, isForced: isForced, context)
    }
  }

  /// Makes one archive, prints its row, and takes its nodes out of the store where that is asked for.
  ///
  /// - Parameters:
  ///   - part: what goes into it.
  ///   - held: the registered archives, if it is going to be one.
  ///   - context: where it is said.
  /// - Returns: what a file that was written says of itself; `nil` when there is none.
  /// - Throws: `usage`, `fatal`; there is no file then, or a whole one.
  func make(
    _ part: ArchivePart, _ held: inout HeldArchives?, _ context: inout Context
  ) throws -> PackDirectory? {
    let isStream = part.path == "-" && !isDryRun
    if isStream, maker.isWanted {
      throw CommandError.usage("'--manifest' needs the name of a file")
    }
    var target: ArchiveTarget?
    var beside: ManifestTarget?
    if let path = part.path, !isStream, !isDryRun {
      try ArchiveRegistered.check(path, opened, context)
      target = try ArchiveTarget(path, isForced: isForced, syncs: syncs, context)
      beside = try maker.target(path, isForced: isForced, syncs: syncs, context)
    }
    var pass = seal.pass()
    let directory = try Self.pack(part.ids, opened.objects) { bytes throws in
      try context.checkInterrupt()
      let bytes = pass.add(bytes)
      if isStream { try context.output.write(bytes) } else { try target?.write(bytes) }
    }
    let last = pass.finish()
    if isStream { try context.output.write(last) } else { try target?.write(last) }
    if beside != nil {
      let manifest = ArchiveManifest(
        directory: directory, fileBytes: pass.fileBytes, fileDigest: pass.digest(),
        isSealed: pass.isSealed, heads: part.heads)
      try beside?.prepare(manifest, maker)
    }
    try target?.commit()
    try beside?.commit()
    guard !isStream else { return nil }
    let row = ArchiveRow(
      directory: directory, fileBytes: pass.fileBytes, path: part.path ?? "-",
      isSealed: pass.isSealed)
    try row.write(isJSON: isJSON, end: UInt8(ascii: "\n"), &context)
    guard removes else { return isDryRun ? nil : directory }
    if !isDryRun, let path = part.path {
      try held?.takeOut(directory, path, isQuiet: isQuiet, &context)
    } else if !isQuiet {
      context.note(try ArchiveRemoval.plan(Set(part.ids), opened))
    }
    return nil
  }

  /// Makes a pack of nodes.
  ///
  /// - Parameters:
  ///   - ids: the nodes in the order of a pack.
  ///   - store: where they are.
  ///   - write: receives the bytes, piece by piece.
  /// - Returns: the directory of the pack.
  /// - Throws: `fatal` for a node that cannot be read, or what the closure throws.
  private static func pack(
    _ ids: [ObjectID], _ store: ObjectStore, _ write: ([UInt8]) throws -> Void
  ) throws -> PackDirectory {
    var writer = PackWriter()
    try HistoryWalk.forEach(
      ids, store
    ) { object, reader throws in
      try packNode(object, &reader)
    } _: { node throws in
      writer.add(node)
      let bytes = writer.take()
      if !bytes.isEmpty { try write(bytes) }
    }
    let directory = writer.finish()
    try write(writer.take())
    return directory
  }

  private static func packNode(
    _ object: StoredObject, _ reader: inout NodeReader
  ) throws -> PackNode {
    guard object.canonical.count <= PackFormat.nodeLimit else {
      throw CommandError.fatal("object '\(object.id.text)' is larger than a node may be")
    }
    if let node = reader.decode(object) { return PackNode(object, node) }
    // A node that breaks a rule has its place in the history all the same.
    guard let broken = reader.decoder.decodeBroken(object) else {
      throw CommandError.fatal("object '\(object.id.text)' is no valid node")
    }
    return PackNode(object, broken)
  }
}

extension HeldArchives {
  /// Registers an archive that was written, and takes its nodes out of the store.
  ///
  /// - Parameters:
  ///   - directory: what was written.
  ///   - path: its file.
  ///   - isQuiet: whether only warnings are said.
  ///   - context: where they are said.
  /// - Throws: `fatal`; nothing is removed that the file does not have.
  fileprivate mutating func takeOut(
    _ directory: PackDirectory, _ path: String, isQuiet: Bool, _ context: inout Context
  ) throws {
    let proof = try ArchiveProving.prove(path, context.effects)
    guard proof.directory == directory else {
      throw CommandError.fatal("'\(path)' is not what was written into it; nothing was removed")
    }
    try ArchiveRegisterFile.register(proof, path, .removing, &self, context)
    var removal = ArchiveRemoval(opened, proof)
    try removal.finish(&self, context.effects)
    if !isQuiet { context.note(removal.summary) }
  }
}
