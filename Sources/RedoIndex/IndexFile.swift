// The file of an index: where it is, and whether it is a file at all. SQLite follows links, makes files that are not
// there and takes an empty file for a database, so all this is found out before it is asked.

internal import Glibc

/// A path that may be opened.
package struct IndexFile: Sendable {
  /// The first bytes of a database (sqlite.org/fileformat.html, section 1.3).
  private static let magic = Array("SQLite format 3\0".utf8)
  /// The length of a database's header.
  private static let headerCount = 100
  /// Who may read what is made: its owner alone.
  static let mode: mode_t = 0o600
  /// What SQLite puts beside a database.
  static let companions = ["-wal", "-shm", "-journal"]

  /// The path, with a real path for its directory.
  package let path: String

  /// A path whose directory exists.
  ///
  /// - Parameter path: absolute, or relative to the working directory.
  /// - Throws: `IndexFault` if the directory is not there.
  package init(_ path: String) throws(IndexFault) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let directory = slash.map { String(path[..<$0]) } ?? "."
    let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    guard !name.isEmpty, name != ".", name != "..", !path.utf8.contains(0) else {
      throw IndexFault(.notFile, path)
    }
    // SAFETY: realpath returns memory that is ours, or nil.
    guard let real = unsafe realpath(directory.isEmpty ? "/" : directory, nil) else {
      throw Self.fault(errno, directory)
    }
    self.path = unsafe String(cString: real) + "/" + name
    unsafe free(real)
  }

  /// The path as a URI (RFC 8089), which SQLite takes options in.
  var uri: String {
    var text = "file:"
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return text
  }

  /// Where it is built before it takes its place.
  var unfinished: String { path + ".new" }

  /// Whether there are changes beside it that are not yet in it.
  var hasJournal: Bool {
    ["-wal", "-journal"].contains { (Self.status(path + $0)?.st_size ?? 0) > 0 }
  }

  /// Whether SQLite left anything beside it.
  var hasCompanion: Bool { Self.companions.contains { Self.status(path + $0) != nil } }

  /// Checks that there is a file with the header of a database.
  ///
  /// - Throws: `IndexFault`.
  package func requireDatabase() throws(IndexFault) {
    try requireFile()
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.fault(errno, path) }
    defer { close(descriptor) }
    var header = Array(repeating: UInt8(0), count: Self.headerCount)
    let count = unsafe header.withUnsafeMutableBytes { place in
      // SAFETY: the array has this many bytes.
      unsafe read(descriptor, place.baseAddress, place.count)
    }
    guard count == Self.headerCount, header.starts(with: Self.magic) else {
      throw IndexFault(.damaged, path)
    }
    // SQLite takes what the last page lacks for zeros. In the middle of a write the page may be short.
    let size = Int(header[16]) << 8 | Int(header[17])
    let pageSize = size == 1 ? 65_536 : size
    guard pageSize > 0, hasJournal || (Self.status(path)?.st_size ?? 0) % pageSize == 0 else {
      throw IndexFault(.damaged, path)
    }
    try requireCompanions()
  }

  /// What a rollback journal ends with that names another file (sqlite.org/fileformat.html, section 3).
  private static let journalMagic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

  /// Checks that what SQLite has beside it leads nowhere else.
  ///
  /// SQLite writes through links, and removes the file that a journal names as one of several databases. An index has no
  /// such journal, for it is changed alone. A directory leads nowhere: where it has the place of the shared memory,
  /// there is no log.
  ///
  /// - Throws: `IndexFault`.
  private func requireCompanions() throws(IndexFault) {
    for companion in Self.companions {
      guard let status = Self.status(path + companion) else { continue }
      guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
        throw IndexFault(.damaged, path + companion)
      }
    }
    let journal = path + "-journal"
    let descriptor = unsafe Glibc.open(journal, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      guard errno == ENOENT else { throw Self.fault(errno, journal) }
      return
    }
    defer { close(descriptor) }
    var end = Self.journalMagic.map { _ in UInt8(0) }
    let place = lseek(descriptor, -off_t(end.count), SEEK_END)
    guard place >= 0 else { return }
    let count = unsafe end.withUnsafeMutableBytes { bytes in
      // SAFETY: the array has this many bytes.
      unsafe pread(descriptor, bytes.baseAddress, bytes.count, place)
    }
    guard count == end.count, end != Self.journalMagic else {
      throw IndexFault(.damaged, journal)
    }
  }

  /// Checks that there is a file, not a link to one.
  ///
  /// - Throws: `IndexFault`.
  func requireFile() throws(IndexFault) {
    guard let status = Self.status(path) else { throw Self.fault(errno, path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw IndexFault(.notFile, path) }
  }

  /// Checks that there is nothing or a file, not a link.
  ///
  /// - Throws: `IndexFault`.
  func requireFileOrNothing() throws(IndexFault) {
    do throws(IndexFault) { try requireFile() } catch {
      guard error.code == .missing else { throw error }
    }
  }

  /// What is at a path, if anything; a link itself.
  static func status(_ path: String) -> stat? {
    var status = stat()
    // SAFETY: lstat fills the structure, or fails.
    guard unsafe lstat(path, &status) == 0 else { return nil }
    return status
  }

  /// Makes an empty file that only its owner may read.
  ///
  /// - Parameters:
  ///   - path: where; what is there is removed.
  ///   - isAlone: whether what SQLite may have beside it is removed, too.
  /// - Throws: `IndexFault`.
  static func make(_ path: String, isAlone: Bool = true) throws(IndexFault) {
    try remove(path)
    if isAlone { for companion in companions { try remove(path + companion) } }
    let descriptor = unsafe Glibc.open(
      path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw fault(errno, path) }
    defer { close(descriptor) }
    // Whatever the umask adds or takes.
    guard fchmod(descriptor, mode) == 0 else { throw fault(errno, path) }
  }

  /// How often a file is copied that somebody changes meanwhile.
  private static let copyLimit = 5

  /// Copies it with what SQLite has beside it, except for shared memory.
  ///
  /// - Parameter copy: where; what is there is removed.
  /// - Throws: `IndexFault`; `busy` when it never stands still for long enough.
  func copy(to copy: IndexFile) throws(IndexFault) {
    guard copy.path != path else { throw IndexFault(.request, "copy") }
    for _ in 0..<Self.copyLimit {
      let before = stamps
      try append(to: copy)
      if stamps == before { return }
    }
    throw IndexFault(.busy, path)
  }

  /// What tells whether it, or what counts beside it, was written to.
  private var stamps: [[Int]] {
    ["", "-wal", "-journal"].map { suffix in
      guard let status = Self.status(path + suffix) else { return [] }
      return [
        Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
      ]
    }
  }

  private func append(to copy: IndexFile) throws(IndexFault) {
    try Self.make(copy.path)
    try Self.append(path, to: copy.path)
    for companion in ["-wal", "-journal"] where Self.status(path + companion) != nil {
      try Self.make(copy.path + companion, isAlone: false)
      try Self.append(path + companion, to: copy.path + companion)
    }
  }

  private static func append(_ path: String, to copy: String) throws(IndexFault) {
    let source = unsafe Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard source >= 0 else { throw fault(errno, path) }
    defer { close(source) }
    let target = unsafe Glibc.open(copy, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
    guard target >= 0 else { throw fault(errno, copy) }
    defer { close(target) }
    while true {
      let count = sendfile(target, source, nil, 1 << 24)
      if count == 0 { return }
      guard count > 0 || errno == EINTR else { throw fault(errno, copy) }
    }
  }

  /// Removes it with what SQLite has beside it.
  func removeAll() {
    try? Self.remove(path)
    for companion in Self.companions { try? Self.remove(path + companion) }
  }

  /// Removes a file, if it is there.
  ///
  /// - Throws: `IndexFault`.
  static func remove(_ path: String) throws(IndexFault) {
    guard unsafe unlink(path) != 0, errno != ENOENT else { return }
    throw fault(errno, path)
  }

  /// Renames a file that is complete, so that after a crash there is the old one or the new one.
  ///
  /// - Throws: `IndexFault`.
  static func replace(_ path: String, with new: String) throws(IndexFault) {
    try sync(new)
    guard unsafe rename(new, path) == 0 else { throw fault(errno, path) }
    try sync(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
  }

  private static func sync(_ path: String) throws(IndexFault) {
    let descriptor = unsafe Glibc.open(path.isEmpty ? "/" : path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw fault(errno, path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw fault(errno, path) }
  }

  static func fault(_ number: Int32, _ path: String) -> IndexFault {
    switch number {
    case ENOENT, ENOTDIR: IndexFault(.missing, path)
    case ELOOP: IndexFault(.notFile, path)
    case ENOSPC, EDQUOT, EIO: IndexFault(.device, path)
    default: IndexFault(.access, path)
    }
  }
}
