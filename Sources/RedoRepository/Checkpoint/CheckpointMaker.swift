// Making checkpoints: the present history, signed and kept. While nobody else can change the refs, the last checkpoints
// are checked again: a history that does not continue them is not signed.

internal import RedoCrypto
package import RedoObject
internal import RedoStore

/// Makes checkpoints.
package struct CheckpointMaker: ~Copyable {
  private let opened: Repository
  private let identity: Identity
  /// Whether the store gets a new name, and with it a log of its own.
  private let beginsLog: Bool
  private let isDryRun: Bool
  /// The objects that the checkpoint states, once one was made.
  package private(set) var contents: HistoryContents?

  /// - Parameters:
  ///   - opened: the store.
  ///   - identity: who signs, with a key.
  ///   - beginsLog: whether the store gets a new name, and with it a log of its own.
  ///   - isDryRun: whether nothing is kept.
  package init(
    _ opened: Repository, _ identity: consuming Identity, beginsLog: Bool, isDryRun: Bool
  ) {
    self.opened = opened
    self.identity = identity
    self.beginsLog = beginsLog
    self.isDryRun = isDryRun
  }

  /// Whether an existing file may be replaced by a checkpoint.
  package static func isCheckpoint(_ bytes: [UInt8]) -> Bool {
    (try? SignedCheckpoint(decoding: bytes)) != nil
  }

  /// Makes a checkpoint of the present history, and remembers it.
  ///
  /// - Throws: `CheckpointMakingFault`; an error when others hold the lock; what reading and writing throw. Nothing is
  ///   changed then, except with `notRemembered`.
  package mutating func make(_ effects: Effects) throws -> SignedCheckpoint {
    let old = try opened.storeID()
    let file = try RememberedFile.find(opened, old, effects)
    if let file {
      try StatementFile.check(file.path, effects, isLike: Self.isCheckpoint)
    }
    if isDryRun {
      var snapshot = try opened.snapshot()
      try check(file, &snapshot, effects)
      let found = try HistoryContents(opened)
      contents = found
      return try sign(old, found, &snapshot, effects)
    }
    let refsOptions = try opened.refsOptions()
    let hold = try opened.holdObjects()
    defer { extendLifetime(hold) }
    // Slow work is done before others have to wait: under the hold nothing is taken out of the history, so a history
    // that continues a checkpoint keeps continuing it.
    var view = try opened.snapshot()
    let checked = try check(file, &view, effects)
    let measured = try view.statement().chain
    var found = try HistoryContents(opened)
    var failure: (any Error)?
    var made: SignedCheckpoint?
    let outcome = try opened.store.refs.commit(at: effects.clock(), refsOptions) {
      snapshot throws(RefsError) in
      do {
        let latest = try CheckpointShelf(opened).latestID(&snapshot)
        if latest != checked { try check(file, &snapshot, effects) }
        if try snapshot.statement().chain != measured { found = try HistoryContents(opened) }
        let signed = try sign(old, found, &snapshot, effects)
        try keep(signed, replacing: old)
        made = signed
        var transaction = RefTransaction(message: Self.message(signed))
        transaction.update(
          CheckpointShelf.latest, to: signed.id, expecting: latest ?? RefTransaction.zero)
        return transaction
      } catch {
        failure = error
        return nil
      }
    }
    if let failure { throw failure }
    guard let made, case .committed(let commit) = outcome else {
      preconditionFailure("BUG: refs have moved under their lock")
    }
    contents = found
    effects.report(commit.warnings)
    // A file in a directory is named after the store, which may have a new name by now.
    let last = beginsLog ? try renamed(file, old, made) : file
    if let last { try remember(made, last, refsOptions.sync, effects) }
    return made
  }

  private static func message(_ signed: SignedCheckpoint) -> String {
    let count = signed.checkpoint.size
    return "checkpoint: \(count) entr\(count == 1 ? "y" : "ies")"
  }

  /// Refuses a history that does not continue the last checkpoint and the remembered one.
  ///
  /// - Returns: the last checkpoint.
  @discardableResult
  private func check(
    _ file: RememberedFile?, _ snapshot: inout RefsSnapshot, _ effects: Effects
  ) throws -> ObjectID? {
    let shelf = CheckpointShelf(opened)
    let latest = try shelf.latestID(&snapshot)
    guard !beginsLog else { return latest }
    var known: [FoundCheckpoint] = []
    if let latest { known.append(try shelf.stored(latest)) }
    if let found = try file?.read(effects) { known.append(found) }
    guard !known.isEmpty else { return latest }
    var audit = try CheckpointAudit(opened, &snapshot, .anybody)
    for row in try audit.rows([], known, snapshot, effects) {
      guard case .broken(let flaw) = row.verdict else { continue }
      throw CheckpointMakingFault.diverged(row.found.name, flaw)
    }
    return latest
  }

  /// Signs the present history.
  private func sign(
    _ old: StoreID?, _ contents: HistoryContents, _ snapshot: inout RefsSnapshot, _ effects: Effects
  ) throws -> SignedCheckpoint {
    let shelf = CheckpointShelf(opened)
    var previous = try shelf.latestID(&snapshot)
    // A new log has nothing to do with one that can no longer be read.
    if beginsLog, let id = previous, try shelf.stored(id).signed == nil { previous = nil }
    let roots = try ReceivedTree(opened, snapshot).roots(at: [], effects)
    let refs = try snapshot.statement()
    let checkpoint = Checkpoint(
      store: beginsLog ? .random() : old ?? .random(), size: roots.count, root: roots.root,
      entry: refs.entry, chain: refs.chain, refCount: refs.count, refsDigest: refs.digest,
      previous: previous, time: try Self.time(effects.clock()), statements: contents.statements)
    return identity.sign(checkpoint)
  }

  private static func time(_ milliseconds: Int64) throws -> WallTime {
    guard let moment = Moment(milliseconds: milliseconds) else {
      throw CheckpointMakingFault.timeless
    }
    return WallTime(milliseconds: moment.milliseconds)
  }

  /// Writes what the ref is going to name, and the name of the store if it is new.
  private func keep(
    _ signed: SignedCheckpoint, replacing old: StoreID?
  ) throws {
    _ = try opened.objects.write([
      ObjectWrite(StoredObject(blob: signed.note.bytes), key: nil)
    ])
    let name = signed.checkpoint.store
    guard name != old else { return }
    let present = try opened.store.name(name, replacing: old)
    guard present == name else {
      throw CheckpointMakingFault.renamed
    }
  }

  /// The file for the present name.
  private func renamed(
    _ file: RememberedFile?, _ old: StoreID?, _ made: SignedCheckpoint
  ) throws -> RememberedFile? {
    guard let file, let old, file.path.hasSuffix("/\(old.text).checkpoint") else { return file }
    let directory = file.path.dropLast("\(old.text).checkpoint".count)
    return RememberedFile(path: "\(directory)\(made.checkpoint.store.text).checkpoint")
  }

  private func remember(
    _ signed: SignedCheckpoint, _ file: RememberedFile, _ sync: SyncPolicy,
    _ effects: Effects
  ) throws {
    do {
      try StatementFile.write(signed.note.bytes, file.path, sync, effects)
    } catch {
      throw CheckpointMakingFault.notRemembered(signed.id, error)
    }
  }
}

extension Identity {
  /// Signs a checkpoint with the private key, which must be there.
  fileprivate borrowing func sign(_ checkpoint: Checkpoint) -> SignedCheckpoint {
    switch key {
    case .some(let key): checkpoint.signed(with: key)
    case .none: preconditionFailure("BUG: a checkpoint is signed without a key")
    }
  }
}
