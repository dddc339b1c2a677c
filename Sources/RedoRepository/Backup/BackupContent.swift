// What goes into a point: what the store has and the points before do not. Nothing is written before all of it has been
// read; packs are kept in memory, so that nothing of them is ever in a temporary file of its own.

internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// The store at one moment.
struct BackupMoment: ~Copyable {
  /// Its logs, since the last point where they go on from there.
  var logs: RefsCapture
  /// The ids of all objects, in ascending order.
  let ids: [ObjectID]
  /// Its files.
  let files: StoreFiles

  /// Looks at a store; the caller holds its objects.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - last: the point from which on logs are wanted; `nil` for all of them.
  ///   - isSealed: whether it will be encrypted.
  /// - Throws: the error when refs, objects or files cannot be listed or read.
  init(_ opened: Repository, since last: BackupManifest?, isSealed: Bool) throws {
    let logs = try opened.store.refs.capture(since: last?.logs)
    // After the logs, so that it has every object that they name.
    let ids = try opened.objects.list(prefix: "")
    self.init(logs, ids, try StoreFiles(of: opened.store, isSealed: isSealed))
  }

  private init(_ logs: consuming RefsCapture, _ ids: [ObjectID], _ files: StoreFiles) {
    self.logs = logs
    self.ids = ids
    self.files = files
  }

  /// Whether a point says the same of the store.
  func isSame(as last: BackupManifest) -> Bool {
    logs.isContinued && logs.point == last.logs
      && BackupManifest.IDSet(sorted: ids) == last.objects && hasSameFiles(as: last)
  }

  func hasSameFiles(as last: BackupManifest) -> Bool {
    files.isPrivate == last.isPrivate && files.items.count == last.files.count
      && zip(files.items, last.files).allSatisfy { item, file in
        item.path == file.path && item.isPrivate == file.isPrivate
          && item.isProgram == file.isProgram && item.bytes.count == file.size
          && SHA256.digest(of: item.bytes.span) == file.digest
      }
  }
}

/// The files of a point that is to be written.
struct BackupContent {
  /// Where the bytes of a file come from.
  enum Source {
    /// From memory.
    case bytes([UInt8])
    /// From the store.
    case blob(ObjectID)
  }

  /// What the point will say of itself.
  private(set) var manifest: BackupManifest
  /// For each file of the manifest where its bytes are.
  private(set) var sources: [Source] = []
  /// Whether there is anything that the points before do not have.
  private(set) var isNews = false

  /// The point before, if it is built on.
  struct Base {
    let manifest: BackupManifest
    /// SHA-256 of its file.
    let digest: Digest
    /// The objects outside of the history that it and those before it have.
    let outside: [ObjectID: ObjectKind]
    /// The nodes of the history that none of them has.
    let absent: Set<ObjectID>
  }

  /// Collects what goes into a point.
  ///
  /// - Parameters:
  ///   - moment: the store.
  ///   - base: the point before; `nil` for a full one.
  ///   - time: when it is made, in milliseconds since 1970.
  ///   - taken: which receipts may go into it.
  ///   - opened: the store.
  ///   - effects: says whether the work is cancelled.
  /// - Throws: `BackupFault.precise` or `received`; `LocalFault` where it cannot be known what others have shared; when something other than single objects cannot be read.
  init(
    _ moment: inout BackupMoment, on base: Base?, at time: Int64, taking taken: Taken,
    _ opened: Repository, _ effects: Effects
  ) throws {
    let point = moment.logs.point
    let history = try opened.store.received.load(to: point.receivedBytes)
    var present: Set<ObjectID> = []
    if let base {
      present = try opened.store.received.load(to: base.manifest.logs.receivedBytes)
      present.subtract(base.absent)
      present.formUnion(base.outside.keys)
    }
    let new = try NewObjects(
      moment.ids.filter { !present.contains($0) }, opened.objects, effects)
    guard new.preciseCount == 0 || taken.precise else {
      throw BackupFault.precise(new.preciseCount)
    }
    if !taken.received {
      let shared = try opened.sharedByOthers()
      let count = new.order(of: .receipt).count { shared.contains($0) }
      guard count == 0 else { throw BackupFault.received(count) }
    }
    let orders = BackupForm.packs.map {
      (name: $0.name, kind: $0.kind, ids: new.order(of: $0.kind))
    }
    var kinds: [ObjectID: ObjectKind] = [:]
    for (_, kind, ids) in orders {
      present.formUnion(ids)
      if kind != .node { for id in ids { kinds[id] = kind } }
    }
    present.formUnion(new.blobs.map(\.id))
    for blob in new.blobs { kinds[blob.id] = .blob }
    // What has left the store since is not part of this point.
    var outside: [(id: ObjectID, kind: ObjectKind)] = []
    for id in moment.ids where present.contains(id) && !history.contains(id) {
      outside.append((id, base?.outside[id] ?? kinds[id] ?? .node))
    }
    let absent = history.filter { !present.contains($0) }.sorted()
    let objects = history.subtracting(absent).union(outside.map(\.id)).sorted()
    let statement = try moment.logs.statement()
    manifest = BackupManifest(
      kind: base == nil ? .full : .increment, time: time, store: try opened.storeID(),
      depth: (base?.manifest.depth ?? -1) + 1, nodes: orders[0].ids.count,
      history: BackupManifest.IDSet(sorted: history.sorted()),
      objects: BackupManifest.IDSet(sorted: objects), logs: point,
      refs: BackupManifest.IDSet(count: statement.count, digest: statement.digest))
    manifest.receipts = orders[1].ids.count
    manifest.schemas = orders[2].ids.count
    manifest.needs = base.map {
      BackupManifest.Part(name: $0.manifest.fileName, digest: $0.digest, size: 0)
    }
    manifest.isPrivate = moment.files.isPrivate
    manifest.left = moment.files.left
    let unreadable = absent.count + new.unreadable.count { !history.contains($0) }
    if unreadable > 0 { manifest.left[.unreadable] = unreadable }
    isNews =
      base == nil || orders.contains { !$0.ids.isEmpty } || !new.blobs.isEmpty
      || point != base?.manifest.logs
      || manifest.objects != base?.manifest.objects
      || base.map { !moment.hasSameFiles(as: $0.manifest) } ?? true
    guard isNews else { return }
    for (name, kind, ids) in orders where !ids.isEmpty {
      var pack: [UInt8] = []
      _ = try ArchiveMaking.pack(ids, of: kind, opened.objects, effects) { bytes throws in
        try effects.checkInterrupt()
        pack += bytes
      }
      try add(name, pack)
    }
    for blob in new.blobs {
      manifest.parts.append(
        BackupManifest.Part(
          name: BackupForm.blobPrefix + blob.id.text.dropFirst(7), digest: blob.id.digest,
          size: blob.size))
      sources.append(.blob(blob.id))
    }
    if !moment.logs.reflog.isEmpty {
      var gzip = GzipWriter()
      let bytes = gzip.add(moment.logs.reflog)
      try add(BackupForm.reflogName, bytes + gzip.finish())
    }
    if !moment.logs.received.isEmpty { try add(BackupForm.receivedName, moment.logs.received) }
    if !outside.isEmpty {
      var lines: [UInt8] = []
      for (id, kind) in outside { lines += "\(kind.name) \(id.text)\n".utf8 }
      try add(BackupForm.outsideName, lines)
    }
    if !absent.isEmpty {
      try add(BackupForm.absentName, absent.flatMap { Array("\($0.text)\n".utf8) })
    }
    try addFiles(moment.files, base?.manifest)
  }

