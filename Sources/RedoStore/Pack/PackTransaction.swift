// One new pack of a store: frames go to a temporary file as they fill, and nothing of it can be seen
// before it is whole, has been read back, and gets its name.

package import RedoCrypto
package import RedoObject

/// A pack that is being written.
///
/// Dropping it removes what was written.
package struct PackTransaction: ~Copyable {
  private let store: PackStore
  private let folder: Directory
  private let kind: ObjectKind
  private let effort: PackWriter.Effort
  private var file: TemporaryFile
  private var writer: PackWriter
  private var ids: [ObjectID] = []

  /// What became of the pack.
  package enum Outcome: Equatable, Sendable {
    /// It has its name.
    case named(Digest)
    /// A pack of the same nodes is there, byte by byte or not; this one is still under its temporary
    /// name, and vanishes with the transaction.
    case taken(Digest)
    /// No node was left in it.
    case empty
  }

  /// A pack without objects.
  ///
  /// - Parameters:
  ///   - store: the store for the pack.
  ///   - kind: the kind of its objects.
  ///   - effort: how hard its columns are compressed.
  ///   - count: how many nodes are to come, if that is known.
  /// - Throws: `system` when its temporary cannot be made.
  package init(
    _ store: PackStore, _ kind: ObjectKind, _ effort: PackWriter.Effort,
    expecting count: Int = 0
  ) throws(StoreError) {
    self.store = store
    self.kind = kind
    self.effort = effort
    writer = PackWriter(kind, effort: effort)
    writer.expect(count)
    ids.reserveCapacity(count)
    do throws(SystemError) {
      let folder = try store.openFolder()
      file = try TemporaryFile(in: folder, prefix: PackStore.temporaryPrefix, mode: 0o444)
      self.folder = folder
    } catch {
      throw .system(error)
    }
  }

  /// The number of nodes.
  package var count: Int { ids.count }

  /// Adds a node, each once.
  ///
  /// - Parameter node: the node.
  /// - Throws: `system` when the file cannot be written.
  package mutating func add(_ node: PackEntry) throws(StoreError) {
    ids.append(node.object.id)
    writer.add(node)
    try flush()
  }

  /// Adds the nodes of a frame, each once, without encoding them again.
  ///
  /// - Parameters:
  ///   - frame: the frame, which has been decoded and gave these nodes.
  ///   - nodes: what is in it, in its order.
  /// - Throws: `system` when the file cannot be written.
  package mutating func add(_ frame: WholeFrame, _ nodes: [PackEntry]) throws(StoreError) {
    ids += nodes.map(\.object.id)
    writer.add(frame: frame.bytes, nodes)
    try flush()
  }

  private mutating func flush() throws(StoreError) {
    let bytes = writer.take()
    guard !bytes.isEmpty else { return }
    do throws(SystemError) { try file.file.writeAll(bytes.span) } catch { throw .system(error) }
  }

  /// Ends the pack, reads it back, and gives it its name.
  ///
  /// Each frame was decoded when it was made or came, and gave its nodes; here all bytes of the file are read
  /// and found to be these.
  ///
  /// - Parameter left: nodes that are left out: the pack is written anew without them.
  /// - Returns: what became of it.
  /// - Throws: `system`, or `unwritten` when what is read back differs; nothing of it can be seen then.
  package mutating func commit(
    leavingOut left: Set<ObjectID> = []
  ) throws(StoreError) -> Outcome {
    let directory = writer.finish()
    try flush()
    // The index is made while the bytes are read.
    let index = Ahead { [ids] in Self.index(ids, directory) }
    let reader = try readBack(directory)
    if !left.isEmpty, ids.contains(where: left.contains) {
      return try commitRest(reader, leavingOut: left)
    }
    guard directory.nodes > 0 else { return .empty }
    do throws(SystemError) {
      try store.sync(file.file)
      try store.write(index.value(), in: folder)
      let isNamed = try file.commit(as: PackStore.fileName(directory.name), replacing: .never)
      try store.sync(folder)
      store.counters?.countWrite(reader.fileBytes)
      return isNamed ? .named(directory.name) : .taken(directory.name)
    } catch {
      throw .system(error)
    }
  }

  private func readBack(_ directory: PackDirectory?) throws(StoreError) -> PackReader {
    let path = file.file.path
    do throws(PackError) {
      let copy: File
      do throws(SystemError) {
        copy = try folder.openFile(file.name, .read, .noFollow)
      } catch {
        throw .system(error)
      }
      let reader = try PackReader(.file(copy), of: [kind])
      guard directory == nil || reader.directory == directory,
        try reader.checkBytes() == writer.checksum
      else {
        throw .corrupt(offset: 0, reason: "other bytes are read than were written")
      }
      return reader
    } catch {
      if case .system(let error) = error { throw .system(error) }
      throw .unwritten(path: path, reason: error.description)
    }
  }

  private static func index(_ ids: [ObjectID], _ directory: PackDirectory) -> PackIndex {
    var builder = PackIndexBuilder()
    var start = 0
    for frame in directory.frames {
      builder.add(ids[start..<start + frame.nodes])
      start += frame.nodes
    }
    return builder.finish(name: directory.name)
  }

  /// Writes another pack with the nodes of this one that are not left out.
  private func commitRest(
    _ reader: borrowing PackReader, leavingOut left: Set<ObjectID>
  ) throws(StoreError) -> Outcome {
    var rest = try PackTransaction(store, kind, effort)
    var decoder = PlaceDecoder()
    try forEachFrame(reader) { (nodes) throws(StoreError) in
      for object in nodes where !left.contains(object.id) {
        guard let node = PackEntry(object, &decoder) else {
          preconditionFailure("BUG: a pack was given what has no place in a history")
        }
        try rest.add(node)
      }
    }
    return try rest.commit()
  }

  /// Visits the nodes of a pack that is finished, but did not get its name.
  ///
  /// - Parameter visit: receives the nodes of a frame.
  /// - Throws: `system`, `unwritten`, or what the closure throws.
  package func forEachFrame(
    _ visit: ([StoredObject]) throws(StoreError) -> Void
  ) throws(StoreError) {
    try forEachFrame(try readBack(nil), visit)
  }

  private func forEachFrame(
    _ reader: borrowing PackReader, _ visit: ([StoredObject]) throws(StoreError) -> Void
  ) throws(StoreError) {
    var inflater = FrameInflater()
    for frame in reader.directory.frames.indices {
      let nodes: [StoredObject]
      do throws(PackError) {
        nodes = try reader.nodes(ofFrame: frame, &inflater)
      } catch {
        throw .unwritten(path: file.file.path, reason: error.description)
      }
      try visit(nodes)
    }
  }
}
