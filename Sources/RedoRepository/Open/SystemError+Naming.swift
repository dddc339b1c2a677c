// Failed system calls, by the name that people gave to the file.

internal import RedoStore

extension SystemError {
  /// The same about a file that people call by another name than the call did.
  ///
  /// - Parameter path: what they call it.
  /// - Returns: the error to throw: a file that is beyond its limit is an `InputError`.
  package func named(_ path: String) -> any Error {
    isTooLarge
      ? InputError.tooLarge(path) : SystemError(code: code, operation: operation, path: path)
  }

  /// Runs system calls on a file that people call by another name.
  ///
  /// - Parameters:
  ///   - path: what they call it.
  ///   - calls: the calls.
  /// - Returns: what they give.
  /// - Throws: what the kernel answered, with that name.
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
