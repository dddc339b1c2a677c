// A second name for a file, and a move from one directory to another: what is put aside keeps its bytes.

internal import CLinux
internal import Glibc

extension Directory {
  /// Gives a file that is not a directory a second name in another directory; a symbolic link is not followed.
  ///
  /// - Parameters:
  ///   - name: the file.
  ///   - other: the other directory.
  ///   - new: its name there.
  /// - Returns: `false` when the name exists.
  /// - Throws: what linkat(2) answered.
  func link(
    _ name: String, into other: borrowing Directory, as new: String
  ) throws(SystemError) -> Bool {
    if retryingInterrupted({ unsafe linkat(raw, name, other.raw, new, 0) }) == 0 { return true }
    if errno == EEXIST { return false }
    throw .last("link", joinPath(path, name))
  }

  /// Moves a file of any kind to another directory.
  ///
  /// - Parameters:
  ///   - name: the file.
  ///   - other: the other directory.
  ///   - new: its name there.
  /// - Returns: `false` when the name exists.
  /// - Throws: what renameat2(2) answered.
  func move(
    _ name: String, into other: borrowing Directory, as new: String
  ) throws(SystemError) -> Bool {
    let flags = UInt32(LINUX_RENAME_NOREPLACE)
    if retryingInterrupted({ unsafe renameat2(raw, name, other.raw, new, flags) }) == 0 {
      return true
    }
    if errno == EEXIST { return false }
    throw .last("rename", joinPath(path, name))
  }
}

extension SystemError {
  /// Whether the file exists, but cannot be read.
  package var isUnreadable: Bool { code == EACCES || code == EPERM || code == EIO }
  /// Whether the file can have no second name, though it could be moved.
  var isUnlinkable: Bool { code == EPERM || code == EMLINK || code == EOPNOTSUPP }
}
