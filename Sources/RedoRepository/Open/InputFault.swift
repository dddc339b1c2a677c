// What keeps a named file from being read.

/// The errors of reading an input.
package enum InputFault: Fault {
  /// It is a directory.
  case directory(path: String)
  /// It is a named pipe, which might never have a writer.
  case namedPipe(path: String)
  /// It has a form that is known but cannot be read.
  case foreign(name: String, ForeignFile.Form)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .directory, .namedPipe: .invalid
    case .foreign: .unsupported
    }
  }

  /// The file.
  package var subject: String? {
    switch self {
    case .directory(let path), .namedPipe(let path): path
    case .foreign(let name, _): name
    }
  }
}
