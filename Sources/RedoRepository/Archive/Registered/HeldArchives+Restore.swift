// The nodes of a registered archive become a pack of the store again.

internal import RedoObject
package import RedoStore

extension HeldArchives {
  /// Brings the nodes of an archive back.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - effects: says whether the work is cancelled.
  /// - Returns: what the archive says of itself.
  /// - Throws: `RegisteredFault` when the archive is gone or another file; an error when it is damaged, or the pack
  ///   cannot be written. The archive stays registered then.
  package mutating func restore(
    _ archive: RegisteredArchive, _ effects: Effects
  ) throws -> PackDirectory {
    let objects = opened.objects
    let file = try Self.open(archive)
    var pack = try RestoredPack(in: objects.packs)
    var isDone = false
    while !isDone {
      try effects.checkInterrupt()
      isDone = try !pack.copy(from: file, upTo: archive.bytes)
    }
    let copy = try pack.reopen()
    var writes: [ObjectWrite] = []
    var workspace = LooseStore.Workspace()
    let proof = try ArchiveProving.prove(copy, archive.path, effects) { nodes throws in
      for node in nodes {
        if let write = try Self.better(node, objects.own, &workspace) { writes.append(write) }
      }
    }
    guard proof.hash == archive.hash else { throw RegisteredFault.changed(path: archive.path) }
    // Two packs may have a node with different signatures: a loose copy of the better one is read before either.
    if !writes.isEmpty { _ = try objects.primary.write(writes) }
    try pack.commit(proof)
    register.remove(archive.name)
    try save()
    removeIndex(of: archive)
    return proof.directory
  }

  private static func open(_ archive: RegisteredArchive) throws -> File {
    do throws(SystemError) {
      let file = try File.openRegular(archive.path)
      if try file.status().size == archive.bytes { return file }
    } catch {
      throw RegisteredFault.unreadable(path: archive.path, error)
    }
    throw RegisteredFault.changed(path: archive.path)
  }

  /// The better of two copies of a node, where the store has one with another signature.
  private static func better(
    _ node: StoredObject, _ own: Layer, _ workspace: inout LooseStore.Workspace
  ) throws -> ObjectWrite? {
    guard try own.contains(node.id) else { return nil }
    let stored: StoredObject?
    do throws(StoreError) { stored = try own.read(node.id, &workspace) } catch {
      guard case .corrupt = error else { throw error }
      stored = nil
    }
    guard let stored, stored.signature != node.signature else { return nil }
    var decoder = NodeDecoder()
    let key = decoder.decode(node)?.publicKey
    let choice = SignatureChoice.between(
      stored: stored.signature, arriving: node.signature, of: node, key: key)
    return ObjectWrite(choice == .take ? node : stored, key: key)
  }
}
