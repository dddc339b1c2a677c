// An open directory: every file of a store is named relative to one (openat(2)), so that nothing
// moves underneath when a path is renamed or replaced.

internal import CLinux
internal import Glibc

/// An open directory.
package struct Directory: ~Copyable, Sendable {
  private let owner: Owner
  /// The path, for messages.
  package let path: String

  /// The descriptor; it stays this directory's to close.
  package var raw: Int32 { owner.raw }

  /// Closes the descriptor.
  ///
  /// A class, because a temporary file needs its directory until it has
  /// been committed or removed, longer than the caller may keep it.
  private final class Owner: Sendable {
    let raw: Int32
    init(raw: Int32) { self.raw = raw }
    deinit { _ = close(raw) }
  }

  private init(owner: Owner, path: String) {
    self.owner = owner
    self.path = path
  }

  /// Opens a directory by its path.
  ///
  /// - Throws: what open(2) answered.
  package static func open(_ path: String) throws(SystemError) -> Directory {
    try open(at: AT_FDCWD, name: path, path: path, isFollowing: true)
  }

  /// Opens a directory in this one.
  ///
  /// - Parameters:
  ///   - name: its name; a path with slashes is allowed.
  ///   - isFollowing: whether a symbolic link may be in its place.
  /// - Returns: the open directory.
  /// - Throws: what openat(2) answered.
  package func openSubdirectory(
    _ name: String, isFollowing: Bool = true
  ) throws(SystemError) -> Directory {
    try Self.open(at: raw, name: name, path: joinPath(path, name), isFollowing: isFollowing)
  }

  private static func open(
    at descriptor: Int32, name: String, path: String, isFollowing: Bool
  ) throws(SystemError) -> Directory {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (isFollowing ? 0 : O_NOFOLLOW)
    // SAFETY: the name lives during the call.
    let raw = retryingInterrupted { unsafe linux_openat(descriptor, name, flags, 0) }
    guard raw >= 0 else { throw .last("open", path) }
    return Directory(owner: Owner(raw: raw), path: path)
  }

  /// Another hold on the same open directory, without a system call.
  package func share() -> Directory {
    Directory(owner: owner, path: path)
  }

  /// Opens a file in this directory.
  ///
  /// - Parameters:
  ///   - name: its name; a path with slashes is allowed.
  ///   - access: what it is opened for.
  ///   - options: how.
  ///   - mode: the permissions of a new file, before the umask.
  /// - Returns: the open file.
  /// - Throws: what openat(2) answered.
  package func openFile(
    _ name: String, _ access: File.Access = .read, _ options: File.Options = [],
    mode: UInt32 = 0o644
  ) throws(SystemError) -> File {
    try File.open(at: raw, path, name, access, options, mode)
  }

  /// Opens a regular file in this directory for reading; nothing else is opened, nor is a symbolic link followed.
  ///
  /// - Parameter name: its name; a path with slashes is allowed.
  /// - Returns: the open file.
  /// - Throws: `notRegular` for anything else; what openat(2) answered.
  package func openRegularFile(_ name: String) throws(SystemError) -> File {
    // Non-blocking, so that a named pipe in its place cannot hold us up.
    let file = try openFile(name, .read, [.noFollow, .nonBlocking])
    guard try file.status().kind == .regular else { throw .notRegular(file.path) }
    return file
  }

  /// Opens a file in this directory, if it exists.
  ///
  /// - Parameters:
  ///   - name: its name; a path with slashes is allowed.
  ///   - access: what it is opened for.
  ///   - options: how.
  /// - Returns: `nil` when nothing has that name.
  /// - Throws: any other answer of openat(2).
  package func openFileIfPresent(
    _ name: String, _ access: File.Access = .read, _ options: File.Options = []
  ) throws(SystemError) -> File? {
    let flags = access.flags | options.rawValue | O_CLOEXEC
    // SAFETY: the name lives during the call.
    let file = retryingInterrupted { unsafe linux_openat(raw, name, flags, 0o644) }
    if file >= 0 { return File(raw: file, isOwned: true, directory: path, name: name) }
    if errno == ENOENT { return nil }
    throw .last("open", joinPath(path, name))
  }

  /// Reads a whole regular file of this directory.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - limit: the most bytes it may have.
  ///   - isFollowing: whether a symbolic link may be in its place.
  /// - Returns: its bytes, or `nil` when nothing has that name.
  /// - Throws: EFBIG when it is larger, `notRegular` when it is something else, otherwise what the calls
  ///   answered.
  package func readFile(
    _ name: String, limit: Int = .max, isFollowing: Bool = true
  ) throws(SystemError) -> [UInt8]? {
    // Non-blocking, so that a named pipe in the place of a file cannot hold us up.
    let options: File.Options = isFollowing ? .nonBlocking : [.nonBlocking, .noFollow]
    guard let file = try openFileIfPresent(name, .read, options) else { return nil }
    guard try file.status().kind == .regular else {
      throw .notRegular(file.path)
    }
    return try file.readAll(limit: limit)
  }

  /// Changes the permissions of this directory.
  ///
  /// - Throws: what fchmod(2) answered.
  func setMode(_ mode: UInt32) throws(SystemError) {
    try File(raw: raw, isOwned: false, directory: "", name: path).setMode(mode)
  }

  /// What the kernel knows of this directory.
  ///
  /// - Throws: what fstat(2) answered.
  package func status() throws(SystemError) -> FileStatus {
    try File(raw: raw, isOwned: false, directory: "", name: path).status()
  }

  /// Waits until the names of this directory are on the medium.
  ///
  /// - Throws: what fsync(2) answered.
  package func sync() throws(SystemError) {
    guard retryingInterrupted({ fsync(raw) }) == 0 else { throw .last("fsync", path) }
  }

  /// Waits until everything written to this file system is on the medium (syncfs).
  ///
  /// - Throws: what syncfs(2) answered.
  package func syncFileSystem() throws(SystemError) {
    guard retryingInterrupted({ syncfs(raw) }) == 0 else { throw .last("syncfs", path) }
  }
}
