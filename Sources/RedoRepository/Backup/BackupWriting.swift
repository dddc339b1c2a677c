// The file of a point on its way: under a temporary name until it has been written, synced, and read back.

internal import RedoCrypto
internal import RedoObject
internal import RedoStore

/// Writes the file of a point.
enum BackupWriting {
  /// Writes a point, and reads it again.
  ///
  /// - Parameters:
  ///   - content: what goes into it.
  ///   - shelf: the directory, which is held.
  ///   - seal: for whom it is encrypted, if it is.
  ///   - opened: the store, for what is not in memory.
  ///   - effects: says whether the work is cancelled.
  /// - Returns: the point.
  /// - Throws: `FileFault` when it cannot be written, `BackupFault.unwritten` when something else is read; nothing is there
  ///   then.
  static func write(
    _ content: BackupContent, to shelf: borrowing BackupShelf, _ seal: borrowing ArchiveSeal,
    _ opened: Repository, _ effects: Effects
  ) throws -> BackupShelf.Point {
    let manifest = content.manifest
    let path = joinPath(shelf.path, manifest.fileName)
    var target = try FileFault.naming(path) {
      try TemporaryFile(in: shelf.directory, prefix: BackupShelf.temporaryPrefix, mode: 0o600)
    }
    var hash = SHA256()
    var pass = try seal.pass()
    func write(_ bytes: [UInt8]) throws {
      do throws(SystemError) { try target.file.writeAll(bytes) } catch {
        throw FileFault.failed(error, path: path)
      }
    }
    func put(_ bytes: [UInt8]) throws {
      try effects.checkInterrupt()
      hash.update(bytes.span)
      try write(pass.add(bytes))
    }
    func put(_ name: String, _ bytes: [UInt8]) throws {
      guard let header = TarHeader.block(name, size: bytes.count, seconds: manifest.seconds) else {
        throw BackupFault.longName(name)
      }
      try put(header)
      try put(bytes)
      try put([UInt8](repeating: 0, count: TarHeader.padding(after: bytes.count)))
    }
    try put(BackupForm.manifestName, manifest.bytes)
    for (part, source) in zip(manifest.parts, content.sources) {
      switch source {
      case .bytes(let bytes): try put(part.name, bytes)
      case .blob(let id):
        guard let object = try opened.objects.read(id), object.canonical.count == part.size else {
          throw BackupFault.changing
        }
        try put(part.name, object.canonical)
      }
    }
    var copy = hash
    try put(BackupForm.endName, BackupForm.end(copy.finalize()))
    try put(TarHeader.end)
    try write(pass.finish())
    do throws(SystemError) {
      try target.file.sync()
      // So that what is read next comes from the medium.
      target.file.forgetCached()
    } catch {
      throw FileFault.failed(error, path: path)
    }
    let size = try readBack(target.name, manifest, hash.finalize(), shelf, effects)
    try FileFault.naming(path) {
      guard try target.commit(as: manifest.fileName, replacing: .never) else {
        throw FileFault.taken(path: path)
      }
      try shelf.directory.sync()
    }
    return BackupShelf.Point(
      name: manifest.fileName, manifest: manifest, bytes: size, isSealed: seal.lock != nil)
  }

  /// Reads what was written: every byte, and every node.
  private static func readBack(
    _ name: String, _ manifest: BackupManifest, _ digest: Digest,
    _ shelf: borrowing BackupShelf, _ effects: Effects
  ) throws -> Int {
    let path = joinPath(shelf.path, manifest.fileName)
    do {
      let file = try BackupFile(name, as: manifest.fileName, in: shelf)
      guard file.manifest == manifest, try file.check(effects) == digest else {
        throw BackupFault.unwritten(path: path)
      }
      for (name, kind) in BackupForm.packs {
        var count = 0
        if let bytes = try file.read(name) {
          let pack = try PackReader(.memory(bytes), of: [kind])
          var inflater = FrameInflater()
          for index in pack.directory.frames.indices {
            count += try pack.nodes(ofFrame: index, &inflater).count
          }
        }
        guard count == manifest.count(of: kind) else { throw BackupFault.unwritten(path: path) }
      }
      return file.fileBytes
    } catch let error where error is BackupFault || error is SealFault {
      throw BackupFault.unwritten(path: path)
    } catch is PackError {
      throw BackupFault.unwritten(path: path)
    }
  }
}
