// The removals after a repack: loose nodes that are in packs, each after it was read once more, and then packs that
// were merged into another one.

package import RedoObject
package import RedoStore

/// The removal of duplicates of what is in packs.
package struct RepackRemoval {
  private let loose: LooseStore
  private let packs: PackStore
  private var sources: [(pack: Pack, frames: [Int])] = []
  /// Packs whose nodes are all in another one.
  package var united: [Pack] = []
  /// The damage that was found.
  package private(set) var damaged: [TidyDamage] = []

  package init(_ loose: LooseStore, _ packs: PackStore) {
    self.loose = loose
    self.packs = packs
  }

  /// Marks the loose nodes that are in some frames of a pack for removal.
  package mutating func add(_ pack: Pack, _ frames: [Int]) { sources.append((pack, frames)) }

  /// Removes them.
  ///
  /// - Parameters:
  ///   - isLoose: whether there may be a loose copy of a node.
  ///   - effects: says whether the work is cancelled.
  /// - Returns: how many loose nodes were removed.
  /// - Throws: `StoreError` or `SystemError` when something cannot be read or removed; `Interruption`.
  package mutating func run(
    where isLoose: (ObjectID) -> Bool, _ effects: Effects
  ) throws -> Int {
    var count = 0
    var shards: Set<UInt8> = []
    var failure: (any Error)?
    var isWhole = true
    for (pack, frames) in sources {
      do throws(PackError) {
        var workspace = LooseStore.Workspace()
        try pack.forEachFrame(frames) { _, nodes throws(PackError) in
          guard failure == nil else { return }
          do {
            try effects.checkInterrupt()
            let gone = try remove(nodes.filter { isLoose($0.id) }, &workspace)
            count += gone.count
            for id in gone { shards.insert(id[0]) }
          } catch {
            failure = error
          }
        }
      } catch {
        damaged.append(.pack(error, path: pack.path))
        isWhole = false
      }
    }
    try SystemError.naming(loose.path) { try loose.syncShards(shards) }
    if let failure { throw failure }
    // The pack that can no longer be read may be the new one.
    guard isWhole else { return count }
    try SystemError.naming(packs.path) { try packs.remove(united) }
    return count
  }

  private func remove(
    _ nodes: [StoredObject], _ workspace: inout LooseStore.Workspace
  ) throws -> [ObjectID] {
    return try loose.removePacked(nodes, &workspace)
  }
}
