// What keeps a registered archive from being forgotten or brought back.

package import RedoStore

/// The errors of work on registered archives.
package enum RegisteredFault: Fault {
  /// It cannot be determined which nodes an archive has.
  case unknownNodes(path: String, StoreError)
  /// This many nodes of an archive are nowhere else in the store.
  case onlyCopy(RegisteredArchive, missing: Int)
  /// The file is not the one that was registered.
  case changed(path: String)
  /// The file cannot be read.
  case unreadable(path: String, SystemError)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .unknownNodes(_, let error): RedoError(error).code
    case .onlyCopy: .refused
    case .changed: .corrupt
    case .unreadable: .system
    }
  }

  /// The file of the archive.
  package var subject: String? {
    switch self {
    case .unknownNodes(let path, _), .changed(let path), .unreadable(let path, _): path
    case .onlyCopy(let archive, _): archive.path
    }
  }
}
