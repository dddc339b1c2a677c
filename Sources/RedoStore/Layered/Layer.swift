// One directory of objects: its loose files, followed by its packs.

package import RedoObject

/// A directory of objects.
package struct Layer: ObjectPlace {
  /// Its loose objects.
  package let loose: LooseStore
  /// Its packs.
  package let packs: PackStore

  /// The loose objects of a directory, and its packs.
  ///
  /// - Parameters:
  ///   - loose: the loose objects.
  ///   - cache: where decoded frames are kept.
  package init(_ loose: LooseStore, cache: FrameCache) {
    self.loose = loose
    packs = PackStore(
      in: loose.directory, syncPolicy: loose.syncPolicy, cache: cache, counters: loose.counters)
  }

  /// The path of the directory.
  package var path: String { loose.path }

  package func contains(_ id: ObjectID) throws(StoreError) -> Bool {
    let generation = packs.generation
    if try loose.contains(id) { return true }
    if try packs.contains(id) { return true }
    if try hasOtherPacks(), try packs.contains(id) { return true }
    return packs.generation == generation ? false : try loose.contains(id)
  }

  /// Which of many objects exist; the directory of packs is looked at once for all of them.
  ///
  /// - Parameters:
  ///   - ids: the objects.
  ///   - workspace: the thread's buffers.
  /// - Returns: for each whether it exists; its bytes are not looked at.
  /// - Throws: `system`.
  func contains(
    _ ids: [ObjectID], _ workspace: inout LooseStore.Workspace
  ) throws(StoreError) -> [Bool] {
    let generation = packs.generation
    var isHere: [Bool] = []
    isHere.reserveCapacity(ids.count)
    for id in ids {
      let mayBeLoose = loose.shards.mayHave(id[0], in: loose.directory, &workspace.seen)
      let isLoose = mayBeLoose ? try loose.contains(id) : false
      isHere.append(isLoose ? true : try packs.contains(id))
    }
    guard isHere.contains(false) else { return isHere }
    // As for one: nothing may be missed that moves from one place to the other meanwhile.
    if try hasOtherPacks() {
      for index in ids.indices where !isHere[index] {
        isHere[index] = try packs.contains(ids[index])
      }
    }
    guard packs.generation != generation else { return isHere }
    for index in ids.indices where !isHere[index] { isHere[index] = try loose.contains(ids[index]) }
    return isHere
  }

  package func read(
    _ id: ObjectID, _ workspace: inout LooseStore.Workspace
  ) throws(StoreError) -> StoredObject? {
    var damage: StoreError?
    let generation = packs.generation
    let mayBeLoose = loose.shards.mayHave(id[0], in: loose.directory, &workspace.seen)
    if mayBeLoose, let object = try read(id, in: loose, &workspace, &damage) { return object }
    if let object = try read(id, in: packs, &workspace, &damage) { return object }
    // Nothing may be missed that moves from one place to the other meanwhile: the packs are listed
    // again if their directory changed, and whenever they were listed after the look at the loose
    // files, these are looked at once more.
    if try hasOtherPacks(), let object = try read(id, in: packs, &workspace, &damage) {
      return object
    }
    if !mayBeLoose || packs.generation != generation,
      let object = try read(id, in: loose, &workspace, &damage)
    {
      return object
    }
    if let damage { throw damage }
    return nil
  }

  private func hasOtherPacks() throws(StoreError) -> Bool {
    try mapSystem { () throws(SystemError) in try packs.refresh() }
  }

  /// Reads from one place; a corrupt copy is noted, for another place may have a good one.
  private func read(
    _ id: ObjectID, in place: some ObjectPlace, _ workspace: inout LooseStore.Workspace,
    _ damage: inout StoreError?
  ) throws(StoreError) -> StoredObject? {
    do throws(StoreError) {
      return try place.read(id, &workspace)
    } catch {
      guard case .corrupt = error else { throw error }
      damage = damage ?? error
      return nil
    }
  }

  /// The ids that begin with some hex digits.
  ///
  /// - Parameter prefix: 0 to 64 lower-case hex digits.
  /// - Returns: the ids in ascending order, each once.
  /// - Throws: `system` when a directory cannot be read.
  package func list(prefix: String) throws(StoreError) -> [ObjectID] {
    // A loose object that is packed meanwhile is in the packs that are listed after it, and one that
    // comes out of a pack is found by listing the loose ones again.
    var ids = try loose.list(prefix: prefix)
    let isChanged = try hasOtherPacks()
    let packed = try packs.list(prefix: prefix)
    if isChanged { ids += try loose.list(prefix: prefix) }
    guard isChanged || !packed.isEmpty else { return ids }
    guard !ids.isEmpty else { return packed }
    return (ids + packed).sortedAndUnique()
  }
}
