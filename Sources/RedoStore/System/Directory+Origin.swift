// Where a directory is, and when it was made (readlink(2), statx(2), proc_pid_fd(5)).

internal import CLinux
internal import Glibc

extension Directory {
  /// The absolute path of this directory, without symbolic links in it, in one call where `/proc` is mounted.
  ///
  /// - Throws: what realpath(3) answered.
  func realPath() throws(SystemError) -> String {
    var buffer = [CChar](repeating: 0, count: 4097)
    // SAFETY: the call writes at most as many bytes as it is told.
    let count = unsafe readlink("/proc/self/fd/\(raw)", &buffer, buffer.count)
    guard count > 0, count < buffer.count, buffer[0] == CChar(UInt8(ascii: "/")) else {
      return try CurrentProcess.realPath(path)
    }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// What no copy of this directory has: its number in the file system, and when it was made, in nanoseconds since 1970
  /// (0 where the file system does not tell); `nil` when the kernel does not answer.
  var origin: (inode: UInt64, birthNanoseconds: Int64)? {
    var inode: UInt64 = 0
    var birth: Int64 = 0
    // SAFETY: the call writes the two numbers.
    guard unsafe linux_origin(raw, &inode, &birth) == 0 else { return nil }
    return (inode, birth)
  }
}

extension SystemError {
  /// Nothing can be remembered in a directory, because others may write there.
  static func unrememberable(_ path: String) -> SystemError {
    SystemError(code: EPERM, operation: "remember stores in", path: path)
  }
}
