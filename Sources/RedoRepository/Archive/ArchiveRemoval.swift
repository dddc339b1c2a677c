// Taking the nodes of an archive out of the store. The steps come in this order, so that an interruption at any point
// loses nothing and the next run can continue:
//
//   1. the archive was read from its file, from the first byte to the last
//   2. it is in the list of archives as `removing`, and its index beside it
//   3. copies in packs go: the packs are rewritten without them
//   4. loose copies go, each read again and compared
//   5. it is in the list as `kept`

package import RedoObject
package import RedoStore

/// The removal of archived nodes from the store.
package struct ArchiveRemoval {
  private let opened: Repository
  private let proof: ArchiveProof
  package private(set) var packed = PackedCopies()
  package private(set) var loose = LooseStore.Archived()

  package init(_ opened: Repository, _ proof: ArchiveProof) {
    self.opened = opened
    self.proof = proof
  }

  /// The number of nodes that stay, because the store's copy differs from the archive's.
  private var stayingCount: Int { Set(loose.kept).union(packed.staying).count }

  /// Finds out which copies in packs may go.
  private mutating func compare(
    _ archived: Pack, _ effects: Effects
  ) throws {
    packed = try opened.objects.packs.copies(in: proof, archived) {
      try effects.checkInterrupt()
    } mapping: {
      $0
    }
  }

  private mutating func removeLoose(_ effects: Effects) throws {
    var workspace = LooseStore.Workspace()
    for byte in UInt8.min...UInt8.max {
      try effects.checkInterrupt()
      try opened.objects.primary.removeArchived(
        inShard: byte, proof, staying: packed.staying, &workspace, &loose)
    }
  }

  /// Takes the nodes out of the store; the archive is in the list.
  ///
  /// - Parameters:
  ///   - held: the list, which is written at the end.
  ///   - effects: receives reports of what became of the nodes.
  /// - Throws: `ArchiveFault` or `StoreError` when something could not be removed; the next run continues.
  package mutating func finish(
    _ held: inout HeldArchives, _ effects: Effects
  ) throws {
    let shelved = try opened.objects.archives?.archive(proof.directory.name)
    guard let shelved, shelved.condition() == .present else {
      throw ArchiveFault.gone
    }
    try compare(shelved.pack, effects)
    try noteSignatures()
    try removePacked(effects)
    try removeLoose(effects)
    try noteSignatures()
    var archive = shelved.archive
    archive.state = .kept
    held.register.put(archive)
    try held.save()
    let count = stayingCount
    if count > 0 { effects.report(.archive(.copiesStay(count))) }
  }

  /// Where the copy that goes is worse than the archive's, a different signature is read from then on.
  private func noteSignatures() throws {
    guard !packed.removable.isEmpty else { return }
    try opened.objects.renewSignatureMark()
  }

  /// Rewrites the packs without the nodes that may go.
  private func removePacked(_ effects: Effects) throws {
    guard !packed.removable.isEmpty else { return }
    let packs = opened.objects.packs
    let outcome = try PackRewrite.remove(packed.removable, from: try packs.all(), of: packs)
    for (pack, error) in outcome.damaged {
      effects.report(.archive(.packStays(path: pack.path, error)))
    }
  }

  /// What is freed.
  package var freed: FreedNodes {
    FreedNodes(
      kind: proof.directory.kind, count: proof.ids.count - stayingCount,
      bytes: packed.bytes + loose.removedBytes)
  }

  /// What would be freed without the given nodes.
  ///
  /// - Parameters:
  ///   - ids: the nodes, or receipts.
  ///   - kind: their kind.
  ///   - opened: the store.
  /// - Returns: how many nodes would go, and how many bytes that frees.
  /// - Throws: `StoreError` when the store cannot be read.
  package static func plan(
    _ ids: Set<ObjectID>, of kind: ObjectKind, _ opened: Repository
  ) throws -> FreedNodes {
    let loose = try opened.objects.primary.fileBytes(of: ids)
    let packed = try opened.objects.packs.fileBytes(of: ids)
    return FreedNodes(kind: kind, count: ids.count, bytes: loose + packed)
  }

  /// Finishes removals that were interrupted.
  ///
  /// It takes the locks of objects and packs; the caller must hold none of them.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - isQuiet: whether only warnings are reported.
  ///   - effects: where they are reported.
  /// - Throws: `StoreError.locked` when others hold the locks; the error when nodes cannot be removed.
  package static func complete(
    _ opened: Repository, isQuiet: Bool, _ effects: Effects
  ) throws {
    let register = try ArchiveRegister.read(in: opened.store.directory)
    guard register.archives.contains(where: { $0.state == .removing }) else { return }
    var held = try HeldArchives(opened, effects)
    try complete(&held, isQuiet: isQuiet, effects)
  }

  /// The same with a list that is already held.
  package static func complete(
    _ held: inout HeldArchives, isQuiet: Bool, _ effects: Effects
  ) throws {
    for archive in held.register.archives where archive.state == .removing {
      let proof: ArchiveProof
      do {
        proof = try ArchiveProving.prove(archive.path, .ofSettings, effects)
      } catch {
        if RedoError(error).code == .cancelled { throw error }
        effects.report(.archive(.removalFailed(path: archive.path, error)))
        continue
      }
      guard proof.hash == archive.hash else {
        effects.report(.archive(.removalReplaced(path: archive.path)))
        continue
      }
      var removal = ArchiveRemoval(held.opened, proof)
      try removal.finish(&held, effects)
      if !isQuiet { effects.report(.archive(.removalFinished(path: archive.path))) }
    }
  }
}
