// A pack on its way into a directory of packs, where what it replaces is removed once it is there:
//
//   1. the file under a temporary name, waited for
//   2. the same file is read again: every byte, every id, every signature
//   3. the index beside it
//   4. its name, waited for: from here on the pack is there
//
// All this is waited for whatever `core.fsync` says, because something else goes then.

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
  private var seal = NodeSeal()

  /// A pack of no nodes yet.
  ///
  /// - Parameter store: the packs that it is to be one of.
  /// - Throws: what the calls answered.
  package init(in store: PackStore) throws(SystemError) {
    self.store = store
    folder = try store.openFolder()
    temporary = try TemporaryFile(in: folder, prefix: PackStore.temporaryPrefix, mode: 0o444)
    writer = PackWriter()
  }

  /// The number of its nodes.
  package var count: Int { ids.count }

  /// Adds a node: each once.
  ///
  /// - Throws: what write(2) answered.
  package mutating func add(_ node: PackNode) throws(SystemError) {
    ids.append(node.object.id)
    seal.add(node.object)
    writer.add(node)
    try write()
  }

  private mutating func write() throws(SystemError) {
    let bytes = writer.take()
    if !bytes.isEmpty { try temporary.file.writeAll(bytes) }
  }

  /// Gives the pack its name, once it was read again.
  ///
  /// A pack of the same name, which has the same nodes, is replaced.
  ///
  /// - Returns: the pack, opened by its name.
  /// - Throws: `system`, or `corrupt` when something else came back than was written; nothing is
  ///   changed then.
  package mutating func finish() throws(PackError) -> Pack {
    let directory = writer.finish()
    do throws(SystemError) {
      try write()
      try temporary.file.sync()
      // So that what is read next comes from the medium.
      temporary.file.forgetCached()
    } catch {
      throw .system(error)
    }
    try seal.check(store.pack(directory.name, file: temporary.name, in: folder))
    do throws(SystemError) {
      try PackStore.writeIndex(index(directory), in: folder)
      _ = try temporary.commit(as: PackStore.fileName(directory.name), replacing: .always)
      try folder.sync()
    } catch {
      throw .system(error)
    }
    let pack = store.pack(
      directory.name, file: PackStore.fileName(directory.name), in: folder)
    guard try pack.directory() == directory else {
      throw .corrupt(offset: 0, reason: "another file has the name of the pack")
    }
    return pack
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
struct NodeSeal {
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
  /// - Throws: `corrupt` when it has others, or cannot be read; `system`.
  consuming func check(_ pack: Pack) throws(PackError) {
    try pack.checkBytes()
    var found = NodeSeal()
    try pack.forEachFrame { _, nodes throws(PackError) in
      for node in nodes { found.add(node) }
    }
    let count = found.count
    guard count == self.count, hash.finalize() == found.hash.finalize() else {
      throw .corrupt(offset: 0, reason: "other nodes came back than were written")
    }
  }
}
