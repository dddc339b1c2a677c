// What keeps an input from being imported.

package import RedoObject
package import RedoStore

/// The errors of an import.
package enum ImportFault: Fault {
  /// It is a named pipe, which might never have a writer.
  case namedPipe(path: String)
  /// It cannot be opened.
  case unopened(path: String, SystemError)
  /// It is an archive, which is read as a file alone.
  case archive(name: String)
  /// What gzip compressed is compressed once more.
  case compressedTwice(name: String)
  /// It begins as gzip does, and is none.
  case gzip(GzipError, name: String)
  /// It is not JSON.
  case malformed(Finding, name: String)
  /// It is not JSON to its end; what is good of it can be salvaged.
  case damaged(Finding, name: String)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .namedPipe, .archive, .compressedTwice: .unsupported
    case .unopened(_, let error): error.isMissing ? .missing : .system
    case .gzip, .malformed, .damaged: .malformed
    }
  }

  /// The input.
  package var subject: String? {
    switch self {
    case .namedPipe(let path), .unopened(let path, _): path
    case .archive(let name), .compressedTwice(let name), .gzip(_, let name),
      .malformed(_, let name), .damaged(_, let name):
      name
    }
  }
}

/// Something odd about an input.
package enum ImportEvent: Sendable {
  /// It has no changes.
  case empty(name: String)
  /// It looks like a log of before version 1.
  case old(V0Document.Layout, name: String)
}
