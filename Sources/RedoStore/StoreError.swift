// What can go wrong with objects in a place.

package import RedoObject

/// An operation on a store that could not be done.
package enum StoreError: Error, Sendable {
  /// A system call did not succeed.
  case system(SystemError)
  /// An object's bytes are not what its name and header say.
  case corrupt(ObjectID, path: String, reason: String)
  /// An object is larger than this release reads or writes.
  case tooLarge(ObjectID, sizeBytes: Int)
  /// An object lies in a registered archive, which is not there.
  case offline(ObjectID, path: String)
  /// It is not known what registered archives contain.
  case archives(reason: String)
  /// What is read back differs from what was written: the file does not get its name.
  case unwritten(path: String, reason: String)
  /// Another process holds the store's lock.
  case locked(path: String)
}

extension StoreError: CustomStringConvertible {
  /// One line for people, without the leading word.
  package var description: String {
    switch self {
    case .system(let error): error.description
    case .corrupt(let id, let path, let reason):
      "object '\(id.text)' is corrupt: \(reason) (in '\(path)')"
    case .tooLarge(let id, let sizeBytes):
      "object '\(id.text)' has \(sizeBytes) bytes, more than \(LooseFormat.sizeLimit)"
    case .offline(let id, let path):
      "object '\(id.text)' is archived in '\(path)', which is away or another file now"
    case .archives(let reason): reason
    case .unwritten(let path, let reason):
      "'\(path)' cannot be read back as it was written: \(reason)"
    case .locked(let path): "'\(path)' is locked by another process"
    }
  }
}
