// redo checkpoint create: what the history is now, signed, kept and printed. While nobody else can
// change the refs, the last checkpoints are looked at again: what does not continue them is not signed.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo checkpoint create [-n] [--new-log] [-o <file>]`.
enum CheckpointCreate: Command {
  static let name = "create"
  static let summary = "sign what the history is now, keep and print it"
  static var usage: [String] {
    ["redo-checkpoint create [-n] [--new-log] [-o <file>] [--passphrase-fd=<n>]"]
  }
  private static let newLog = OptionSpec(
    "new-log", help: "begin a new log, which need not continue the last checkpoint")
  static var options: [OptionSpec] {
    [.dryRun, newLog, .statementFile, PassphraseSource.descriptorOption]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else {
      throw CommandError.usage(
        "a checkpoint is of the whole history: '\(options.arguments[0])' is too much")
    }
    let target = options.value(.statementFile)
    if let target { try StatementFile.check(target, context.effects, isLike: isCheckpoint) }
    let opened = try context.effects.openRepository()
    let passphrase = try PassphraseSource(options)
    let identity = try Identity.load(
      opened, context.effects, needsKey: true, passphrase: passphrase, makesDevice: false)
    var maker = CheckpointMaker(
      opened, identity, beginsLog: options.has(newLog), isDryRun: options.has(.dryRun))
    if !options.has(.dryRun) { context.holdSignals() }
    let signed = try maker.make(&context)
    if let refusal = try CheckpointTrust(opened, pinned: nil, context.effects).refusal(of: signed) {
      context.warning("the checkpoint does not count here: \(refusal.detail)")
    }
    if let target {
      try StatementFile.write(
        signed.note.bytes, target, try opened.refsOptions().sync, context.effects)
      try context.output.writeLine(target)
    } else {
      try context.output.write(signed.note.bytes)
    }
    return .ok
  }

  /// Whether a file that stands there may be replaced by a checkpoint.
  static func isCheckpoint(_ bytes: [UInt8]) -> Bool {
    (try? SignedCheckpoint(decoding: bytes)) != nil
  }
}

/// Makes checkpoints.
struct CheckpointMaker: ~Copyable {
  private let opened: Repository
  private let identity: Identity
  /// Whether the store gets another name, and with it a log of its own.
  private let beginsLog: Bool
  private let isDryRun: Bool

  init(
    _ opened: Repository, _ identity: consuming Identity, beginsLog: Bool, isDryRun: Bool
  ) {
    self.opened = opened
    self.identity = identity
    self.beginsLog = beginsLog
    self.isDryRun = isDryRun
  }

  /// Makes a checkpoint of what the history is now, and remembers it.
  ///
  /// - Throws: `refused` when the history does not continue the last one; `temporary` when others
  ///   hold the lock; `fatal` for anything else. Nothing is changed then, unless the message says
  ///   that only the file could not be written.
  mutating func make(_ context: inout Context) throws -> SignedCheckpoint {
    let old = try opened.storeID()
    let file = try RememberedFile.find(opened, old, context.effects)
    if let file {
      try StatementFile.check(file.path, context.effects, isLike: CheckpointCreate.isCheckpoint)
    }
    if isDryRun {
      var snapshot = try opened.snapshot()
      try check(file, &snapshot, context)
      return try sign(old, &snapshot, context)
    }
    let refsOptions = try opened.refsOptions()
    let hold = try opened.holdObjects()
    defer { extendLifetime(hold) }
    // What is long is done before others have to wait: under the hold nothing is taken out of the
    // history any more, so that what continues a checkpoint goes on doing so.
    var view = try opened.snapshot()
    let checked = try check(file, &view, context)
    var failure: CommandError?
    var made: SignedCheckpoint?
    let outcome = try opened.store.refs.commit(at: context.clock(), refsOptions) {
      snapshot throws(RefsError) in
      do {
        let latest = try CheckpointShelf(opened).latestID(&snapshot)
        if latest != checked { try check(file, &snapshot, context) }
        let signed = try sign(old, &snapshot, context)
        try keep(signed, replacing: old)
        made = signed
        var transaction = RefTransaction(message: Self.message(signed))
        transaction.update(
          CheckpointShelf.latest, to: signed.id, expecting: latest ?? RefTransaction.zero)
        return transaction
      } catch {
        let error = CommandError(error)
        failure = error
        return nil
      }
    }
    if let failure { throw failure }
    guard let made, case .committed(let commit) = outcome else {
      preconditionFailure("BUG: refs have moved under their lock")
    }
    for warning in commit.warnings { context.warning(warning.description) }
    // A file in a directory has the name of the store, which may be another by now.
    let last = beginsLog ? try renamed(file, old, made) : file
    if let last { try remember(made, last, refsOptions.sync, context) }
    return made
  }

