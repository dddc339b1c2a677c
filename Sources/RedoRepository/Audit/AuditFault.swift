// What keeps an audit from beginning.

package import RedoStore

/// What ends an audit before it has begun.
package enum AuditFault: Fault {
  /// A setting weighs the findings of a rule by a word that means nothing, or too little; why not.
  case weight(String, key: String, place: String, refusal: String)
  /// The path of the skip list begins at home, and nobody says where that is.
  case noHome(path: String)
  /// The skip list cannot be read.
  case skipList(SystemError)
  /// A line of the skip list is no ID.
  case skipListLine(Int, path: String)

  /// What kind of end it is.
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
