// Snapshots by prefixes of their names.

package import RedoObject

extension SnapshotShelf {
  /// The length of the shortest prefix of a name, as for IDs.
  private static let shortest = 4

  /// The snapshots whose names begin with these texts.
  ///
  /// - Throws: `SnapshotNameFault` when a text is the prefix of no name, or of several.
  package static func named(
    _ texts: [String], among names: [ObjectID]
  ) throws -> [ObjectID] {
    var found: [ObjectID] = []
    for text in texts {
      guard text.utf8.count >= shortest else {
        throw SnapshotNameFault.short(text, shortest: shortest)
      }
      let fitting = names.filter { $0.hex.hasPrefix(text) }
      guard let name = fitting.first else {
        throw SnapshotNameFault.unknown(text)
      }
      guard fitting.count == 1 else {
        throw SnapshotNameFault.ambiguous(text)
      }
      if !found.contains(name) { found.append(name) }
    }
    return found
  }
}

/// Why a text does not name a snapshot.
package enum SnapshotNameFault: Fault {
  /// It is too short for a prefix of a name.
  case short(String, shortest: Int)
  /// No name begins with it.
  case unknown(String)
  /// Several names begin with it.
  case ambiguous(String)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .short, .ambiguous: .invalid
    case .unknown: .missing
    }
  }

  /// The text.
  package var subject: String? {
    switch self {
    case .short(let text, _), .unknown(let text), .ambiguous(let text): text
    }
  }
}
