// A pack on its way into a directory of packs; what it replaces is removed once it is there:
//
//   1. the file under a temporary name, synced
//   2. the same file is read again: every byte, every id, every signature
//   3. the index beside it
//   4. its name, synced: from here on the pack exists
//
// All this is synced whatever `core.fsync` says, because something else is removed afterwards.

internal import RedoCrypto
package import RedoObject

/// A pack that is being written.
///
/// It takes about 80 bytes a node.
package struct NewPack: ~Copyable {
  private let store: PackStore
  private let folder: Directory
  private var temporary: TemporaryFile
  private var writer: PackWriter
  private var ids: [ObjectID] = []
  private var nodeHash = NodeHash()

  /// A pack of no objects yet.
  ///
  /// - Parameters:
  ///   - store: the packs that it is to be one of.
  ///   - kind: the kind of its objects.
  /// - Throws: what the calls answered.
  package init(in store: PackStore, _ kind: ObjectKind) throws(SystemError) {
    let folder = try store.openFolder()
    let temporary = try TemporaryFile(
      in: folder, prefix: PackStore.temporaryPrefix, mode: 0o444)
    self.store = store
    self.folder = folder
    self.temporary = temporary
    writer = PackWriter(kind)
  }

  /// The number of its nodes.
  package var count: Int { ids.count }

  /// Adds a node: each once.
  ///
  /// - Throws: what write(2) answered.
  package mutating func add(_ node: PackEntry) throws(SystemError) {
    ids.append(node.object.id)
    nodeHash.add(node.object)
    writer.add(node)
    try write()
  }

  private mutating func write() throws(SystemError) {
    let bytes = writer.take()
    if !bytes.isEmpty { try temporary.file.writeAll(bytes) }
  }

  /// Gives the pack its name, once it was read again.
  ///
  /// A pack of the same name, which has the same nodes, is replaced, unless it has the same bytes.
  ///
  /// - Returns: the pack, opened by its name, and whether it is new.
  /// - Throws: `system`, or `corrupt` when something else came back than was written; nothing is
  ///   changed then.
  package mutating func finish() throws(PackError) -> (pack: Pack, isNew: Bool) {
    let directory = writer.finish()
    do throws(SystemError) {
      try write()
      try temporary.file.sync()
      // So that what is read next comes from the medium.
      temporary.file.forgetCached()
    } catch {
      throw .system(error)
    }
    let written = store.pack(directory.name, file: temporary.name, in: folder)
    let hash = try nodeHash.check(written)
    let fileName = PackStore.fileName(directory.name)
    let old = store.pack(directory.name, file: fileName, in: folder)
    if (try? old.checkBytes()) == hash { return (old, false) }
    do throws(SystemError) {
      try store.write(index(directory), in: folder)
      _ = try temporary.commit(as: fileName, replacing: .always)
      try folder.sync()
      // The process that made it may not have synced its name yet.
      try store.directory.sync()
    } catch {
      throw .system(error)
    }
    let pack = store.pack(directory.name, file: fileName, in: folder)
    guard try pack.directory() == directory else {
      throw .corrupt(offset: 0, reason: "another file has the name of the pack")
    }
    return (pack, true)
  }

  private func index(_ directory: PackDirectory) -> PackIndex {
    var builder = PackIndexBuilder()
    var start = 0
    for frame in directory.frames {
      builder.add(ids[start..<start + frame.nodes])
      start += frame.nodes
    }
    return builder.finish(name: directory.name)
  }
}

/// A hash over nodes and their signatures, to compare what was written with what is read.
struct NodeHash {
  private var hash = SHA256()
  private var count = 0

  /// Takes the next node in.
  mutating func add(_ node: StoredObject) {
    count += 1
    hash.update(node.id.digest.bytes.span)
    // An id, a byte, and 64 more only if that is 1: no two rows of nodes give the same bytes.
    let mark: [UInt8] = [node.signature == nil ? 0 : 1]
    hash.update(mark.span)
    if let signature = node.signature { hash.update(signature.bytes.span) }
  }

  /// Reads a pack, every byte and every frame, and compares its nodes.
  ///
  /// - Parameter pack: what should have these nodes.
  /// - Returns: the hash of its bytes.
  /// - Throws: `corrupt` when it has others, or cannot be read; `system`.
  func check(_ pack: Pack) throws(PackError) -> Digest {
    let bytes = try pack.checkBytes()
    var found = NodeHash()
    try pack.forEachFrame { _, nodes throws(PackError) in
      for node in nodes { found.add(node) }
    }
    let count = found.count
    guard count == self.count, digest == found.digest else {
      throw .corrupt(offset: 0, reason: "other nodes came back than were written")
    }
    return bytes
  }

  /// The hash of all that was taken in.
  private var digest: Digest {
    var copy = hash
    return copy.finalize()
  }
}
