// Reads all objects of a store, one part on each processor: for each layer the shards of the loose objects, then the
// frames of the packs, which are listed after the shards were read; finally the registered archives.

internal import RedoObject
package import RedoStore

/// A scan of everything in a store.
package enum ObjectScan {
  /// How many shards are read together: a sixteenth of the loose objects is in memory at a time.
  private static let shardCount = 16
  /// How many frames are read together, for each thread; a full frame has 256 KiB of bodies.
  package static let framesPerThread = 4

  /// Hands on the output of each part, in the order of the parts.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - known: frames that are passed over.
  ///   - makeState: creates the private state of one thread.
  ///   - read: turns a part into an output; on any thread.
  ///   - take: receives the output.
  /// - Returns: packs that cannot be opened; nothing else is known about them.
  /// - Throws: `system` when packs cannot be listed.
  package static func forEach<State: ~Copyable, Output: Sendable>(
    _ store: ObjectStore, except known: Set<ObjectPart.FrameName> = [],
    makeState: @Sendable () -> State,
    _ read: @Sendable (inout State, ObjectPart) -> Output, _ take: (Output) -> Void
  ) throws(StoreError) -> [PartItem] {
    var damage: [PartItem] = []
    for layer in store.partLayers {
      forEach(
        store.shards(ofLayer: layer), inBatchesOf: shardCount, makeState: makeState, read, take)
      var frames = try store.frames(ofLayer: layer) { damage.append($0) }
      if !known.isEmpty { frames.removeAll { part in part.frameName.map(known.contains) ?? false } }
      forEach(frames, makeState: makeState, read, take)
    }
    return damage
  }

  /// Hands on the output of each of some parts, in their order.
  ///
  /// - Parameters:
  ///   - parts: the parts, usually the frames of one layer.
  ///   - count: how many of them are read together; by default, what keeps all processors busy with frames.
  ///   - makeState: creates the private state of one thread.
  ///   - read: turns a part into an output; on any thread.
  ///   - take: receives the output.
  package static func forEach<State: ~Copyable, Output: Sendable>(
    _ parts: [ObjectPart], inBatchesOf count: Int = Threads.processorCount * framesPerThread,
    makeState: @Sendable () -> State, _ read: @Sendable (inout State, ObjectPart) -> Output,
    _ take: (Output) -> Void
  ) {
    for start in stride(from: 0, to: parts.count, by: count) {
      let some = Array(parts[start..<min(start + count, parts.count)])
      let found = Threads.parallelMap(
        some, threads: Threads.processorCount, makeState: makeState, read)
      for output in found { take(output) }
    }
  }
}
