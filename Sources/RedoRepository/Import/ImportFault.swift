// What keeps an input from being imported.

package import RedoObject
package import RedoStore

/// The errors of an import.
package enum ImportFault: Fault {
  /// It is a named pipe, which might never have a writer.
  case namedPipe(path: String)
  /// It cannot be opened.
  case unopened(path: String, SystemError)
  /// It is an archive, where a log from before version 1 is wanted.
  case archive(name: String)
  /// It is compressed with gzip twice.
  case compressedTwice(name: String)
  /// It begins like gzip, but is not.
  case gzip(GzipError, name: String)
  /// It is a CAR file that is damaged, or has other blocks than nodes and signatures; the byte.
  case blocks(offset: Int, name: String)
  /// It is not JSON.
  case malformed(Finding, name: String)
  /// It is not JSON to its end; the intact part can be salvaged.
  case damaged(Finding, name: String)
  /// It is a database where none is read, or does not come as a file.
  case unreadDatabase(name: String)
  /// It is a database that cannot be taken in; the code of redo-index-sqlite(1), and what that says of it.
  case database(code: String, detail: String, name: String)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .namedPipe, .archive, .compressedTwice, .unreadDatabase: .unsupported
    case .database(let code, _, _):
      switch code {
      case "db-damaged", "db-foreign": .malformed
      case "db-version": .unsupported
      case "db-missing": .missing
      case "db-busy": .unavailable
      case "app", "constraint", "limit", "query": .invalid
      default: .system
      }
    case .unopened(_, let error): error.isMissing ? .missing : .system
    case .gzip, .blocks, .malformed, .damaged: .malformed
    }
  }

  /// The input.
  package var subject: String? {
    switch self {
    case .namedPipe(let path), .unopened(let path, _): path
    case .archive(let name), .compressedTwice(let name), .gzip(_, let name),
      .blocks(_, let name), .malformed(_, let name), .damaged(_, let name),
      .unreadDatabase(let name), .database(_, _, let name):
      name
    }
  }
}

/// Something odd about an input.
package enum ImportEvent: Sendable {
  /// It has no changes.
  case empty(name: String)
  /// It looks like a log from before version 1.
  case old(V0Document.Layout, name: String)
  /// It is a database with rows of a table that is not taken over.
  case rowsLeft(Int, table: String, name: String)
  /// It is a database that names bytes which it does not have, so often.
  case picturesLacking(Int, name: String)
}
