// The errors of a repack, and what a repack leaves as it is.

package import RedoObject
package import RedoStore

/// The errors of a repack.
package enum RepackFault: Fault {
  /// A pack cannot be read.
  case pack(PackError, path: String)
  /// The new pack does not read back as it was written.
  case unwritten(PackError)
  /// A node has disappeared.
  case gone(ObjectID)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .pack(let error, _): error.code
    case .unwritten: .system
    case .gone: .missing
    }
  }

  /// The pack or the node that it is about.
  package var subject: String? {
    switch self {
    case .pack(_, let path): path
    case .unwritten: nil
    case .gone(let id): id.text
    }
  }
}

/// Something that is left as it is, because it is damaged.
package enum TidyDamage: Sendable {
  /// An object cannot be read.
  case unreadable(any Error)
  /// A node that another one names is missing.
  case missing(ObjectID)
  /// The bytes of an object are not what they should be.
  case object(StoreError)
  /// An object claims to be of a kind, but has no place in the history of that.
  case invalid(ObjectID, ObjectKind)
  /// A pack cannot be read.
  case pack(PackError, path: String)
  /// No node can be moved, because something that may name some of them is damaged or missing.
  case unknownNodes
  /// No blob can be removed, because something that may name some of them is damaged, missing or away.
  case blobs
  /// A pack of another store or of an archive, or a list of archives, cannot be read.
  case part(path: String, reason: String)
  /// An archive or an alternate is not there.
  case away(path: String)
  /// A file ends in the middle of a record.
  case cut(path: String)
  /// The local rows cannot be read.
  case local(LocalFault)
}
