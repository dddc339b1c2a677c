// What keeps local rows from being read and written.

package import RedoObject
package import RedoStore

/// The errors of local rows.
package enum LocalFault: Fault {
  /// The file is damaged, or cannot be read.
  case damaged(RefsError)
  /// A row of the file breaks a rule.
  case broken(path: String, Finding)
  /// A row that is to be written breaks a rule.
  case unfit(Finding)
  /// A row has a value that another one has, and that no two may have.
  case taken(LocalRow.Key, column: String, by: String)
  /// There would be more active people in the circle than may be.
  case circleFull(limit: Int)
  /// A chain would have more pictures than may be.
  case tooManyImages(limit: Int)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .damaged, .broken: .corrupt
    case .unfit: .invalid
    case .taken, .circleFull, .tooManyImages: .refused
    }
  }

  /// The file, or the key of the row.
  package var subject: String? {
    switch self {
    case .damaged: Layout.local
    case .broken(let path, _): path
    case .taken(let key, _, _): key.text
    case .unfit, .circleFull, .tooManyImages: nil
    }
  }
}
