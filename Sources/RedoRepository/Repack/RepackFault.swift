// The errors of a repack, and what a repack leaves as it is.

package import RedoObject
package import RedoStore

/// The errors of a repack.
package enum RepackFault: Fault {
  /// A pack cannot be read.
  case pack(PackError, path: String)
  /// The new pack is not read back as it was written.
  case unwritten(PackError)
  /// A node was there, and is there no longer.
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

/// Something that stays as it is, because it is damaged.
package enum TidyDamage: Sendable {
  /// An object cannot be read.
  case unreadable(any Error)
  /// A node is missing that another one names.
  case missing(ObjectID)
  /// An object whose bytes are not what they should be.
  case object(StoreError)
  /// An object that says that it is a node, and is no valid one.
  case invalidNode(ObjectID)
  /// A pack that cannot be read.
  case pack(PackError, path: String)
  /// All nodes that might be moved, while something that may know of them is damaged or missing.
  case unknownNodes
}
