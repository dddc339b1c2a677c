// Makes a store of a point: packs become one pack, the logs are put together, and the refs are made from them once. The
// store gets its name when all of it has been compared with what the point says.

internal import RedoCrypto
internal import RedoObject
internal import RedoStore

/// Restores backups.
package enum BackupRestoring {
  /// What is restored, and where to.
  package struct Request: Sendable {
    /// The directory of backups.
    package var path: String
    /// The latest time, in milliseconds since 1970; `nil` for the newest point.
    package var limit: Int64?
    /// The directory in which the store is made.
    package var target: String
    /// What opens encrypted points.
    package var keys: SealKeys

    /// A request of all its members.
    package init(path: String, limit: Int64?, target: String, keys: SealKeys = SealKeys()) {
      self.keys = keys
      self.path = path
      self.limit = limit
      self.target = target
    }
  }

  /// What was restored.
  package struct Outcome: Sendable {
    /// The point.
    package let point: BackupShelf.Point
    /// How many files were read.
    package let files: Int
    /// Whether the store has settings or hooks that count only once the user accepts it.
    package let isStranger: Bool
  }

  /// Restores a point.
  ///
  /// - Parameters:
  ///   - request: which, and where to.
  ///   - effects: says where relative paths begin.
  ///   - tell: receives what cannot be read, though the point does not need it.
  /// - Returns: what was restored.
  /// - Throws: `BackupFault`, `RecoverFault`, `StoreError`; there is no store then.
  package static func run(
    _ request: Request, _ effects: Effects, tell: (any Error) throws -> Void
  ) throws -> Outcome {
    let target = RecoverStore(path: request.target)
    try target.check(effects)
    let shelf = try BackupShelf(request.path, .reading, request.keys, effects)
    let points = try shelf.points(tell: tell)
    guard let newest = points.last else { throw BackupFault.empty(path: request.path) }
    var point = newest
    if let limit = request.limit {
      guard let found = points.last(where: { $0.manifest.time <= limit }) else {
        throw BackupFault.noneBefore(path: request.path, limit)
      }
      point = found
    }
    let chain = try shelf.chain(to: point, in: points)
    var isStranger = false
    try target.make(effects) { path throws in
      let opened = try fill(path, chain, isPrivate: point.manifest.isPrivate, shelf, effects)
      isStranger = !opened.isAccepted
      return (opened.sync, opened.isAccepted)
    }
    return Outcome(point: point, files: chain.count, isStranger: isStranger)
  }

  private static func fill(
    _ path: String, _ chain: [String], isPrivate: Bool, _ shelf: borrowing BackupShelf,
    _ effects: Effects
  ) throws -> (sync: SyncPolicy, isAccepted: Bool) {
    let opened = try effects.makeRepository(path)
    if isPrivate { try FileFault.naming(path) { try StoreFiles.makePrivate(opened.store) } }
    let options = try opened.refsOptions()
    // It is remembered under its final name.
    _ = try? opened.store.forget()
    var nodes = try PackTransaction(opened.objects.packs, .node, .quick)
    var receipts = try PackTransaction(opened.objects.packs, .receipt, .quick)
    var schemas = try PackTransaction(opened.objects.packs, .schema, .quick)
    var taken: Set<ObjectID> = []
    var decoder = PlaceDecoder()
    let wanted = try wanted(chain, shelf)
    var reading = BackupReading()
    for name in chain {
      try reading.add(name, of: shelf, effects) { piece throws in
        switch piece {
        case .blob(let object):
          guard wanted.contains(object.id) else { return }
          _ = try opened.objects.write([ObjectWrite(object, key: nil)])
        case .frame(let kind, let bytes, let objects):
          var packed: [PackEntry] = []
          for object in objects where wanted.contains(object.id) && taken.insert(object.id).inserted
          {
            guard let entry = PackEntry(object, &decoder) else {
              throw BackupFault.damaged(
                path: joinPath(shelf.path, name), .content(.nodes))
            }
            packed.append(entry)
          }
          let frame = packed.count == objects.count ? WholeFrame(bytes, of: objects) : nil
          switch kind {
          case .receipt: try receipts.add(packed, as: frame)
          case .schema: try schemas.add(packed, as: frame)
          case .node, .blob: try nodes.add(packed, as: frame)
          }
        }
      }
    }
    let files = try reading.finish(shelf)
    if nodes.count > 0 { _ = try nodes.commit() }
    if receipts.count > 0 { _ = try receipts.commit() }
    if schemas.count > 0 { _ = try schemas.commit() }
    let objects = BackupManifest.IDSet(sorted: try opened.objects.list(prefix: ""))
    guard objects == reading.manifest?.objects else { throw BackupFault.unwritten(path: path) }
    try reading.logs.write(to: opened.store, options)
    for file in files {
      try FileFault.naming(joinPath(path, file.path)) {
        try StoreFiles.write(file, to: opened.store, options.sync)
      }
    }
    let acting = try StoreDirectory.open(path, effects.surroundings.allConfigSources).actingParts()
    return (options.sync, acting.settings.isEmpty && acting.hooks.isEmpty)
  }

  /// The objects that a chain comes to; in its files are also those that have left the store since.
  private static func wanted(
    _ chain: [String], _ shelf: borrowing BackupShelf
  ) throws -> Set<ObjectID> {
    var logs = RestoredLogs()
    var outside: [ObjectID: ObjectKind] = [:]
    for name in chain {
      let file = try BackupFile(name, in: shelf)
      let received = try file.read(BackupForm.receivedName) ?? []
      guard logs.append(reflog: try file.reflog(), received: received) != nil else {
        throw BackupFault.damaged(path: file.path, .content(.logs))
      }
      outside = try file.outside()
    }
    return logs.history.union(outside.keys)
  }
}

extension PackTransaction {
  /// Adds objects, as the frame that they came in if there is one.
  fileprivate mutating func add(
    _ packed: [PackEntry], as frame: WholeFrame?
  ) throws(StoreError) {
    if let frame { return try add(frame, packed) }
    for entry in packed { try add(entry) }
  }
}
