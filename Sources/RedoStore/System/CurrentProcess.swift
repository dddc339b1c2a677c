// What the kernel knows of this process (credentials(7), getcwd(3)).

internal import Glibc

/// This process.
package enum CurrentProcess {
  /// The user whose rights it has.
  package static var effectiveUserID: UInt32 { UInt32(geteuid()) }

  /// Its number.
  package static var id: Int32 { getpid() }

  /// What the machine is called (uname(2)); empty when it has no name.
  package static var hostName: String {
    var buffer = [CChar](repeating: 0, count: 256)
    // SAFETY: the call writes at most 255 bytes, so that a NUL is left.
    guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The directory that relative paths start from.
  ///
  /// - Throws: what getcwd(3) answered.
  package static func workingDirectory() throws(SystemError) -> String {
    // SAFETY: with no buffer, the C library allocates one, which is freed below.
    guard let path = unsafe getcwd(nil, 0) else {
      throw .last("find the working directory", "")
    }
    // SAFETY: allocated by getcwd, freed once.
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }

  /// The absolute path of something, without symbolic links in it.
  ///
  /// - Parameter path: the path of something that exists.
  /// - Returns: the path.
  /// - Throws: what realpath(3) answered.
  package static func realPath(_ path: String) throws(SystemError) -> String {
    // SAFETY: with no buffer, the C library allocates one, which is freed below.
    guard let resolved = unsafe realpath(path, nil) else { throw .last("resolve", path) }
    // SAFETY: allocated by realpath, freed once.
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Changes to another directory (the option `-C`).
  ///
  /// - Throws: what chdir(2) answered.
  package static func changeDirectory(to path: String) throws(SystemError) {
    // SAFETY: the path lives during the call.
    guard retryingInterrupted({ unsafe chdir(path) }) == 0 else {
      throw .last("change to", path)
    }
  }
}