  private mutating func add(_ name: String, _ bytes: [UInt8]) throws {
    guard TarHeader.block(name, size: bytes.count, seconds: 0) != nil else {
      throw BackupFault.longName(name)
    }
    manifest.parts.append(
      BackupManifest.Part(
        name: name, digest: SHA256.digest(of: bytes.span), size: bytes.count))
    sources.append(.bytes(bytes))
  }

  /// Adds the files that have changed, and says where the others are.
  private mutating func addFiles(_ files: StoreFiles, _ base: BackupManifest?) throws {
    let known = Dictionary((base?.files ?? []).map { ($0.path, $0) }) { first, _ in first }
    for item in files.items {
      let digest = SHA256.digest(of: item.bytes.span)
      var holder = manifest.fileName
      if let old = known[item.path], old.digest == digest, old.size == item.bytes.count {
        holder = old.holder
      } else {
        try add(BackupForm.filePrefix + item.path, item.bytes)
      }
      manifest.files.append(
        BackupManifest.StoredFile(
          path: item.path, digest: digest, size: item.bytes.count, isPrivate: item.isPrivate,
          isProgram: item.isProgram, holder: holder))
    }
  }

  /// Which receipts may go into a point: all, where only their owner can read it.
  struct Taken {
    /// Those that tell a precise place.
    let precise: Bool
    /// Those that others have shared.
    let received: Bool
  }

  /// Objects that no point has yet.
  private struct NewObjects {
    private var sets: [ObjectKind: PackSet] = [:]
    private(set) var blobs: [(id: ObjectID, size: Int)] = []
    private(set) var unreadable: [ObjectID] = []
    /// How many receipts tell a precise place.
    private(set) var preciseCount = 0

    private struct Found: Sendable {
      let kind: ObjectKind
      let size: Int
      var place: HistoryPlace?
      var isPrecise = false
    }

    /// The objects of a kind in the order of an archive.
    func order(of kind: ObjectKind) -> [ObjectID] {
      guard let set = sets[kind] else { return [] }
      return set.order { _ in true }.map { set.id($0) }
    }

    init(_ ids: [ObjectID], _ store: ObjectStore, _ effects: Effects) throws {
      var index = 0
      try HistoryWalk.forEachResult(ids, store, of: nil) { object, reader throws -> Found in
        var found = Found(kind: object.kind, size: object.canonical.count)
        guard object.kind.packNumber != nil else { return found }
        guard object.canonical.count <= PackFormat.nodeLimit else {
          throw ArchiveMakingFault.tooLarge(object.id)
        }
        guard let place = reader.places.place(of: object) else {
          throw HistoryFault.invalid(object)
        }
        found.place = place
        found.isPrecise =
          object.kind == .receipt
          && reader.places.receipts.findings.contains { $0.rule == .receiptPrecise }
        return found
      } _: { result throws in
        try effects.checkInterrupt()
        let id = ids[index]
        index += 1
        switch result {
        case .success(let found):
          if found.isPrecise { preciseCount += 1 }
          if let place = found.place {
            sets[found.kind, default: PackSet()].add(id, place)
          } else {
            blobs.append((id, found.size))
          }
        case .failure: unreadable.append(id)
        }
      }
    }
  }
}
