// The making of archives: nodes are chosen, written, described, registered, and taken out of the store.

package import RedoHistory
package import RedoObject
package import RedoStore

/// What goes into one archive.
package struct ArchivePart {
  /// Its file, `-` for a stream; `nil` when none is named.
  package let path: String?
  /// The nodes in the order of a pack.
  package let ids: [ObjectID]
  /// The nodes that no other one names as parent, in ascending order; empty when heads are not needed.
  package let heads: [ObjectID]
}

/// How archives are made; prepared once for any number of them.
package struct ArchiveMaking: ~Copyable {
  /// What is archived, and how.
  package struct Request {
    /// The kind of objects.
    package var kind = ObjectKind.node
    /// Which receipts may leave the store.
    package var leaving = ArchiveSet.Leaving()
    /// Which nodes of the history go into archives.
    package enum Choice {
      /// All.
      case all
      /// Those from before an instant, in milliseconds since 1970, with all their ancestors.
      case before(Int64)
      /// What revisions and ranges name; of receipts their names, `^` before those that are left out.
      case revisions([String])
    }

    /// Which nodes.
    package var choice: Choice
    /// The clock by which they are chosen, or split.
    package var clock = ArchiveSet.Clock.wall
    /// The length of the periods that get an archive each; `nil` for one archive of everything.
    package var split: HistoryPeriod.Length?
    /// The file, or the path that file names are derived from; `-` for a stream, `nil` when nothing is written.
    package var path: String?
    /// Whether nothing is written.
    package var isDryRun = false
    /// Whether existing files are replaced.
    package var isForced = false
    /// Whether the archives are registered, and their nodes taken out of the store.
    package var removes = false
    /// Whether removals that are finished on the way go unreported.
    package var isQuiet = false
    /// Whether the nodes come from a remote.
    package var isOfRemote = false
    /// The recipients that archives are encrypted for, as `SealRecipients.keys` reads them.
    package var recipients: [String] = []
    /// Archives whose nodes, and whatever these build on, are left out.
    package var since: [String] = []
    /// Whether it is no error when there is nothing to write.
    package var isIncrement = false
    /// The source of the passphrase that opens them.
    package var passphrase = SealPassphrase()
    /// The source of the passphrase of the key that signs manifests; `nil` when none are written.
    package var manifestKey: PassphraseSource?
    /// Whether the index of the history is read and kept.
    package var usesCache = true

    /// Creates a request with a choice of nodes and default settings.
    package init(_ choice: Choice) { self.choice = choice }
  }

  /// A result or a completed step, in the order in which they happen.
  package enum Step {
    /// The nodes are chosen; the set may be empty.
    case chosen(ArchiveSet)
    /// These archives have nodes that the chosen ones name as parents.
    case builds(on: [String])
    /// This many nodes are left out, because they are in a registered archive that cannot be read.
    case away(path: String, count: Int)
    /// There is nothing to write.
    case nothingNew
    /// This many nodes are in a later archive than their own time says, because of an ancestor.
    case raised(Int)
    /// An archive is written, or would be.
    case made(ArchiveRow)
  }

  /// One archive in a file, as it was written.
  package struct Made {
    /// What it says of itself.
    package let directory: PackDirectory
    /// Its nodes.
    package let ids: [ObjectID]
  }

  private let opened: Repository
  private let request: Request
  private let syncs: Bool
  private let seal: ArchiveSeal
  private let maker: ManifestMaker

  /// Makes archives.
  ///
  /// - Parameters:
  ///   - request: of what, and how.
  ///   - opened: the store.
  ///   - effects: where files are, and what happens on the way.
  ///   - write: receives the bytes of an archive that goes to a stream.
  ///   - tell: receives what is known and done.
  /// - Returns: the one archive that stays a file beside the store; `nil` where there are several or none.
  /// - Throws: `ArchiveMakingFault`, `SealingFault`, `FileFault`; only whole files are left behind.
  package static func run(
    _ request: Request, _ opened: Repository, _ effects: Effects,
    write: ([UInt8]) throws -> Void, tell: (Step) throws -> Void
  ) throws -> Made? {
    let making = try ArchiveMaking(request, opened, effects)
    return try making.run(effects, write, tell)
  }

  private init(_ request: Request, _ opened: Repository, _ effects: Effects) throws {
    let seal = try ArchiveSeal(
      recipients: request.recipients, passphrase: request.passphrase, opened, effects)
    guard !request.isOfRemote || seal.lock == nil else { throw ArchiveMakingFault.sealedRemote }
    if request.removes { try seal.checkReadable(in: opened, effects) }
    let maker = try ManifestMaker(request.manifestKey, opened, effects)
    syncs = request.removes ? true : try opened.refsOptions().sync != .none
    self.seal = seal
    self.maker = maker
    self.opened = opened
    self.request = request
  }

  private func run(
    _ effects: Effects, _ write: ([UInt8]) throws -> Void, _ tell: (Step) throws -> Void
  ) throws -> Made? {
    var held: HeldArchives?
    if request.removes, !request.isDryRun {
      var taken = try HeldArchives(opened, effects)
      try ArchiveRemoval.complete(&taken, isQuiet: request.isQuiet, effects)
      held = consume taken
    }
    let set = try chosen(effects, tell)
    try tell(.chosen(set))
    if set.count == 0 {
      guard request.isIncrement else { throw nothing(in: set) }
      try tell(.nothingNew)
      return nil
    }
    guard let length = request.split else {
      let part = ArchivePart(
        path: request.path, ids: set.ids, heads: maker.isWanted ? set.heads : [])
      let directory = try make(part, &held, effects, write, tell)
      return directory.map { Made(directory: $0, ids: part.ids) }
    }
    let plan = try ArchiveSplit(set, by: length, request.path)
    // Nothing is written before all names are known to be free.
    try check(plan.paths, effects)
    if plan.raisedCount > 0 { try tell(.raised(plan.raisedCount)) }
    for index in plan.paths.indices {
      _ = try make(plan.part(index, heads: maker.isWanted), &held, effects, write, tell)
    }
    return nil
  }

  /// The chosen nodes; only those in the store itself, where that matters.
  private func chosen(
    _ effects: Effects, _ tell: (Step) throws -> Void
  ) throws -> ArchiveSet {
    var set = try history(effects)
    if !request.since.isEmpty {
      try tell(.builds(on: set.leaveOut(request.since, effects)))
    }
    try set.leaveOutAway(opened.objects) { path, count throws in
      try tell(.away(path: path, count: count))
    }
    return set
  }

  /// What the choice names.
  private func history(_ effects: Effects) throws -> ArchiveSet {
    var names: [String] = []
    if case .revisions(let texts) = request.choice { names = texts }
    var set =
      ObjectKind.grouped.contains(request.kind)
      ? try ArchiveSet(of: request.kind, opened, names, request.leaving, effects)
      : names.isEmpty
        ? try ArchiveSet(opened, usesCache: request.usesCache)
        : try ArchiveSet(
          opened, revisions: names, now: effects.clock(), usesCache: request.usesCache)
    var isOld = false
    if case .before(let limit) = request.choice {
      set.keep(before: limit, by: request.clock)
      isOld = true
    }
    set.clock = request.clock
    guard request.removes || isOld else { return set }
    let archives = try opened.objects.archives?.all() ?? []
    guard request.removes || !archives.isEmpty else { return set }
    set.keep(only: try opened.objects.listHere(withAlternates: !request.removes))
    return set
  }

  /// Why there is nothing to archive.
  private func nothing(in set: ArchiveSet) -> ArchiveMakingFault {
    guard set.archivedCount == 0 else { return .allArchived(set.kind, count: set.archivedCount) }
    guard case .before(let limit) = request.choice else { return .empty(set.kind) }
    return .noneBefore(set.kind, limit)
  }

  /// Makes sure that the archives, and the files beside them, can be written.
  private func check(_ paths: [String], _ effects: Effects) throws {
    guard !request.isDryRun else { return }
    for path in paths {
      try ArchiveRegistered.check(path, opened, effects)
      try ArchiveTarget.check(path, isForced: request.isForced, effects)
      try maker.check(path, isForced: request.isForced, effects)
    }
  }

  /// Makes one archive, and takes its nodes out of the store if requested.
  ///
  /// - Parameters:
  ///   - part: what goes into it.
  ///   - held: the registered archives, if it is going to be one.
  ///   - effects: where files are.
  ///   - write: receives the bytes that go to a stream.
  ///   - tell: receives what is done.
  /// - Returns: the description of a file that was written; `nil` when there is none.
  /// - Throws: as `run`.
  private func make(
    _ part: ArchivePart, _ held: inout HeldArchives?, _ effects: Effects,
    _ write: ([UInt8]) throws -> Void, _ tell: (Step) throws -> Void
  ) throws -> PackDirectory? {
    let isStream = part.path == "-" && !request.isDryRun
    if isStream, maker.isWanted { throw ArchiveMakingFault.manifestOfStream }
    var target: ArchiveTarget?
    var beside: ManifestTarget?
    if let path = part.path, !isStream, !request.isDryRun {
      try ArchiveRegistered.check(path, opened, effects)
      target = try ArchiveTarget(path, isForced: request.isForced, syncs: syncs, effects)
      beside = try maker.target(path, isForced: request.isForced, syncs: syncs, effects)
    }
    var pass = try seal.pass()
    let directory = try Self.pack(
      part.ids, of: request.kind, opened.objects, effects
    ) { bytes throws in
      try effects.checkInterrupt()
      let bytes = pass.add(bytes)
      if isStream { try write(bytes) } else { try target?.write(bytes) }
    }
    let last = pass.finish()
    if isStream { try write(last) } else { try target?.write(last) }
    if beside != nil {
      let manifest = ArchiveManifest(
        directory: directory, fileBytes: pass.fileBytes, fileDigest: pass.digest(),
        isSealed: pass.isSealed, heads: part.heads,
        idsDigest: HistoryStatement.digest(of: part.ids.sorted()))
      try beside?.prepare(manifest, maker)
    }
    try target?.commit()
    try beside?.commit()
    guard !isStream else { return nil }
    try tell(
      .made(
        ArchiveRow(
          directory: directory, fileBytes: pass.fileBytes, path: part.path ?? "-",
          isSealed: pass.isSealed)))
    guard request.removes else { return request.isDryRun ? nil : directory }
    if !request.isDryRun, let path = part.path {
      let freed = try held?.takeOut(directory, path, effects)
      if let freed, !request.isQuiet { effects.report(.archive(.removed(freed))) }
    } else if !request.isQuiet {
      let freed = try ArchiveRemoval.plan(Set(part.ids), of: request.kind, opened)
      effects.report(.archive(.wouldRemove(freed)))
    }
    return nil
  }

  /// Makes a pack.
  ///
  /// - Parameters:
  ///   - ids: the nodes, or objects of another kind, in the order of a pack.
  ///   - kind: their kind.
  ///   - store: where they are.
  ///   - effects: receives how far it has come.
  ///   - write: receives the bytes, piece by piece.
  /// - Returns: the directory of the pack.
  /// - Throws: `ArchiveMakingFault` for a node that cannot be packed; what the closure throws.
  static func pack(
    _ ids: [ObjectID], of kind: ObjectKind = .node, _ store: ObjectStore, _ effects: Effects,
    _ write: ([UInt8]) throws -> Void
  ) throws -> PackDirectory {
    var writer = PackWriter(kind)
    try HistoryWalk.forEach(
      ids, store, of: kind, progress: Progress(.packing, total: ids.count, effects)
    ) { object, reader throws in
      try packNode(object, &reader)
    } _: { node throws in
      writer.add(node)
      let bytes = writer.take()
      if !bytes.isEmpty { try write(bytes) }
    }
    let directory = writer.finish()
    try write(writer.take())
    return directory
  }

  private static func packNode(
    _ object: StoredObject, _ reader: inout NodeReader
  ) throws -> PackEntry {
    guard object.canonical.count <= PackFormat.nodeLimit else {
      throw ArchiveMakingFault.tooLarge(object.id)
    }
    // A node that breaks a rule still has its place in the history.
    guard let entry = PackEntry(object, &reader.places) else {
      throw HistoryFault.invalid(object)
    }
    return entry
  }
}

