// Reads all objects of a store, one part on each processor: for each layer the shards of the loose objects, then the
// frames of the packs, which are listed after the shards were read; finally the registered archives.

internal import RedoObject
package import RedoStore

/// A scan of everything in a store.
package enum ObjectScan {
  /// How many shards are read together: a sixteenth of the loose objects is in memory at a time.
  private static let shardCount = 16
  /// How many frames are read together, for each thread; a full frame has 256 KiB of bodies.
  private static let framesPerThread = 4

  /// Hands on the output of each part, in the order of the parts.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - makeState: creates the private state of one thread.
  ///   - read: turns a part into an output; on any thread.
  ///   - take: receives the output.
  /// - Returns: packs that cannot be opened; nothing else is known about them.
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
