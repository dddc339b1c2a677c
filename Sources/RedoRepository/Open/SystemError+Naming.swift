// Failed system calls, with the name that people gave to the file.

internal import RedoStore

extension SystemError {
  /// The same error about a file that has another name for people than in the call.
  ///
  /// - Parameter path: the name for people.
  /// - Returns: the error to throw: a file that exceeds its limit is an `InputError`.
  package func named(_ path: String) -> any Error {
    isTooLarge
      ? InputError.tooLarge(path) : SystemError(code: code, operation: operation, path: path)
  }

  /// Makes system calls on a file that has another name for people.
  ///
  /// - Parameters:
  ///   - path: the name for people.
  ///   - calls: the calls.
  /// - Returns: their result.
  /// - Throws: the kernel's error, with that name.
  package static func naming<Value: ~Copyable>(
    _ path: String, _ calls: () throws -> Value
  ) throws -> Value {
    do {
      return try calls()
    } catch let error as SystemError {
      throw error.named(path)
    }
  }
}
