// An archive on its way back into the store: its bytes become a pack, which has its name only after
// it was read again from the copy.

internal import RedoObject

/// A copy of an archive among the packs of a store.
package struct RestoredPack: ~Copyable {
  private let store: PackStore
  private let folder: Directory
  private var temporary: TemporaryFile
  private var count = 0

  private static let pieceBytes = 1 << 20

  /// A copy without bytes yet.
  ///
  /// - Parameter store: the packs that it is to be one of.
  /// - Throws: what the calls answered.
  package init(in store: PackStore) throws(SystemError) {
    let folder = try store.openFolder()
    let temporary = try TemporaryFile(
      in: folder, prefix: PackStore.temporaryPrefix, mode: 0o444)
    self.store = store
    self.folder = folder
    self.temporary = temporary
  }

  /// Copies the next bytes of the archive.
  ///
  /// - Parameters:
  ///   - source: the archive.
  ///   - end: how many bytes it has; more are not copied.
  /// - Returns: `false` when there are no more.
  /// - Throws: `system`, `corrupt`.
  package mutating func copy(
    from source: borrowing PackSource, upTo end: Int
  ) throws(PackError) -> Bool {
    let bytes = try source.read(min(Self.pieceBytes, end - count), at: count)
    guard !bytes.isEmpty else { return false }
    do throws(SystemError) { try temporary.file.writeAll(bytes) } catch { throw .system(error) }
    count += bytes.count
    return true
  }

  /// Waits until the copy is on the medium, and opens it to be read.
  ///
  /// - Throws: what fsync(2) or open(2) answered.
  package func reopen() throws(SystemError) -> File {
    try temporary.file.sync()
    return try folder.openFile(temporary.name, .read, [.noFollow])
  }

  /// Gives the pack its name, its index first, and waits for both.
  ///
  /// - Parameter proof: what was read from the copy.
  /// - Throws: what the calls answered; the pack is then not there, or as it was.
  package mutating func commit(_ proof: ArchiveProof) throws(SystemError) {
    let name = proof.directory.name
    try store.write(proof.makeIndex(), in: folder)
    _ = try temporary.commit(as: PackStore.fileName(name), replacing: .always)
    try folder.sync()
  }
}
