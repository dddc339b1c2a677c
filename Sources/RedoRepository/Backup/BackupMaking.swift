// Backs a store up into a directory: the first time all of it, then what is new, a file for each point.

internal import RedoCrypto
internal import RedoObject
package import RedoStore

/// Makes points of a backup.
package enum BackupMaking {
  /// When a point is a full one although there is one to build on.
  package enum FullAfter: Equatable, Sendable {
    /// Never.
    case never
    /// After this many increments.
    case increments(Int)
    /// When the full one is older than this many milliseconds.
    case age(Int64)
  }

  /// What is made, and how.
  package struct Request: Sendable {
    /// The directory.
    package var path: String
    /// When a full one is made.
    package var fullAfter = FullAfter.increments(30)
    /// Whether a full one is made now.
    package var isFull = false
    /// Whether nothing is written.
    package var isDryRun = false
    /// Whether the whole chain is read afterwards.
    package var verifies = false
    /// Which points are kept; `nil` for all.
    package var plan: RetentionPlan?
    /// The recipients that the point is encrypted for, as `SealRecipients.keys` reads them; nothing is encrypted if there
    /// are none.
    package var recipients: [String] = []
    /// What opens the points that are there.
    package var keys = SealKeys()
    /// Whether receipts that tell a precise place may go into a point that is not encrypted.
    package var includesPrecise = false
    /// Whether receipts that others have shared may.
    package var includesReceived = false

    /// What may go into a point.
    fileprivate func taken(isSealed: Bool) -> BackupContent.Taken {
      BackupContent.Taken(
        precise: isSealed || includesPrecise, received: isSealed || includesReceived)
    }

    /// A request with usual settings.
    package init(_ path: String) { self.path = path }
  }

  /// Something that a user should know.
  package enum Note {
    /// The newest point cannot be built on, so that a full one is made.
    case unusable(any Error)
    /// The clock is behind the newest point, which was made at this time, in milliseconds since 1970.
    case clockBehind(Int64)
    /// This many files or objects are left out.
    case left(StoredPath.LeftKind, Int)
    /// No point is removed, because something is wrong.
    case unpruned
    /// A file of the store is left out, because it is a link or the like.
    case irregular(path: String)
    /// All points were read, and what they come to is what the store has.
    case verified(BackupManifest)
  }

  /// What became of it.
  package struct Outcome: Sendable {
    /// The point that was made, or would be; `nil` when nothing is new.
    package var made: BackupShelf.Point?
    /// What became of all points, if there is a plan.
    package var pruned: [PrunedPoint] = []
    /// Whether everything is in the backup, and could be read.
    package var isWhole = true
  }

  /// Makes a point.
  ///
  /// - Parameters:
  ///   - request: where and how.
  ///   - opened: the store.
  ///   - effects: the time, and where files are.
  ///   - tell: receives what a user should know.
  /// - Returns: what became of it.
  /// - Throws: `BackupFault`, `FileFault`, `StoreError`, `RefsError`; the points that were there are untouched then.
  package static func run(
    _ request: Request, _ opened: Repository, _ effects: Effects, tell: (Note) throws -> Void
  ) throws -> Outcome {
    var outcome = Outcome()
    let seal = try ArchiveSeal(
      recipients: request.recipients, passphrase: SealPassphrase(), opened, effects)
    let isSealed = seal.lock != nil
    guard try seal.isOpened(by: request.keys, effects) else {
      throw BackupFault.blind(path: request.path)
    }
    let resolved = effects.resolve(request.path)
    let there = try FileFault.naming(request.path) { try FileStatus.at(resolved) }
    if request.isDryRun, there == nil {
      let hold = try opened.holdObjects()
      defer { extendLifetime(hold) }
      var moment = try BackupMoment(opened, since: nil, isSealed: isSealed)
      let content = try BackupContent(
        &moment, on: nil, at: effects.clock(),
        taking: request.taken(isSealed: isSealed), opened, effects)
      try note(content.manifest.left, moment.files, opened, &outcome, tell)
      outcome.made = BackupShelf.Point(content.manifest, isSealed: isSealed)
      return outcome
    }
    let shelf = try BackupShelf(
      request.path,
      request.isDryRun
        ? .reading : .writing(makes: true, try opened.refsOptions().lockTimeoutMilliseconds),
      request.keys, effects)
    func unusable(_ error: any Error) throws {
      outcome.isWhole = false
      try tell(.unusable(error))
    }
    func usable<Value>(_ work: () throws -> Value?) throws -> Value? {
      do { return try work() } catch let error where BackupCheck.isOfPoint(error) {
        try unusable(error)
        return nil
      }
    }
    let names = try shelf.names()
    var last: BackupManifest?
    var isLastSealed = false
    for name in names.reversed() where last == nil {
      do {
        let file = try BackupFile(name, in: shelf)
        (last, isLastSealed) = (file.manifest, file.isSealed)
      } catch let error as SealFault where error.isLocked {
        // With the key that is away it may be what is built on.
        throw isSealed ? error : BackupFault.unsealed(path: request.path)
      } catch {
        if name == names.last { try unusable(error) }
      }
    }
    guard isSealed || !isLastSealed else { throw BackupFault.unsealed(path: request.path) }
    if let last, last.store != (try opened.storeID()) {
      throw BackupFault.otherStore(path: request.path, found: last.store?.text ?? "")
    }
    // The point before one that cannot be read says whose directory it is, and nothing else.
    if last?.fileName != names.last { last = nil }
    // What is encrypted builds on nothing that anybody can read.
    let builds = !request.isFull && isLastSealed == isSealed
    let reading =
      builds ? last.map { Self.chain(to: $0, request.path, request.keys, effects) } : nil
    // Nothing is removed from the store meanwhile.
    let hold = try opened.holdObjects()
    defer { extendLifetime(hold) }
    var moment = try BackupMoment(opened, since: last, isSealed: isSealed)
    var content: BackupContent?
    let chain = try usable { try reading?.value().get() }
    if let last, chain != nil, moment.isSame(as: last) {
      var left = moment.files.left
      left[.unreadable] = last.left[.unreadable]
      try note(left, moment.files, opened, &outcome, tell)
    } else {
      let time = try time(after: names.last, in: shelf, effects, tell)
      let base = try usable {
        try self.base(last, chain, moment, request.fullAfter, time, shelf)
      }
      if base == nil, last != nil {
        moment = try BackupMoment(opened, since: nil, isSealed: isSealed)
      }
      let made = try BackupContent(
        &moment, on: base, at: time, taking: request.taken(isSealed: isSealed), opened, effects)
      try note(made.manifest.left, moment.files, opened, &outcome, tell)
      content = made.isNews ? made : nil
    }
    if let content {
      outcome.made =
        request.isDryRun
        ? BackupShelf.Point(content.manifest, isSealed: isSealed)
        : try BackupWriting.write(content, to: shelf, seal, opened, effects)
    }
    guard !request.isDryRun else { return outcome }
    if request.verifies {
      try tell(.verified(try BackupCheck.verifyNewest(shelf, effects)))
    }
    guard let plan = request.plan else { return outcome }
    if outcome.isWhole {
      outcome.pruned = try BackupPruning.run(plan, in: shelf, isDryRun: false, effects) {
        error throws in try unusable(error)
      }
    } else {
      // What is new may be less than what would go.
      try tell(.unpruned)
    }
    return outcome
  }

  /// Reads the chain of a point while the store is looked at.
  private static func chain(
    to last: BackupManifest, _ path: String, _ keys: SealKeys, _ effects: Effects
  ) -> Ahead<Result<BackupChain, any Error>> {
    Ahead {
      Result {
        try BackupChain(to: last, in: try BackupShelf(path, .reading, keys, effects), effects)
      }
    }
  }

  private static func note(
    _ left: [StoredPath.LeftKind: Int], _ files: StoreFiles, _ opened: Repository,
    _ outcome: inout Outcome, _ tell: (Note) throws -> Void
  ) throws {
    for path in files.irregular {
      try tell(.irregular(path: joinPath(opened.store.directory.path, path)))
      outcome.isWhole = false
    }
    for (kind, count) in left.sorted(by: { $0.key < $1.key }) where count > 0 {
      try tell(.left(kind, count))
      if kind == .unreadable { outcome.isWhole = false }
    }
  }

  /// The time of the new point: later than all others, whatever the clock says.
  private static func time(
    after newest: String?, in shelf: borrowing BackupShelf, _ effects: Effects,
    _ tell: (Note) throws -> Void
  ) throws -> Int64 {
    let now = effects.clock()
    guard let newest, let last = BackupManifest.time(ofName: newest), last >= now else {
      return now
    }
    guard last < WallTime.latest.milliseconds else {
      throw BackupFault.latest(path: joinPath(shelf.path, newest))
    }
    try tell(.clockBehind(last))
    return last + 1
  }

  /// The point to build on; `nil` when everything is to be written.
  private static func base(
    _ last: BackupManifest?, _ chain: BackupChain?, _ moment: borrowing BackupMoment,
    _ fullAfter: FullAfter, _ now: Int64, _ shelf: borrowing BackupShelf
  ) throws -> BackupContent.Base? {
    guard let last, let chain, moment.logs.isContinued else { return nil }
    // Another signature of some node counts now, and nothing tells of which.
    let mark = "objects/info/signatures"
    guard
      moment.files.items.first(where: { $0.path == mark }).map({
        SHA256.digest(of: $0.bytes.span)
      }) == last.files.first(where: { $0.path == mark })?.digest
    else { return nil }
    switch fullAfter {
    case .never: break
    case .increments(let count): if last.depth >= count { return nil }
    case .age(let limit): if now - chain.first.time >= limit { return nil }
    }
    let file = try BackupFile(last.fileName, in: shelf)
    return BackupContent.Base(
      manifest: last, digest: chain.digest, outside: try file.outside(), absent: try file.absent())
  }
}

extension BackupManifest {
  /// The time in the name of a file, in milliseconds since 1970.
  static func time(ofName name: String) -> Int64? {
    let digits = name.utf8.prefix(18).filter { $0 != UInt8(ascii: "T") }
    guard digits.count == 17 else { return nil }
    var text = ""
    for (index, digit) in digits.enumerated() {
      switch index {
      case 4, 6: text += "-"
      case 8: text += "T"
      case 10, 12: text += ":"
      case 14: text += "."
      default: break
      }
      text.unicodeScalars.append(Unicode.Scalar(digit))
    }
    return WallTime.parse(Array("\(text)Z".utf8).span)?.time.milliseconds
  }
}