extension HeldArchives {
  /// Registers an archive that was written, and takes its nodes out of the store.
  ///
  /// - Parameters:
  ///   - directory: what was written.
  ///   - path: its file.
  ///   - effects: where warnings go.
  /// - Returns: what was taken out.
  /// - Throws: `ArchiveMakingFault.differs`; nothing is removed that the file does not contain.
  fileprivate mutating func takeOut(
    _ directory: PackDirectory, _ path: String, _ effects: Effects
  ) throws -> FreedNodes {
    let proof = try ArchiveProving.prove(path, .ofSettings, effects)
    guard proof.directory == directory else { throw ArchiveMakingFault.differs(path: path) }
    try register(proof, path, .removing, effects)
    var removal = ArchiveRemoval(opened, proof)
    try removal.finish(&self, effects)
    return removal.freed
  }

  /// Records an archive in the list under its current path, and writes the list.
  ///
  /// - Parameters:
  ///   - proof: what is known of it.
  ///   - path: its file.
  ///   - state: the state for an archive that is new to the list.
  ///   - effects: says where relative paths begin.
  /// - Returns: its line.
  /// - Throws: `ArchiveMakingFault.registeredElsewhere` when another file of the same nodes is registered;
  ///   `FileFault` when nothing can be written.
  @discardableResult
  package mutating func register(
    _ proof: ArchiveProof, _ path: String, _ state: RegisteredArchive.State, _ effects: Effects
  ) throws -> RegisteredArchive {
    let real = try FileFault.naming(path) {
      try CurrentProcess.realPath(effects.resolve(path))
    }
    var archive = proof.registered(at: real, state)
    if let old = register.archive(archive.name) {
      guard old.hash == archive.hash else {
        throw ArchiveMakingFault.registeredElsewhere(path: old.path)
      }
      if state == .kept { archive.state = old.state }
    }
    // An index where there is no list tells of a list that was lost.
    if try !ArchiveRegister.isThere(in: opened.store.directory) { try save() }
    try proof.writeIndex(in: opened.store.directory)
    register.put(archive)
    try save()
    return archive
  }
}
