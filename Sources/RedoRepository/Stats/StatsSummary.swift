// The result of counting the objects of a store.

package import RedoObject
package import RedoStore

/// The criteria by which objects are counted.
package enum StatsDimension: String, CaseIterable, Sendable {
  case kind, place, action, author, device, month
}

/// How many, and how large.
package struct StatsTally: Equatable, Sendable {
  /// How many there are.
  package internal(set) var count = 0
  /// The number of bytes that reading them returns.
  package internal(set) var size = 0
  /// The number of bytes of their files.
  package internal(set) var disk = 0

  /// Creates an empty tally.
  package init() {}

  /// Counts one more.
  mutating func add(size: Int, disk: Int) {
    count += 1
    self.size += size
    self.disk += disk
  }
}

/// The result of counting.
package struct StatsSummary: Sendable {
  /// Something that cannot be read.
  package enum Damage: Sendable {
    /// An object.
    case object(StoreError)
    /// A pack.
    case pack(path: String, reason: String)
    /// This many nodes in an archive that is away.
    case offline(path: String, nodes: Int)
  }

  /// Nodes of the history.
  package internal(set) var changes = StatsTally()
  /// Nodes that no head reaches.
  package internal(set) var outside = StatsTally()
  /// Nodes that a head or a child names, and that are missing or damaged.
  package internal(set) var missing = 0
  /// What cannot be read.
  package internal(set) var damage: [Damage] = []
  /// The files of the store: its own objects, refs and settings.
  package internal(set) var fileSize = 0
  /// When the refs changed last.
  package internal(set) var lastModified = WallTime(milliseconds: 0)
  /// Objects by kind and place, nodes of the history by the rest.
  package internal(set) var tallies: [StatsDimension: [String: StatsTally]] = [:]
  /// The name that an author used last.
  package internal(set) var authorNames: [String: String] = [:]
}
