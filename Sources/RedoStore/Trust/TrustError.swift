// What can go wrong with a trust file as a file.

package import RedoObject

/// Why a trust file could not be used.
package enum TrustError: Error, Sendable {
  /// A system call did not succeed.
  case system(SystemError)
  /// Something other than a regular file is in its place, such as a symbolic link.
  case irregular(path: String)
  /// It is larger than this release reads.
  case tooLarge(path: String)
  /// The file that a setting names does not exist.
  case missing(path: String)
  /// Another process holds its lock.
  case locked(path: String)
  /// A line is not understood, or contradicts another.
  case form(path: String, TrustFault)
}

extension TrustError: CustomStringConvertible {
  /// One line for people, without the leading word.
  package var description: String {
    switch self {
    case .system(let error): error.description
    case .irregular(let path): "trust file '\(path)' is no regular file"
    case .tooLarge(let path):
      "trust file '\(path)' has more than \(TrustFile.byteLimit) bytes"
    case .missing(let path): "trust file '\(path)' is not there"
    case .locked(let path): "'\(path)' is locked by another process"
    case .form(let path, let fault):
      "\(Rule.trustForm.id) in '\(path)', \(fault.description)"
    }
  }
}
