// What keeps an archive from being made, read, or named.

package import RedoObject
package import RedoStore

/// The errors of work on archives.
package enum ArchiveFault: Fault {
  /// A node that an archive is to hold is not in the history.
  case outside(ObjectID)
  /// No registered archive has the name.
  case unknown(String)
  /// A name matches several registered archives.
  case ambiguous(String, [RegisteredArchive])
  /// The file of a registered archive has disappeared in the meantime.
  case gone
  /// It is not a regular file, and cannot be registered.
  case irregular(path: String)
  /// The file is not a readable archive.
  case pack(PackError, path: String)
  /// The file is encrypted, and what it has is no archive.
  case sealedOther(path: String)
  /// A text is not the beginning of an ID.
  case malformedName(String)
  /// An archive has no node of the given name.
  case noNode(String, path: String)
  /// An archive has several nodes of the given name.
  case severalNodes(String, [ObjectID], path: String)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .outside, .unknown, .gone, .noNode: .missing
    case .ambiguous, .irregular, .severalNodes: .invalid
    case .malformedName, .sealedOther: .malformed
    case .pack(let error, _): error.code
    }
  }

  /// The file, name or node that it is about.
  package var subject: String? {
    switch self {
    case .outside(let id): id.text
    case .unknown(let name), .ambiguous(let name, _), .malformedName(let name),
      .noNode(let name, _), .severalNodes(let name, _, _):
      name
    case .gone: nil
    case .irregular(let path), .pack(_, let path), .sealedOther(let path): path
    }
  }
}

extension PackError {
  /// The kind of error when a pack cannot be read.
  var code: RedoError.Code {
    switch self {
    case .system: .system
    case .notPack: .malformed
    case .locked: .denied
    case .unsupported, .kind: .unsupported
    case .corrupt: .corrupt
    }
  }
}
