// What the kernel knows of a file without reading it (inode(7)).

internal import Glibc

/// The kind of thing that has a name.
package enum FileKind: Sendable {
  /// A file with bytes.
  case regular
  /// A directory.
  case directory
  /// A symbolic link, seen because it was not followed.
  case symbolicLink
  /// A named pipe.
  case fifo
  /// A device or a socket.
  case other
}

/// What fstat(2) and its siblings tell.
package struct FileStatus: Sendable {
  /// The kind of the file.
  package let kind: FileKind
  /// Its size in bytes.
  package let size: Int
  /// Its permission bits, the lowest twelve of its mode.
  package let mode: UInt32
  /// The user who owns it.
  package let userID: UInt32
  /// When its contents changed last, in nanoseconds since 1970.
  package let modifiedNanoseconds: Int64
  /// Its file system.
  package let device: UInt64
  /// Its number within the file system; with `device` it names the file.
  package let inode: UInt64

  /// Whether both describe the same file, whatever its names.
  package func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .regular
    case S_IFDIR: kind = .directory
    case S_IFLNK: kind = .symbolicLink
    case S_IFIFO: kind = .fifo
    default: kind = .other
    }
    size = Int(status.st_size)
    mode = UInt32(status.st_mode) & 0o7777
    userID = UInt32(status.st_uid)
    // A file system may hold years that do not fit, and an archive that is unpacked may name them.
    let seconds = min(max(Int64(status.st_mtim.tv_sec), -9_000_000_000), 9_000_000_000)
    modifiedNanoseconds = seconds * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// Asks about a path, following symbolic links.
  ///
  /// - Returns: `nil` when nothing has that name.
  /// - Throws: any other answer of stat(2).
  package static func at(_ path: String) throws(SystemError) -> FileStatus? {
    var status = stat()
    // SAFETY: the path lives during the call, which fills in the plain struct.
    if retryingInterrupted({ unsafe stat(path, &status) }) == 0 {
      return FileStatus(status)
    }
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw .last("stat", path)
  }
}
