// The nodes of a registered archive become a pack of the store again.

internal import RedoObject
package import RedoStore

extension HeldArchives {
  /// Brings the nodes of an archive back.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - keys: what opens it, if it is encrypted.
  ///   - effects: says whether the work is cancelled.
  /// - Returns: what the archive says of itself.
  /// - Throws: `RegisteredFault` when the archive is gone or another file; an error when it is damaged, or the pack
  ///   cannot be written. The archive stays registered then.
  package mutating func restore(
    _ archive: RegisteredArchive, _ keys: SealKeys, _ effects: Effects
  ) throws -> PackDirectory {
    let objects = opened.objects
    let source = try Self.open(archive, keys, effects)
    var pack = try RestoredPack(in: objects.packs)
    var isDone = false
    while !isDone {
      try effects.checkInterrupt()
      do throws(PackError) { isDone = try !pack.copy(from: source, upTo: archive.bytes) } catch {
        throw ArchiveFile.failure(error, archive.path)
      }
    }
    let copy = try pack.reopen()
    var writes: [ObjectWrite] = []
    var workspace = LooseStore.Workspace()
    let proof = try ArchiveProving.prove(.file(copy), archive.path, effects) { nodes throws in
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

  private static func open(
    _ archive: RegisteredArchive, _ keys: SealKeys, _ effects: Effects
  ) throws -> PackSource {
    let file = try openFile(archive)
    let start: [UInt8]
    let size: Int
    do throws(SystemError) {
      start = try file.read(ForeignFile.startBytes, at: 0)
      size = try file.status().size
    } catch {
      throw RegisteredFault.unreadable(path: archive.path, error)
    }
    guard AgeSource.isOne(start) else {
      guard size == archive.bytes else { throw RegisteredFault.changed(path: archive.path) }
      return .file(file)
    }
    let opened = try AgeSource.open(.file(file), archive.path, keys, effects)
    guard opened.count == archive.bytes else { throw RegisteredFault.changed(path: archive.path) }
    return .age(opened)
  }

  private static func openFile(_ archive: RegisteredArchive) throws -> File {
    do throws(SystemError) { return try File.openRegular(archive.path) } catch {
      throw RegisteredFault.unreadable(path: archive.path, error)
    }
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
