// A chain of points, read from the full one on: every byte of each, and whether what is in them comes to what the last one
// says of the store.

internal import RedoCrypto
internal import RedoObject
internal import RedoStore

/// What a chain of points comes to.
struct BackupReading: ~Copyable {
  /// What a point gives to whoever restores.
  enum Piece {
    /// A frame of a pack, as it is, and its objects, of a kind.
    case frame(ObjectKind, [UInt8], [StoredObject])
    /// A blob.
    case blob(StoredObject)
  }

  /// The logs up to the last point.
  private(set) var logs = RestoredLogs()
  private var present: Set<ObjectID> = []
  private var absent: Set<ObjectID> = []
  private var outside: [ObjectID: ObjectKind] = [:]
  private var last: (name: String, manifest: BackupManifest, digest: Digest)?
  private var names: Set<String> = []

  /// Nothing yet.
  init() {}

  /// What the last point says of itself.
  var manifest: BackupManifest? { last?.manifest }

  /// Reads the next point of the chain.
  ///
  /// - Parameters:
  ///   - name: its file.
  ///   - shelf: the directory.
  ///   - effects: says whether the work is cancelled.
  ///   - visit: receives what is in it.
  /// - Throws: `BackupFault` for what is wrong; what `visit` throws.
  mutating func add(
    _ name: String, of shelf: borrowing BackupShelf, _ effects: Effects,
    _ visit: (Piece) throws -> Void
  ) throws {
    let file = try BackupFile(name, in: shelf)
    let digest = try file.check(effects)
    if let needs = file.manifest.needs, needs.digest != last?.digest {
      throw BackupFault.replaced(path: file.path, other: joinPath(shelf.path, needs.name))
    }
    guard file.manifest.depth == (last?.manifest.depth).map({ $0 + 1 }) ?? 0 else {
      throw Self.damage(file, .depth)
    }
    try addObjects(of: file, effects, visit)
    guard
      let new = logs.append(
        reflog: try file.reflog(), received: try file.read(BackupForm.receivedName) ?? [])
    else { throw Self.damage(file, .logs) }
    guard logs.point == file.manifest.logs else { throw Self.damage(file, .logs) }
    let absent = try file.absent()
    outside = try file.outside()
    // What was missing may have come since; what has come must be there.
    for id in new where !present.contains(id) && !absent.contains(id) {
      throw Self.damage(file, .history)
    }
    for id in self.absent
    where !present.contains(id) && !absent.contains(id) && logs.history.contains(id) {
      throw Self.damage(file, .history)
    }
    guard outside.keys.allSatisfy({ present.contains($0) }) else {
      throw Self.damage(file, .objects)
    }
    self.absent = absent
    last = (name, file.manifest, digest)
    names.insert(name)
  }

  private static func damage(
    _ file: borrowing BackupFile, _ what: BackupFault.Content
  ) -> BackupFault {
    .damaged(path: file.path, .content(what))
  }

  private mutating func addObjects(
    of file: borrowing BackupFile, _ effects: Effects, _ visit: (Piece) throws -> Void
  ) throws {
    for (name, kind) in BackupForm.packs { try addPack(name, kind, of: file, effects, visit) }
    for part in file.manifest.parts where part.name.hasPrefix(BackupForm.blobPrefix) {
      try effects.checkInterrupt()
      let bytes = try file.read(part.name) ?? []
      let object = StoredObject(blob: bytes)
      guard part.name == BackupForm.blobPrefix + object.id.text.dropFirst(7) else {
        throw BackupFault.damaged(path: file.path, .member(part.name))
      }
      present.insert(object.id)
      try visit(.blob(object))
    }
  }

  private mutating func addPack(
    _ name: String, _ kind: ObjectKind, of file: borrowing BackupFile, _ effects: Effects,
    _ visit: (Piece) throws -> Void
  ) throws {
    var count = 0
    if let bytes = try file.read(name) {
      do {
        let pack = try PackReader(.memory(bytes), of: [kind])
        try pack.checkBytes()
        var inflater = FrameInflater()
        for index in pack.directory.frames.indices {
          try effects.checkInterrupt()
          let (frame, nodes) = try pack.bytes(ofFrame: index, &inflater)
          for node in nodes { present.insert(node.id) }
          count += nodes.count
          try visit(.frame(kind, frame, nodes))
        }
      } catch is PackError {
        throw BackupFault.damaged(path: file.path, .member(name))
      }
    }
    guard count == file.manifest.count(of: kind) else { throw Self.damage(file, .nodes) }
  }

  /// Compares all with what the last point says of the store.
  ///
  /// - Parameter shelf: the directory.
  /// - Returns: the files of the store.
  /// - Throws: `BackupFault` for what is not as it says.
  func finish(_ shelf: borrowing BackupShelf) throws -> [StoreFiles.Item] {
    guard let (name, manifest, _) = last else { preconditionFailure("BUG: no point was read") }
    let path = joinPath(shelf.path, name)
    func fault(_ what: BackupFault.Content) -> BackupFault { .damaged(path: path, .content(what)) }
    let history = logs.history.sorted()
    guard BackupManifest.IDSet(sorted: history) == manifest.history else { throw fault(.history) }
    let objects = logs.history.subtracting(absent).union(outside.keys).sorted()
    guard BackupManifest.IDSet(sorted: objects) == manifest.objects else { throw fault(.objects) }
    let refs = logs.statement
    guard manifest.refs == BackupManifest.IDSet(count: refs.count, digest: refs.digest) else {
      throw fault(.refs)
    }
    var items: [StoreFiles.Item] = []
    for (holder, files) in Dictionary(grouping: manifest.files, by: \.holder) {
      guard names.contains(holder) else { throw fault(.files) }
      let file = try BackupFile(holder, in: shelf)
      for stored in files {
        guard let bytes = try file.read(BackupForm.filePrefix + stored.path),
          bytes.count == stored.size, SHA256.digest(of: bytes.span) == stored.digest
        else { throw fault(.files) }
        items.append(
          StoreFiles.Item(
            path: stored.path, bytes: bytes, isProgram: stored.isProgram,
            isPrivate: stored.isPrivate))
      }
    }
    guard StoreFiles.storeID(items) == manifest.store else { throw fault(.store) }
    return items.sorted { $0.path < $1.path }
  }
}
