// The names in a directory: mkdir(2), readdir(3), unlink(2), rename(2).

internal import CLinux
internal import Glibc

extension Directory {
  /// Makes a directory in this one.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - mode: its permissions, before the umask.
  ///   - mayExist: whether a directory of that name is good too.
  /// - Returns: whether it was made now.
  /// - Throws: what mkdirat(2) answered.
  @discardableResult
  package func makeDirectory(
    _ name: String, mode: UInt32 = 0o755, mayExist: Bool = true
  ) throws(SystemError) -> Bool {
    // SAFETY: the name lives during the call.
    if retryingInterrupted({ unsafe mkdirat(raw, name, mode) }) == 0 { return true }
    let error = SystemError.last("create directory", joinPath(path, name))
    guard mayExist, error.code == EEXIST,
      try status(name, isFollowing: true)?.kind == .directory
    else { throw error }
    return false
  }

  /// Makes a directory, and those above it that are missing.
  ///
  /// - Parameters:
  ///   - path: relative to the working directory, or absolute.
  ///   - mode: the permissions of each that is made, before the umask.
  /// - Throws: what mkdir(2) answered.
  package static func makeDirectories(_ path: String, mode: UInt32) throws(SystemError) {
    let bytes = Array(path.utf8)
    var ends = bytes.indices.filter { $0 > 0 && bytes[$0] == UInt8(ascii: "/") }
    ends.append(bytes.count)
    for end in ends {
      let part = String(decoding: bytes[..<end], as: UTF8.self)
      if try FileStatus.at(part)?.kind == .directory { continue }
      // SAFETY: the path lives during the call.
      guard retryingInterrupted({ unsafe mkdir(part, mode) }) != 0 else { continue }
      let error = SystemError.last("create directory", part)
      // Another process may have made it since.
      guard error.isExisting, try FileStatus.at(part)?.kind == .directory else { throw error }
    }
  }

  /// The names in this directory, in no order, without `.` and `..`.
  ///
  /// - Throws: what readdir(3) answered.
  package func list() throws(SystemError) -> [String] {
    var names: [String] = []
    try forEachName { name in
      // SAFETY: the span's bytes are valid during the call.
      let text = unsafe name.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
      names.append(text)
    }
    return names
  }

  /// Visits the names in this directory, in no order, without `.` and `..`.
  ///
  /// - Parameter visit: receives the bytes of each name, whatever their encoding.
  /// - Throws: what readdir(3) answered.
  package func forEachName(_ visit: (Span<UInt8>) -> Void) throws(SystemError) {
    try forEachEntry { name, _ in visit(name) }
  }

  /// Visits the names in this directory, in no order, without `.` and `..`.
  ///
  /// - Parameter visit: receives the bytes of each name, and whether the file system told without
  ///   being asked that it is a regular file; not all of them do.
  /// - Throws: what readdir(3) answered.
  package func forEachEntry(
    _ visit: (Span<UInt8>, _ isRegular: Bool) -> Void
  ) throws(SystemError) {
    // A descriptor of its own: closedir takes it over, and reading moves its place.
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    // SAFETY: the name is a literal.
    let own = retryingInterrupted { unsafe linux_openat(raw, ".", flags, 0) }
    guard own >= 0 else { throw .last("open", path) }
    // SAFETY: fdopendir takes the descriptor over; when it does not, it is closed here.
    guard let stream = unsafe fdopendir(own) else {
      let error = SystemError.last("list", path)
      _ = close(own)
      throw error
    }
    // SAFETY: closed exactly once, after its last use.
    defer { unsafe _ = closedir(stream) }
    while true {
      errno = 0
      // SAFETY: the stream is open, and this thread's alone.
      guard let entry = unsafe readdir(stream) else { break }
      // SAFETY: d_name is NUL-terminated and valid until the next readdir; its record may be
      // shorter than the struct, so it is reached by its offset and never copied as a whole.
      unsafe Self.visit(entry, visit)
    }
    guard errno == 0 else { throw .last("list", path) }
  }

  private static func visit(
    _ entry: UnsafeMutablePointer<dirent>, _ visit: (Span<UInt8>, Bool) -> Void
  ) {
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return }
    // SAFETY: as the caller promises, there is a NUL-terminated name at this offset.
    let name = unsafe UnsafeRawPointer(entry).advanced(by: offset)
      .assumingMemoryBound(to: UInt8.self)
    let count = unsafe strlen(UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
    let bytes = unsafe UnsafeBufferPointer(start: name, count: count)
    let dot = UInt8(ascii: ".")
    if unsafe count <= 2 && bytes.allSatisfy({ $0 == dot }) { return }
    // SAFETY: the span lives only during the visit.
    unsafe visit(bytes.span, Int(entry.pointee.d_type) == Int(DT_REG))
  }

