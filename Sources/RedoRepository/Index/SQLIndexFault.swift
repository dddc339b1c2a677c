// What keeps the index from being kept or asked.

package import RedoStore

/// The errors of the index.
package enum SQLIndexFault: Fault {
  /// The program that keeps the index is not there.
  case noProgram(String)
  /// That program has ended, or says what nobody expects.
  case gone(program: String, ChildEnd)
  /// Another process changes the index.
  case busy(path: String)
  /// There is no index, and none was to be made.
  case missing(path: String)
  /// The store is not known as the user's own: whoever made it may have made its index.
  case foreign(path: String)
  /// What was asked is not what may be asked, or not understood; with what the program says of it.
  case question(code: String, detail: String)
  /// The index cannot be opened or written; with what the program says of it.
  case failed(code: String, detail: String, path: String)

  /// The codes of an index that is built anew.
  static let replaced: Set = ["db-missing", "db-damaged", "db-foreign", "db-version"]
  /// The codes of what somebody has asked.
  static let questions: Set = ["not-select", "query", "limit"]

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .noProgram, .missing: .missing
    case .gone: .system
    case .busy: .unavailable
    case .foreign, .question: .refused
    case .failed(let code, _, _): Self.replaced.contains(code) ? .corrupt : .system
    }
  }

  /// The program, the index or the store.
  package var subject: String? {
    switch self {
    case .noProgram(let name), .gone(let name, _): name
    case .busy(let path), .missing(let path), .foreign(let path), .failed(_, _, let path): path
    case .question: nil
    }
  }
}

/// Something about the index.
package enum SQLIndexEvent: Sendable {
  /// It was not usable, and is built anew; with the code of what was wrong.
  case replaced(code: String, path: String)
  /// It does not have the present state of the store, and is not brought up to it.
  case stale(path: String)
  /// What the program that keeps it says: `no-wal`, `immutable`.
  case warning(String, path: String)
}
