// How an archive can contradict its own description.

package import RedoObject
package import RedoStore

/// The errors of examining an archive.
package enum ArchiveExamFault: Fault {
  /// A part of an archive's description of itself.
  package enum Part: Sendable {
    /// Its name, which is made of its nodes.
    case name
    /// The parents that it lacks.
    case prerequisites
    /// The counts and times of its directory.
    case numbers
  }

  /// An object in it is not one of its kind.
  case invalid(ObjectID, ObjectKind, path: String)
  /// Its nodes are not in the order that a pack requires.
  case misordered(PackTally.Fault, path: String)
  /// Its description of itself is wrong.
  case untrue(Part, path: String)

  /// Compares what was found in an archive with what it says of itself.
  ///
  /// - Throws: `untrue`.
  static func check(_ found: PackDirectory, _ stated: PackDirectory, path: String) throws {
    guard found != stated else { return }
    let part: Part =
      if found.name != stated.name {
        .name
      } else if found.prerequisites != stated.prerequisites { .prerequisites } else { .numbers }
    throw ArchiveExamFault.untrue(part, path: path)
  }

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .invalid, .misordered: .invalid
    case .untrue: .corrupt
    }
  }

  /// The archive as it was named.
  package var subject: String? {
    switch self {
    case .invalid(_, _, let path), .misordered(_, let path), .untrue(_, let path): path
    }
  }
}
