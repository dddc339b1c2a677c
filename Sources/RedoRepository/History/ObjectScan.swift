// Reads all objects of a store, a part on each processor: of each layer the shards of the loose objects,
// then the frames of the packs, which are listed after the shards were read; registered archives at last.

internal import RedoObject
package import RedoStore

/// A way through everything that a store has.
package enum ObjectScan {
  /// How many shards are read together: a sixteenth of the loose objects is in memory at a time.
  private static let shardCount = 16
  /// How many frames are read together, for each thread; a full one has 256 KiB of bodies.
  private static let framesPerThread = 4

  /// Hands on what is made of each part, in the order of the parts.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - makeState: what one thread keeps for itself.
  ///   - read: makes something of a part; on any thread.
  ///   - take: receives it.
  /// - Returns: packs that cannot be opened; nothing else is known of them.
  /// - Throws: `system` when packs cannot be listed.
  package static func forEach<State: ~Copyable, Output: Sendable>(
    _ store: ObjectStore, makeState: @Sendable () -> State,
    _ read: @Sendable (inout State, ObjectPart) -> Output, _ take: (Output) -> Void
  ) throws(StoreError) -> [PartItem] {
    let threads = Threads.processorCount
    var damage: [PartItem] = []
    func run(_ parts: [ObjectPart], _ batch: Int) {
      for start in stride(from: 0, to: parts.count, by: batch) {
        let some = Array(parts[start..<min(start + batch, parts.count)])
        let found = Threads.parallelMap(some, threads: threads, makeState: makeState, read)
        for output in found { take(output) }
      }
    }
    for layer in store.partLayers {
      run(store.shards(ofLayer: layer), shardCount)
      let frames = try store.frames(ofLayer: layer) { damage.append($0) }
      run(frames, threads * framesPerThread)
    }
    return damage
  }
}
