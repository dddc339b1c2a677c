// All frames of a pack, one after another, decoded on all processors.

package import RedoObject

extension Pack {
  private static let framesPerThread = 2

  /// Hands on the nodes of all frames, in their order; nothing is kept.
  ///
  /// - Parameter body: receives the number of a frame and its nodes.
  /// - Throws: what reading the first frame threw that cannot be read, or what the closure throws.
  package func forEachFrame(
    _ body: (Int, [StoredObject]) throws(PackError) -> Void
  ) throws(PackError) {
    try forEachFrame(Array(try directory().frames.indices), body)
  }

  /// Hands on the nodes of some frames, in the order in which they are named; nothing is kept.
  ///
  /// - Parameters:
  ///   - frames: their numbers.
  ///   - body: receives the number of a frame and its nodes.
  /// - Throws: what reading the first frame threw that cannot be read, or what the closure throws.
  package func forEachFrame(
    _ frames: [Int], _ body: (Int, [StoredObject]) throws(PackError) -> Void
  ) throws(PackError) {
    let threads = Threads.processorCount
    let step = threads * Self.framesPerThread
    for start in stride(from: 0, to: frames.count, by: step) {
      let part = Array(frames[start..<min(start + step, frames.count)])
      let results = Threads.parallelMap(
        part, threads: threads, makeState: { FrameInflater() }
      ) { inflater, frame -> Result<[StoredObject], PackError> in
        do throws(PackError) {
          return .success(try self.nodes(ofFrame: frame, &inflater))
        } catch {
          return .failure(error)
        }
      }
      for (frame, result) in zip(part, results) { try body(frame, try result.get()) }
    }
  }
}
