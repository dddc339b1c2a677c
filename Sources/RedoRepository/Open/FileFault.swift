// A file that could not be read or written, with the name that was given for it.

package import RedoStore

/// The errors of work on a file that somebody named.
package enum FileFault: Fault {
  /// A call about it failed.
  case failed(SystemError, path: String)
  /// It is a directory, a device or the like.
  case irregular(path: String)
  /// It exists, and must not be replaced.
  case taken(path: String)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .failed: .system
    case .irregular: .invalid
    case .taken: .refused
    }
  }

  /// The file as it was given.
  package var subject: String? {
    switch self {
    case .failed(_, let path), .irregular(let path), .taken(let path): path
    }
  }

  /// Makes system calls on a file.
  ///
  /// - Parameters:
  ///   - path: the file as it was given.
  ///   - calls: the calls.
  /// - Returns: their result.
  /// - Throws: `failed` in place of the kernel's error; any other error of the calls.
  package static func naming<Value: ~Copyable>(
    _ path: String, _ calls: () throws -> Value
  ) throws -> Value {
    do {
      return try calls()
    } catch let error as SystemError {
      throw FileFault.failed(error, path: path)
    }
  }
}
