// The list of registered archives while it is being changed: nobody else can write it or the packs, and nothing is
// wiped.

package import RedoObject
package import RedoStore

/// The archives of a store, with the locks held.
package struct HeldArchives: ~Copyable {
  package let opened: Repository
  /// The list as it is, and as it will be written next.
  package var register: ArchiveRegister
  private let objects: LockFile
  private let packs: LockFile

  /// Takes the locks and reads the list.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - salvages: whether the intact part of a damaged list is used; its bytes are kept in `lost-found`.
  ///   - effects: where warnings go.
  /// - Throws: `StoreError.locked` when others hold the locks for too long; the error when the list cannot be read.
  package init(
    _ opened: Repository, salvages: Bool = false, _ effects: Effects
  ) throws {
    let objects = try opened.holdObjects()
    let packs = try opened.holdPacks()
    register = try Self.read(opened, salvages: salvages, effects)
    self.opened = opened
    self.objects = objects
    self.packs = packs
  }

  private static func read(
    _ opened: Repository, salvages: Bool, _ effects: Effects
  ) throws -> ArchiveRegister {
    do throws(ArchiveRegister.Failure) {
      return try ArchiveRegister.read(in: opened.store.directory)
    } catch {
      guard case .damaged(_, let rest) = error, salvages else {
        throw error
      }
      let kept = try ArchiveRegister.putAside(
        in: opened.store.directory, at: effects.clock())
      effects.report(
        .archive(.listSalvaged(error, keptAs: kept, archives: rest.archives.count)))
      return rest
    }
  }

  /// Writes the list, and waits for the disk.
  ///
  /// - Throws: `ArchiveRegister.Failure` when it cannot be written; the old one remains then.
  package func save() throws {
    try register.write(in: opened.store.directory)
  }

  /// Removes the index of an archive that is no longer in the list; if that fails, the file is left over.
  package func removeIndex(of archive: RegisteredArchive) {
    try? ArchiveRegister.removeIndex(of: archive, in: opened.store.directory)
  }

  /// The one registered archive that a name stands for.
  ///
  /// - Parameters:
  ///   - text: its file, or the beginning of its name.
  ///   - keys: what opens a copy of its file that is encrypted.
  ///   - effects: says where relative paths begin.
  /// - Returns: the archive.
  /// - Throws: `ArchiveFault` when it stands for none or for several; `SealFault` for a copy that nothing opens.
  package func one(
    _ text: String, _ keys: SealKeys, _ effects: Effects
  ) throws -> RegisteredArchive {
    let resolved = effects.resolve(text)
    // A file that is gone has no real path.
    let here = (try? CurrentProcess.workingDirectory()) ?? ""
    let real = (try? CurrentProcess.realPath(resolved)) ?? joinPath(here, resolved)
    if let found = register.archives.first(where: { $0.path == real || $0.path == text }) {
      return found
    }
    let named = register.archives.filter { text.utf8.count >= 4 && $0.hex.hasPrefix(text) }
    if named.count == 1 { return named[0] }
    guard named.isEmpty else {
      throw ArchiveFault.ambiguous(text, named)
    }
    // Another copy of a registered file names it just as well as its own path.
    do {
      let copy = try ArchiveFile(text, keys, effects)
      if let found = register.archive(copy.reader.directory.name) { return found }
    } catch let fault as SealFault {
      throw fault
    } catch {
      // A file that is no archive names none.
    }
    throw ArchiveFault.unknown(text)
  }
}

/// Reads archives as a whole.
package enum ArchiveProving {
  /// Checks everything that can be known about an archive from its file.
  ///
  /// - Parameters:
  ///   - path: the file, as messages name it.
  ///   - keys: what opens it, if it is encrypted.
  ///   - effects: says where relative paths begin, and says whether the work is cancelled.
  ///   - kinds: the kinds of objects that are wanted.
  ///   - visit: receives the nodes of each frame.
  /// - Returns: what was found.
  /// - Throws: `ArchiveFault` for a file that is not an intact archive; `SealFault.locked` when nothing opens it.
  package static func prove(
    _ path: String, _ keys: SealKeys, _ effects: Effects,
    of kinds: [ObjectKind] = ObjectKind.packed,
    _ visit: ([StoredObject]) throws -> Void = { _ in }
  ) throws -> ArchiveProof {
    let file = try InputFile.open(path, at: effects.resolve(path))
    let kind: FileKind
    do throws(SystemError) { kind = try file.status().kind } catch { throw error.named(path) }
    guard kind == .regular else {
      throw ArchiveFault.irregular(path: path)
    }
    let start: [UInt8]
    do throws(SystemError) { start = try file.read(ForeignFile.startBytes, at: 0) } catch {
      throw error.named(path)
    }
    if let error = ForeignFile.error(start, path) { throw error }
    let source = try AgeSource.bare(.file(file), start, path)
    guard AgeSource.isOne(start) else {
      return try prove(source, path, effects, of: kinds, visit)
    }
    let opened = try AgeSource.open(source, path, keys, effects)
    return try prove(.age(opened), path, effects, of: kinds, visit)
  }

  /// Checks the same for bytes that are open.
  package static func prove(
    _ source: consuming PackSource, _ path: String, _ effects: Effects,
    of kinds: [ObjectKind] = ObjectKind.packed, _ visit: ([StoredObject]) throws -> Void
  ) throws -> ArchiveProof {
    var prover: ArchiveProver
    do throws(PackError) { prover = try ArchiveProver(source, of: kinds) } catch {
      throw ArchiveFile.failure(error, path)
    }
    while true {
      try effects.checkInterrupt()
      let nodes: [StoredObject]?
      do throws(PackError) { nodes = try prover.step() } catch {
        throw ArchiveFile.failure(error, path)
      }
      guard let nodes else { break }
      try visit(nodes)
    }
    do throws(PackError) { return try prover.finish() } catch {
      throw ArchiveFile.failure(error, path)
    }
  }
}