  private static func message(_ signed: SignedCheckpoint) -> String {
    let count = signed.checkpoint.size
    return "checkpoint: \(count) entr\(count == 1 ? "y" : "ies")"
  }

  /// Refuses what does not continue the last checkpoint, and the one that is remembered.
  ///
  /// - Returns: the last checkpoint.
  @discardableResult
  private func check(
    _ file: RememberedFile?, _ snapshot: inout RefsSnapshot, _ context: borrowing Context
  ) throws -> ObjectID? {
    let shelf = CheckpointShelf(opened)
    let latest = try shelf.latestID(&snapshot)
    guard !beginsLog else { return latest }
    var known: [FoundCheckpoint] = []
    if let latest { known.append(try shelf.stored(latest)) }
    if let found = try file?.read(context.effects) { known.append(found) }
    guard !known.isEmpty else { return latest }
    var audit = try CheckpointAudit(opened, &snapshot, .anybody)
    for row in try audit.rows([], known, snapshot, context.effects) {
      guard case .broken(_, let detail) = row.verdict else { continue }
      throw CommandError(
        .refused, "the history does not continue checkpoint '\(row.found.name)': \(detail)",
        hints: [
          "'redo checkpoint verify' shows all checkpoints",
          "'--new-log' begins a new log, after a wipe or with an older copy that is wanted",
        ])
    }
    return latest
  }

  /// Signs what there is.
  private func sign(
    _ old: StoreID?, _ snapshot: inout RefsSnapshot, _ context: borrowing Context
  ) throws -> SignedCheckpoint {
    let shelf = CheckpointShelf(opened)
    var previous = try shelf.latestID(&snapshot)
    // A new log has nothing to do with one that cannot be read any more.
    if beginsLog, let id = previous, try shelf.stored(id).signed == nil { previous = nil }
    let roots = try ReceivedTree(opened, snapshot).roots(at: [], context.effects)
    let refs = try snapshot.statement()
    let checkpoint = Checkpoint(
      store: beginsLog ? .random() : old ?? .random(), size: roots.count, root: roots.root,
      entry: refs.entry, chain: refs.chain, refCount: refs.count, refsDigest: refs.digest,
      previous: previous, time: try Self.time(context.clock()))
    return identity.sign(checkpoint)
  }

  private static func time(_ milliseconds: Int64) throws -> WallTime {
    guard let moment = Moment(milliseconds: milliseconds) else {
      throw CommandError.fatal("the clock shows no time between the years 1 and 9999")
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
    let present = try ConfigFile.store(opened.store.path).name(name, replacing: old)
    guard present == name else {
      throw CommandError(
        .temporary, "the store has just got another name", hints: ["the same again goes on"])
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
    _ context: borrowing Context
  ) throws {
    do {
      try StatementFile.write(signed.note.bytes, file.path, sync, context.effects)
    } catch {
      let error = CommandError(error)
      throw CommandError.fatal(
        "checkpoint '\(signed.id.text)' is made, but not remembered: \(error.message)",
        hints: ["'checkpoint.file' names the file; the next one that is made is written there"])
    }
  }
}

extension Identity {
  /// Signs a checkpoint with the private key, which must be there.
  borrowing func sign(_ checkpoint: Checkpoint) -> SignedCheckpoint {
    switch key {
    case .some(let key): checkpoint.signed(with: key)
    case .none: preconditionFailure("BUG: a checkpoint is signed without a key")
    }
  }
}
