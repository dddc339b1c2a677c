// An open file: a descriptor that is closed exactly once (open(2), close(2)).

internal import CLinux
internal import Glibc

/// An open file, closed when it goes out of scope.
package struct File: ~Copyable, Sendable {
  /// The descriptor, for hot loops that make their own calls; it stays this file's to close.
  package let raw: Int32
  private let isOwned: Bool
  private let directory: String
  private let name: String

  /// The path, for messages.
  package var path: String { joinPath(directory, name) }

  /// Takes over a descriptor.
  ///
  /// - Parameters:
  ///   - raw: an open descriptor.
  ///   - isOwned: whether to close it in the end.
  ///   - directory: the directory of the file, for messages.
  ///   - name: its name there, for messages.
  init(raw: Int32, isOwned: Bool, directory: String, name: String) {
    self.raw = raw
    self.isOwned = isOwned
    self.directory = directory
    self.name = name
  }

  deinit {
    // Linux frees the descriptor even when close is interrupted, so it is never repeated.
    if isOwned { _ = close(raw) }
  }

  /// What a file is opened for.
  package enum Access: Sendable {
    /// Reading only.
    case read
    /// Writing only.
    case write
    /// Both.
    case readWrite

    var flags: Int32 {
      switch self {
      case .read: O_RDONLY
      case .write: O_WRONLY
      case .readWrite: O_RDWR
      }
    }
  }

  /// How a file is opened; O_CLOEXEC is always set.
  package struct Options: OptionSet, Sendable {
    /// The bits.
    package let rawValue: Int32

    /// Options of these bits of open(2).
    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// Several options together.
    ///
    /// SetAlgebra has one as well, which other modules can only call unspecialized: it looks up types
    /// and conformances at run time, a quarter of all that a process does to hash one object.
    package init(arrayLiteral elements: Options...) {
      rawValue = elements.reduce(0) { $0 | $1.rawValue }
    }

    /// Make the file when it is missing.
    package static var create: Options { Options(rawValue: O_CREAT) }
    /// With `create`: refuse a name that exists.
    package static var exclusive: Options { Options(rawValue: O_EXCL) }
    /// Throw its contents away.
    package static var truncate: Options { Options(rawValue: O_TRUNC) }
    /// Each write appends to the end.
    package static var append: Options { Options(rawValue: O_APPEND) }
    /// Refuse a symbolic link (ELOOP).
    package static var noFollow: Options { Options(rawValue: O_NOFOLLOW) }
    /// Do not wait for the other end of a named pipe.
    package static var nonBlocking: Options { Options(rawValue: O_NONBLOCK) }
  }

  /// Opens a file by its path.
  ///
  /// - Parameters:
  ///   - path: relative to the working directory, or absolute.
  ///   - access: what it is opened for.
  ///   - options: how.
  ///   - mode: the permissions of a new file, before the umask.
  /// - Returns: the open file.
  /// - Throws: what open(2) answered.
  package static func open(
    _ path: String, _ access: Access = .read, _ options: Options = [], mode: UInt32 = 0o644
  ) throws(SystemError) -> File {
    try open(at: AT_FDCWD, "", path, access, options, mode)
  }

  /// Opens a regular file by a path that a store, a manifest or a setting names; nothing else is opened.
  ///
  /// Opening a device may already do something, reading one may never end, and a named pipe would hold us up.
  ///
  /// - Parameter path: relative to the working directory, or absolute; symbolic links are followed.
  /// - Returns: the file, open for reading.
  /// - Throws: `notRegular` for anything else; what stat(2) or open(2) answered.
  package static func openRegular(_ path: String) throws(SystemError) -> File {
    guard let known = try FileStatus.at(path) else { throw .missing(path) }
    guard known.kind == .regular else { throw .notRegular(path) }
    let file = try open(path, .read, [.nonBlocking])
    // Something else may have taken its place meanwhile.
    guard try file.status().kind == .regular else { throw .notRegular(path) }
    return file
  }

  static func open(
    at descriptor: Int32, _ directory: String, _ name: String, _ access: Access,
    _ options: Options, _ mode: UInt32
  ) throws(SystemError) -> File {
    let flags = access.flags | options.rawValue | O_CLOEXEC
    // SAFETY: the name lives during the call.
    let raw = retryingInterrupted { unsafe linux_openat(descriptor, name, flags, mode) }
    guard raw >= 0 else {
      let isNew = options.contains(.create)
      throw .last(isNew ? "create" : "open", joinPath(directory, name))
    }
    return File(raw: raw, isOwned: true, directory: directory, name: name)
  }

  /// Standard input, borrowed: never closed.
  package static var standardInput: File { standard(0, "standard input") }
  /// Standard output, borrowed: never closed.
  package static var standardOutput: File { standard(1, "standard output") }
  /// Standard error, borrowed: never closed.
  package static var standardError: File { standard(2, "standard error") }

  private static func standard(_ raw: Int32, _ name: String) -> File {
    File(raw: raw, isOwned: false, directory: "", name: name)
  }

  /// What the kernel knows of the file.
  ///
  /// - Throws: what fstat(2) answered.
  package func status() throws(SystemError) -> FileStatus {
    var status = stat()
    // SAFETY: the call fills in the plain struct.
    guard retryingInterrupted({ unsafe fstat(raw, &status) }) == 0 else {
      throw .last("stat", path)
    }
    return FileStatus(status)
  }

  /// Whether it is a terminal.
  package var isTerminal: Bool { isatty(raw) == 1 }
}
