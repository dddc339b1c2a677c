// Registered archives as the last places of a store.

package import RedoCrypto
package import RedoObject

extension ObjectStore {
  /// How often the lists of archives were read: a search that finds nothing compares it.
  var archivesGeneration: Int { shelves.reduce(0) { $0 + $1.generation } }

  /// Whether there is an object of this name, without regard to one archive.
  ///
  /// - Parameters:
  ///   - id: the object.
  ///   - archive: the name of an archive of this store that does not count.
  /// - Returns: whether it is elsewhere; also if that is an archive whose file is away.
  /// - Throws: `archives` when a list of archives is damaged, `system`.
  package func contains(
    _ id: ObjectID, butNotIn archive: Digest?
  ) throws(StoreError) -> Bool {
    let generation = archivesGeneration
    for layer in layers where try layer.contains(id) { return true }
    if let shown, try shown.contains(id) { return true }
    for shelf in shelves {
      if try shelf.contains(id, butNotIn: shelf === archives ? archive : nil) { return true }
    }
    guard archivesGeneration != generation else { return false }
    for layer in layers where try layer.contains(id) { return true }
    return false
  }

  /// Which of many objects are here; what others write meanwhile may be found or not.
  ///
  /// - Parameters:
  ///   - ids: the objects.
  ///   - workspace: the thread's buffers.
  /// - Returns: for each whether it is here; also if it is in an archive whose file is away.
  /// - Throws: `archives` when a list of archives is damaged, `system`.
  func contains(
    _ ids: [ObjectID], _ workspace: inout LooseStore.Workspace
  ) throws(StoreError) -> [Bool] {
    let generation = archivesGeneration
    var isHere = try own.contains(ids, &workspace)
    for layer in alternates where isHere.contains(false) {
      let left = ids.indices.filter { !isHere[$0] }
      let found = try layer.contains(left.map { ids[$0] }, &workspace)
      for (index, isFound) in zip(left, found) { isHere[index] = isFound }
    }
    for shelf in shelves where isHere.contains(false) {
      guard try !shelf.all().isEmpty else { continue }
      for index in ids.indices where !isHere[index] {
        isHere[index] = try shelf.contains(ids[index])
      }
    }
    guard archivesGeneration != generation else { return isHere }
    for index in ids.indices where !isHere[index] { isHere[index] = try contains(ids[index]) }
    return isHere
  }

  func readArchives(
    _ id: ObjectID, _ workspace: inout LooseStore.Workspace, _ damage: inout StoreError?
  ) throws(StoreError) -> StoredObject? {
    for shelf in shelves {
      do throws(StoreError) {
        if let object = try shelf.read(id, &workspace) { return object }
      } catch {
        // What is wrong with the store itself is reported first.
        switch error {
        case .corrupt, .offline, .archives: damage = damage ?? error
        case .system, .tooLarge, .unwritten, .locked: throw error
        }
      }
    }
    return nil
  }

  func listArchives(_ prefix: String) throws(StoreError) -> [ObjectID] {
    var ids: [ObjectID] = []
    for shelf in shelves { ids += try shelf.list(prefix: prefix) }
    return shelves.count > 1 ? ids.sortedAndUnique() : ids
  }

  /// The ids of what the store itself has, in ascending order.
  ///
  /// - Parameter withAlternates: whether what is read from alternates counts.
  /// - Returns: the ids; nothing that is in registered archives only.
  /// - Throws: `system` when a directory cannot be read.
  package func listHere(withAlternates: Bool) throws(StoreError) -> [ObjectID] {
    var ids = try own.list(prefix: "")
    guard withAlternates, !alternates.isEmpty else { return ids }
    for layer in alternates { ids += try layer.list(prefix: "") }
    return ids.sortedAndUnique()
  }

  /// The layers as numbers, and one more for the registered archives, if there are any.
  package var partLayers: Range<Int> { 0..<layers.count + (shelves.isEmpty ? 0 : 1) }

  /// The layer of a part for the registered archives.
  package var archiveLayer: Int { layers.count }

  /// The frames of all registered archives that are there.
  func archiveFrames(_ visit: (PartItem) -> Void) -> [ObjectPart] {
    var parts: [ObjectPart] = []
    for shelf in shelves {
      let archives: [ShelvedArchive]
      do throws(StoreError) { archives = try shelf.all() } catch {
        visit(.damagedPack(path: ArchiveRegister.path, reason: error.description))
        continue
      }
      for shelved in archives {
        let path = shelved.archive.path
        switch shelved.condition() {
        case .present:
          let count = (try? shelved.pack.directory().frames.count) ?? 0
          parts += (0..<count).map {
            ObjectPart(layer: archiveLayer, place: .frame(shelved.pack, $0))
          }
        case .damaged(let reason): visit(.damagedPack(path: path, reason: reason))
        case .away(let reason):
          if let ids = try? shelved.ids() {
            visit(.offline(path: path, ids: ids))
          } else {
            visit(.damagedPack(path: path, reason: reason))
          }
        }
      }
    }
    return parts
  }
}
