// What was written into a pack, read again from the place where it is found from then on.

package import RedoCrypto
package import RedoObject

extension ObjectStore {
  /// Reads a new pack: each of its frames is decoded, and each of its nodes hashed again.
  ///
  /// - Parameters:
  ///   - name: its name, which follows from its nodes.
  ///   - ids: nodes that should be in it, or are loose objects.
  /// - Returns: those that are not in it; all of them if others have taken its place meanwhile.
  /// - Throws: `unwritten` when it does not give back what it was made from; `system`.
  package func readBack(_ name: Digest, _ ids: [ObjectID]) throws(StoreError) -> [ObjectID] {
    let all = try mapSystem { () throws(SystemError) in try packs.all() }
    guard let pack = all.first(where: { $0.name == name }) else { return ids }
    var hash = SHA256()
    do throws(PackError) {
      try pack.forEachFrame { _, nodes throws(PackError) in
        for node in nodes { hash.update(node.id.digest.bytes.span) }
      }
      guard hash.finalize() == name else {
        throw .corrupt(offset: 0, reason: "other nodes came back than were written")
      }
      return try Self.others(than: pack, ids)
    } catch {
      if case .system(let cause) = error {
        if cause.isMissing { return ids }
        throw .system(cause)
      }
      throw .unwritten(path: pack.path, reason: error.description)
    }
  }

  /// How many nodes a thread looks for in one go.
  private static let lookCount = 1024

  /// The nodes that a pack's index does not mention.
  private static func others(
    than pack: Pack, _ ids: [ObjectID]
  ) throws(PackError) -> [ObjectID] {
    let parts = Threads.parallelMap(
      Array(stride(from: 0, to: ids.count, by: lookCount)), threads: Threads.processorCount,
      makeState: {}
    ) { _, start -> Result<[ObjectID], PackError> in
      Result { () throws(PackError) in
        var others: [ObjectID] = []
        for id in ids[start..<min(start + lookCount, ids.count)]
        where try pack.place(of: id) == nil {
          others.append(id)
        }
        return others
      }
    }
    var others: [ObjectID] = []
    for part in parts { others += try part.get() }
    return others
  }
}
