// The one error of this folder: which call, on what, and what the kernel answered (errno(3)).

internal import Glibc

/// A system call that did not succeed.
package struct SystemError: Error, Hashable, Sendable {
  /// The kernel's error number.
  package let code: Int32
  /// The name of the call, such as `open` or `fsync`.
  package let operation: String
  /// The file or directory that it concerns; empty without one.
  package let path: String

  /// An error with all its parts.
  package init(code: Int32, operation: String, path: String) {
    self.code = code
    self.operation = operation
    self.path = path
  }

  /// The error of a call that has just answered -1.
  static func last(_ operation: String, _ path: String) -> SystemError {
    SystemError(code: errno, operation: operation, path: path)
  }

  /// The error of opening a file that does not exist.
  static func missing(_ path: String) -> SystemError {
    SystemError(code: ENOENT, operation: "open", path: path)
  }

  /// The error of reading something that is not a regular file.
  package static func notRegular(_ path: String) -> SystemError {
    SystemError(code: notRegularCode, operation: "read", path: path)
  }

  /// The error of writing to a store for which a hook has not given its answer yet.
  package static func hookRuns(_ path: String) -> SystemError {
    SystemError(code: hookRunsCode, operation: "write to", path: path)
  }

  /// No number of the kernel's: it is a matter of what the environment says.
  private static let hookRunsCode: Int32 = -2

  /// No number of the kernel's: it reads devices and pipes, we do not.
  private static let notRegularCode: Int32 = -1

  /// Whether the file or directory does not exist.
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
  /// Whether the name exists already.
  package var isExisting: Bool { code == EEXIST }
  /// Whether something is in a directory that is to be empty.
  package var isNotEmpty: Bool { code == ENOTEMPTY || code == EEXIST }
  /// Whether something other than a regular file is in its place.
  package var isNotRegular: Bool { code == Self.notRegularCode || code == EISDIR }
  /// Whether access was refused.
  package var isRefused: Bool { code == EACCES || code == EPERM || code == EROFS }
  /// Whether there is a symbolic link where none is followed.
  package var isSymbolicLink: Bool { code == ELOOP }
  /// Whether there is a device or a socket without a peer in the place of a file.
  package var isUnopenable: Bool { code == ENXIO || code == ENODEV }
  /// Whether the reader of a pipe has gone.
  package var isBrokenPipe: Bool { code == EPIPE }
  /// Whether a file exceeds the size that was allowed for it.
  package var isTooLarge: Bool { code == EFBIG }
}

extension SystemError: CustomStringConvertible {
  /// One line for people: `cannot open '/x/y': permission denied`.
  package var description: String {
    let subject = path.isEmpty ? "" : " '\(path)'"
    return "cannot \(operation)\(subject): \(reason)"
  }

  /// The C library's text for the error number, its first letter in lower case.
  package var reason: String { Self.reason(of: code) }

  /// The C library's text for an error number, its first letter in lower case.
  ///
  /// An abbreviation such as `RFS` would keep its capitals.
  package static func reason(of code: Int32) -> String {
    if code == notRegularCode { return "it is no regular file" }
    if code == hookRunsCode { return "a hook is still asked about what comes" }
    var text = [CChar](repeating: 0, count: 256)
    // SAFETY: strerror_r writes at most 256 bytes into the buffer, with a final NUL.
    let status = unsafe strerror_r(code, &text, text.count)
    guard status == 0 else { return "error \(code)" }
    let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    guard let first = bytes.first, bytes.count > 1, bytes[1] >= UInt8(ascii: "a") else {
      return String(decoding: bytes, as: UTF8.self)
    }
    let isCapital = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= first
    return String(decoding: [isCapital ? first | 0x20 : first] + bytes.dropFirst(), as: UTF8.self)
  }
}
