// What was written into a pack, read again from where it is found from now on.

package import RedoCrypto
package import RedoObject

/// What came of reading a new pack.
package struct PackReadBack: Sendable {
  /// The pack; `nil` when others have taken its place meanwhile.
  fileprivate let outcome: Result<Pack?, StoreError>

  /// Those of some nodes that are not in the pack.
  ///
  /// - Parameter ids: nodes that should be in it, or lie as loose objects.
  /// - Returns: those that are not in it; all when others have taken its place.
  /// - Throws: `unwritten` when it does not give back what it was made of; `system`.
  package func others(than ids: [ObjectID]) throws(StoreError) -> [ObjectID] {
    guard let pack = try outcome.get() else { return ids }
    return try pack.reading { () throws(PackError) in
      var others: [ObjectID] = []
      for id in ids where try pack.place(of: id) == nil { others.append(id) }
      return others
    } ?? ids
  }
}

extension ObjectStore {
  /// Reads a new pack: each of its frames is decoded, and each of its nodes hashed again.
  ///
  /// - Parameter name: its name, which is told by its nodes.
  /// - Returns: what came of it, errors included.
  package func readBack(_ name: Digest) -> PackReadBack {
    do throws(StoreError) {
      return PackReadBack(outcome: .success(try reread(name)))
    } catch {
      return PackReadBack(outcome: .failure(error))
    }
  }

  private func reread(_ name: Digest) throws(StoreError) -> Pack? {
    let all = try mapSystem { () throws(SystemError) in try packs.all() }
    guard let pack = all.first(where: { $0.name == name }) else { return nil }
    return try pack.reading { () throws(PackError) in
      var hash = SHA256()
      try pack.forEachFrame { _, nodes throws(PackError) in
        for node in nodes { hash.update(node.id.digest.bytes.span) }
      }
      guard hash.finalize() == name else {
        throw .corrupt(offset: 0, reason: "other nodes came back than were written")
      }
      return pack
    }
  }
}

extension Pack {
  /// Reads it; `nil` when it has gone.
  fileprivate func reading<Value>(
    _ body: () throws(PackError) -> Value
  ) throws(StoreError) -> Value? {
    do throws(PackError) {
      return try body()
    } catch {
      if case .system(let cause) = error {
        if cause.isMissing { return nil }
        throw .system(cause)
      }
      throw .unwritten(path: path, reason: error.description)
    }
  }
}
