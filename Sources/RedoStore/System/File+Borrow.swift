// Descriptors that belong to somebody else, such as standard input, and links themselves.

internal import Glibc

extension File {
  /// A descriptor that stays open when this is released.
  ///
  /// - Parameters:
  ///   - descriptor: an open descriptor.
  ///   - name: what messages call it.
  /// - Returns: the file.
  package static func borrowing(_ descriptor: Int32, name: String) -> File {
    File(raw: descriptor, isOwned: false, directory: "", name: name)
  }
}

extension FileStatus {
  /// Queries a path itself, even if it is a symbolic link.
  ///
  /// - Returns: `nil` when nothing has that name.
  /// - Throws: any other answer of lstat(2).
  package static func ofLink(at path: String) throws(SystemError) -> FileStatus? {
    var status = stat()
    // SAFETY: the path lives during the call, which fills in the plain struct.
    if retryingInterrupted({ unsafe lstat(path, &status) }) == 0 { return FileStatus(status) }
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw .last("stat", path)
  }
}
