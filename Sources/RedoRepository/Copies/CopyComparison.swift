// Which nodes one copy of a history has and another one lacks, by their ids.

internal import RedoCrypto
package import RedoObject

/// Compares copies.
package struct CopyComparison {
  /// Where a node is that differs between the two.
  package enum Side: CaseIterable, Sendable {
    /// Only in the first.
    case first
    /// Only in the second.
    case second
    /// In both, with different signatures, or in one of them with several.
    case signature
  }

  /// A node that differs between the two.
  package struct Difference: Equatable, Sendable {
    /// Where it is.
    package let side: Side
    /// Its ID.
    package let id: ObjectID
  }

  /// What could not be read of a copy.
  package struct Unread: Equatable, Sendable {
    /// The copy as it was named.
    package let name: String
    /// How many nodes are there by their names alone.
    package let unreadable: Int
    /// How many values are not nodes, or not those that they say.
    package let unfit: Int
    /// How many nodes cannot be read in the store that a remote was compared with.
    package var uncompared = 0
    /// What could not be read.
    package var kind = ObjectKind.node
  }

  /// The nodes that differ, in ascending order of ID.
  package let differences: [Difference]
  /// How many nodes are the same.
  package let same: Int
  /// The copies of which not everything could be read.
  package let unread: [Unread]

  /// Compares two copies.
  ///
  /// - Parameters:
  ///   - first: one copy.
  ///   - second: the other one.
  ///   - keys: what opens those that are encrypted.
  ///   - effects: where files are, and whether the work is cancelled.
  /// - Throws: when one of them cannot be read.
  package init(
    _ first: CopySource, _ second: CopySource, _ keys: SealKeys, _ effects: Effects
  ) throws {
    let left = try first.read(keepsParents: false, keys, effects)
    let right = try second.read(keepsParents: false, keys, effects)
    var differences: [Difference] = []
    var same = 0
    let ambiguous = left.ambiguous.union(right.ambiguous)
    for (id, signature) in left.signatures {
      switch right.signatures[id] {
      case nil: differences.append(Difference(side: .first, id: id))
      case .some(let other) where other == signature && !ambiguous.contains(id): same += 1
      case .some: differences.append(Difference(side: .signature, id: id))
      }
    }
    for id in right.signatures.keys where !left.contains(id) {
      differences.append(Difference(side: .second, id: id))
    }
    self.differences = differences.sorted(on: \.id)
    self.same = same
    unread = [(first, left), (second, right)].compactMap { source, copy in copy.unread(source.name)
    }
  }
}

extension HistoryCopy {
  /// What could not be read of it; `nil` when everything could.
  package func unread(_ name: String) -> CopyComparison.Unread? {
    guard !unreadable.isEmpty || unfitCount > 0 || !uncompared.isEmpty else { return nil }
    return CopyComparison.Unread(
      name: name, unreadable: unreadable.count, unfit: unfitCount, uncompared: uncompared.count,
      kind: kind)
  }
}
