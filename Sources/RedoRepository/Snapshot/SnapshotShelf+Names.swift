// Snapshots by the beginnings of their names.

package import RedoObject

extension SnapshotShelf {
  /// The shortest beginning of a name, as of ids.
  private static let shortest = 4

  /// The snapshots of which the names begin so.
  ///
  /// - Throws: `SnapshotNameFault` when one begins no name, or several.
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

/// What keeps a text from naming a snapshot.
package enum SnapshotNameFault: Fault {
  /// It is shorter than the beginning of a name may be.
  case short(String, shortest: Int)
  /// No name begins so.
  case unknown(String)
  /// Several names begin so.
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
