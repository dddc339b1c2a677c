// What can go wrong with a keyring; the codes are those of the documents (KEYCHAIN_001 to 003).

/// An operation on a keyring that could not be done.
package enum KeyringError: Error, Hashable, Sendable {
  /// Somebody but the owner may read or write it.
  case exposed(path: String, mode: UInt32)
  /// It belongs to another user.
  case foreign(path: String, userID: UInt32)
  /// Something else is in the place of a directory or a regular file, such as a symbolic link.
  case irregular(path: String)
  /// It cannot be read.
  case unreadable(SystemError)
  /// It cannot be written.
  case unwritable(SystemError)
  /// It does not hold what it should.
  case malformed(path: String, reason: String)
  /// Another process writes it.
  case locked(path: String)

  /// The documents' name for this error.
  package var code: String? {
    switch self {
    case .unwritable: "KEYCHAIN_001"
    case .exposed, .foreign, .irregular, .unreadable: "KEYCHAIN_002"
    case .malformed: "KEYCHAIN_003"
    case .locked: nil
    }
  }
}

extension KeyringError: CustomStringConvertible {
  /// One line for people; never a part of a secret.
  package var description: String {
    switch self {
    case .exposed(let path, let mode):
      "others than the owner have rights on '\(path)' (mode \(Self.octal(mode)))"
    case .foreign(let path, let user): "'\(path)' belongs to another user (\(user))"
    case .irregular(let path): "'\(path)' is neither a directory of secrets nor a regular file"
    case .unreadable(let error), .unwritable(let error): error.description
    case .malformed(let path, let reason): "'\(path)' does not hold what it should: \(reason)"
    case .locked(let path): "'\(path)' is locked by another process"
    }
  }

  private static func octal(_ mode: UInt32) -> String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }

  static func reading<Value: ~Copyable>(
    _ body: () throws(SystemError) -> Value
  ) throws(KeyringError) -> Value {
    do throws(SystemError) { return try body() } catch { throw .unreadable(error) }
  }

  static func writing<Value: ~Copyable>(
    _ body: () throws(SystemError) -> Value
  ) throws(KeyringError) -> Value {
    do throws(SystemError) { return try body() } catch { throw .unwritable(error) }
  }
}
