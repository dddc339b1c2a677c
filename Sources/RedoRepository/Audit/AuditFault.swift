// What keeps an audit from beginning.

package import RedoStore

/// The errors that keep an audit from starting.
package enum AuditFault: Fault {
  /// A setting gives the findings of a rule an unknown or too low severity; the refusal says why.
  case weight(String, key: String, place: String, refusal: String)
  /// The path of the skip list begins with the home directory, and nobody says where that is.
  case noHome(path: String)
  /// The skip list cannot be read.
  case skipList(SystemError)
  /// A line of the skip list is not an ID.
  case skipListLine(Int, path: String)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .weight: .invalid
    case .noHome: .missing
    case .skipList: .system
    case .skipListLine: .malformed
    }
  }

  /// The setting or the file.
  package var subject: String? {
    switch self {
    case .weight(_, let key, _, _): key
    case .noHome(let path), .skipListLine(_, let path): path
    case .skipList(let error): error.path
    }
  }
}
