// One registered archive, for reading: its index in the store, its file wherever it lies.

internal import RedoCrypto
package import RedoObject

/// A registered archive that is read by ids.
///
/// A class, because threads share the open file.
package final class ShelvedArchive: Sendable {
  /// Its line of the list.
  package let archive: RegisteredArchive
  /// Its nodes.
  package let pack: Pack
  /// What the store keeps about it, whatever has taken the place of the file.
  private let index: PackIndex?
  private let unlock: AgeUnlocking

  init(
    _ archive: RegisteredArchive, in store: borrowing Directory, cache: FrameCache,
    counters: StoreCounters?, unlock: @escaping AgeUnlocking
  ) {
    self.archive = archive
    let files = Pack.Files(
      directory: store, file: archive.path, indexDirectory: store,
      indexFile: joinPath(ArchiveRegister.folder, archive.indexName), unlock: unlock,
      kinds: ObjectKind.packed)
    index = PackIndex.open(
      in: store, joinPath(ArchiveRegister.folder, archive.indexName), name: archive.name)
    pack = Pack(name: archive.name, files, cache: cache, counters: counters)
    self.unlock = unlock
  }

  /// Opens the file anew, to read all of it.
  ///
  /// - Throws: `system`, `locked`, `corrupt`.
  package func open() throws(PackError) -> PackSource {
    let file: File
    do throws(SystemError) { file = try File.openRegular(archive.path) } catch {
      throw .system(error)
    }
    return try PackSource.opening(file, unlock)
  }

  /// What keeps an archive from being read.
  package enum Condition: Equatable, Sendable {
    /// The file that was registered is there.
    case present
    /// It is not, or another file has taken its place.
    case away(reason: String)
    /// It is there, but damaged.
    case damaged(reason: String)
  }

  /// Looks whether the file is the one that was registered: by its size, the name in it, and the hash
  /// at its end.
  package func condition() -> Condition {
    do throws(PackError) {
      let directory = try pack.directory()
      guard try pack.fileBytes() == archive.bytes, directory.name == archive.name,
        try pack.hash() == archive.hash
      else {
        return .away(reason: "another file is in its place")
      }
      return .present
    } catch {
      switch error {
      case .system(let error): return .away(reason: error.reason)
      case .notPack, .unsupported, .kind: return Self.other
      case .locked: return .away(reason: error.description)
      case .corrupt: return isOfItsSize ? .damaged(reason: error.description) : Self.other
      }
    }
  }

  private static var other: Condition { .away(reason: "another file is in its place") }

  private var isOfItsSize: Bool {
    guard let file = try? File.openRegular(archive.path), let size = try? file.status().size else {
      return false
    }
    // How large an encrypted file has to be shows only when it is opened.
    let start = (try? file.read(AgeHeader.magic.count, at: 0)) ?? []
    return size == archive.bytes || AgeHeader.isAge(start)
  }

  /// Its ids, in ascending order.
  ///
  /// - Throws: `archives` when the index is damaged and the file is away.
  package func ids(prefix: [UInt8] = []) throws(StoreError) -> [ObjectID] {
    if let index, let ids = try? index.ids(prefix: prefix) { return ids }
    do throws(PackError) {
      return try pack.asking { index throws(PackIndexDamage) in try index.ids(prefix: prefix) }
    } catch {
      throw unknown(error)
    }
  }

  /// Whether a node is in it; the file need not be there.
  ///
  /// - Throws: `archives` when the index is damaged and the file is away.
  package func contains(_ id: ObjectID) throws(StoreError) -> Bool {
    if let index, case .success(let place) = Result(catching: { try index.place(of: id) }) {
      return place != nil
    }
    do throws(PackError) { return try pack.place(of: id) != nil } catch { throw unknown(error) }
  }

  private func unknown(_ error: PackError) -> StoreError {
    .archives(
      reason: "the index of the archive '\(archive.path)' is damaged, and the archive cannot be "
        + "read: \(error.description)")
  }

  /// Reads a node.
  ///
  /// - Returns: `nil` when it is not in the archive.
  /// - Throws: `offline` when the file is away, `corrupt`; `archives` when it is not even known whether
  ///   the node is in it.
  func read(
    _ id: ObjectID, _ inflater: inout FrameInflater
  ) throws(StoreError) -> StoredObject? {
    guard try contains(id) else { return nil }
    switch condition() {
    case .present: break
    case .away: throw .offline(id, path: archive.path)
    case .damaged(let reason): throw .corrupt(id, path: archive.path, reason: reason)
    }
    do throws(PackError) {
      return try pack.read(id, &inflater)
    } catch {
      if case .system(let error) = error { throw .system(error) }
      throw .corrupt(id, path: archive.path, reason: error.description)
    }
  }
}
