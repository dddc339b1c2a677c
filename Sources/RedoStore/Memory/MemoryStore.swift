// Objects in memory, with the same capabilities as on disk: the measure of what a store does.

package import RedoObject
internal import Synchronization

/// A store that disappears with its process.
///
/// A class, because it takes the place of stores that are shared.
package final class MemoryStore: ObjectWriter, Sendable {
  private let objects = Mutex<[ObjectID: StoredObject]>([:])

  /// An empty store.
  package init() {}

  package func contains(_ id: ObjectID) -> Bool {
    objects.withLock { $0[id] != nil }
  }

  package func read(_ id: ObjectID) -> StoredObject? {
    objects.withLock { $0[id] }
  }

  package func list(prefix: String) -> [ObjectID] {
    let digits = Array(prefix.utf8)
    return objects.withLock { objects in
      objects.keys.filter { $0.hex.utf8.starts(with: digits) }.sorted()
    }
  }

  package func write(_ writes: [ObjectWrite]) -> [WriteOutcome] {
    objects.withLock { objects in
      writes.map { write in
        let object = write.object
        guard let stored = objects[object.id] else {
          objects[object.id] = object
          return .new
        }
        guard object.kind.hasHistory else { return .known }
        let choice = SignatureChoice.between(
          stored: stored.signature, arriving: object.signature, of: stored, key: write.key)
        guard stored.kind != object.kind || choice == .take else { return .known }
        objects[object.id] = object
        return .upgraded
      }
    }
  }
}