  /// What the kernel knows of a name.
  ///
  /// - Parameters:
  ///   - name: a name in this directory.
  ///   - isFollowing: whether to look through a symbolic link.
  /// - Returns: `nil` when nothing has that name.
  /// - Throws: any other answer of fstatat(2).
  package func status(
    _ name: String, isFollowing: Bool = false
  ) throws(SystemError) -> FileStatus? {
    var status = stat()
    let flags = isFollowing ? 0 : AT_SYMLINK_NOFOLLOW
    // SAFETY: the name lives during the call, which fills in the plain struct.
    if retryingInterrupted({ unsafe fstatat(raw, name, &status, flags) }) == 0 {
      return FileStatus(status)
    }
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw .last("stat", joinPath(path, name))
  }

  /// What the kernel knows of this directory.
  ///
  /// - Throws: what fstat(2) answered.
  package func ownStatus() throws(SystemError) -> FileStatus {
    var status = stat()
    // SAFETY: the call fills in the plain struct.
    guard retryingInterrupted({ unsafe fstat(raw, &status) }) == 0 else {
      throw .last("stat", path)
    }
    return FileStatus(status)
  }

  /// Lets a file have been written just now.
  ///
  /// - Returns: whether it is there.
  /// - Throws: any answer of utimensat(2) but ENOENT.
  @discardableResult
  package func touch(_ name: String) throws(SystemError) -> Bool {
    // SAFETY: the name lives during the call; without times it is the present one.
    if retryingInterrupted({ unsafe utimensat(raw, name, nil, AT_SYMLINK_NOFOLLOW) }) == 0 {
      return true
    }
    if errno == ENOENT { return false }
    throw .last("utimensat", joinPath(path, name))
  }

  /// Removes a name.
  ///
  /// - Returns: whether it was there.
  /// - Throws: any answer of unlinkat(2) but ENOENT.
  @discardableResult
  package func unlink(_ name: String) throws(SystemError) -> Bool {
    // SAFETY: the name lives during the call.
    if retryingInterrupted({ unsafe unlinkat(raw, name, 0) }) == 0 { return true }
    if errno == ENOENT { return false }
    throw .last("unlink", joinPath(path, name))
  }

  /// Removes an empty directory.
  ///
  /// - Throws: what unlinkat(2) answered.
  package func removeDirectory(_ name: String) throws(SystemError) {
    // SAFETY: the name lives during the call.
    guard retryingInterrupted({ unsafe unlinkat(raw, name, AT_REMOVEDIR) }) == 0 else {
      throw .last("remove directory", joinPath(path, name))
    }
  }

  /// Gives a file another name, in one step replacing what had it.
  ///
  /// - Throws: what renameat(2) answered.
  package func rename(_ old: String, to new: String) throws(SystemError) {
    // SAFETY: the names live during the call.
    guard retryingInterrupted({ unsafe renameat(raw, old, raw, new) }) == 0 else {
      throw .last("rename", joinPath(path, old))
    }
  }

  /// Gives a file another name, in one step, unless that exists.
  ///
  /// - Returns: `false` when the new name exists; the old one then stays.
  /// - Throws: any other answer of renameat2(2).
  package func renameNoReplace(_ old: String, to new: String) throws(SystemError) -> Bool {
    let flags = UInt32(LINUX_RENAME_NOREPLACE)
    // SAFETY: the names live during the call.
    if retryingInterrupted({ unsafe renameat2(raw, old, raw, new, flags) }) == 0 {
      return true
    }
    if errno == EEXIST { return false }
    guard errno == EINVAL || errno == ENOSYS else { throw .last("rename", joinPath(path, old)) }
    return try linkAndUnlink(old, to: new)
  }

  /// What renameNoReplace does on file systems that do not know the flag.
  func linkAndUnlink(_ old: String, to new: String) throws(SystemError) -> Bool {
    // SAFETY: the names live during the call.
    guard retryingInterrupted({ unsafe linkat(raw, old, raw, new, 0) }) == 0 else {
      if errno == EEXIST { return false }
      throw .last("link", joinPath(path, new))
    }
    try unlink(old)
    return true
  }
}
