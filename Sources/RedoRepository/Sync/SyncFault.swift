// What keeps nodes from being sent or received on this side.

package import RedoStore

/// The errors of an exchange on this side.
package enum SyncFault: Fault {
  /// Another synchronisation of the store is under way; its lock.
  case busy(lock: String)
  /// A bundle has changed since it was opened.
  case changedBundle(path: String)
  /// A hook cannot be run.
  case unstartableHook(name: String, SystemError)
  /// A hook must not be run; the reason.
  case foreignHook(name: String, reason: String)
  /// Another server has the documents of the store open; what their log says about it.
  case busyDocuments(DocumentLogError)
  /// The documents of the store are damaged; where and how.
  case damagedDocuments(DocumentLogError)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .busy, .busyDocuments: .unavailable
    case .changedBundle, .damagedDocuments: .corrupt
    case .unstartableHook: .system
    case .foreignHook: .refused
    }
  }

  /// The lock, the bundle, the node or the hook.
  package var subject: String? {
    switch self {
    case .busy(let lock): lock
    case .changedBundle(let path): path
    case .unstartableHook(let name, _), .foreignHook(let name, _): name
    case .busyDocuments(let error), .damagedDocuments(let error): RedoError(error).subject
    }
  }
}
