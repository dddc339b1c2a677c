// Which nodes are in one archive and not in another, or in the history of the store. About 150 bytes are kept for
// each node of the first.

internal import RedoCrypto
package import RedoObject
internal import RedoStore

/// Compares archives.
package struct ArchiveComparison {
  /// Where a node is that differs between the two.
  package enum Side: CaseIterable, Sendable {
    /// Only in the first.
    case first
    /// Only in the second.
    case second
    /// In both, with different signatures.
    case signature
  }

  /// A node that differs between the two.
  package struct Difference: Equatable, Sendable {
    /// Where it is.
    package let side: Side
    /// Its ID.
    package let id: ObjectID
  }

  private var first: [ObjectID: Signature?] = [:]
  /// The nodes that differ, in ascending order of ID.
  package private(set) var differences: [Difference] = []
  /// How many nodes are the same.
  package private(set) var same = 0

  /// Compares an archive with another one, or with the history.
  ///
  /// - Parameters:
  ///   - path: the archive.
  ///   - other: the other one; `nil` for the history of the store.
  ///   - keys: what opens those that are encrypted.
  ///   - effects: where files and the store are.
  /// - Returns: how they differ.
  /// - Throws: when an archive or the store cannot be read.
  package static func run(
    _ path: String, with other: String?, _ keys: SealKeys, _ effects: Effects
  ) throws -> ArchiveComparison {
    var comparison = ArchiveComparison()
    try forEachNode(of: path, keys, effects) { node in
      comparison.first.updateValue(node.signature, forKey: node.id)
    }
    if let other {
      try forEachNode(of: other, keys, effects) { node in
        comparison.addSecond(node.id, node.signature)
      }
    } else {
      try comparison.addHistory(effects)
    }
    comparison.finish()
    return comparison
  }

  private static func forEachNode(
    of path: String, _ keys: SealKeys, _ effects: Effects, _ body: (StoredObject) -> Void
  ) throws {
    let file = try ArchiveFile(path, keys, effects)
    try file.check()
    try file.forEachFrame(effects) { nodes, _ in
      for node in nodes { body(node) }
    }
  }

  /// Adds the history; only nodes that both have are read, for their signatures.
  private mutating func addHistory(_ effects: Effects) throws {
    let opened = try effects.openRepository()
    var both: [ObjectID] = []
    for id in try ArchiveSet(opened, usesCache: true).ids {
      if first[id] != nil { both.append(id) } else { addSecond(id, nil) }
    }
    try HistoryWalk.forEach(
      both, opened.objects
    ) { object, _ throws in
      (object.id, object.signature)
    } _: { node throws in
      addSecond(node.0, node.1)
    }
  }

  private mutating func addSecond(_ id: ObjectID, _ signature: Signature?) {
    guard let known = first.removeValue(forKey: id) else {
      differences.append(Difference(side: .second, id: id))
      return
    }
    if known == signature {
      same += 1
    } else {
      differences.append(Difference(side: .signature, id: id))
    }
  }

  private mutating func finish() {
    differences += first.keys.map { Difference(side: .first, id: $0) }
    first = [:]
    differences = differences.sorted(on: \.id)
  }
}
