// `.redo/archives/list`: the archives that belong to a store (redo-store(5)).
//
//   redo-archives 1 LF
//   a line for each archive, by name
//   <SHA-256 of all before: 64 hex> LF
//
// It is small, read as a whole, and replaced in one step. What it says cannot be derived.

package import RedoCrypto
internal import RedoObject

/// The archives of a store at one moment.
package struct ArchiveRegister: Equatable, Sendable {
  /// The archives, by name, each once.
  package private(set) var archives: [RegisteredArchive] = []

  /// An empty list.
  package init() {}

  /// The directory below `.redo`.
  package static let folder = "archives"
  /// The file below that directory.
  package static let fileName = "list"
  /// The path of the file below `.redo`.
  package static let path = "\(folder)/\(fileName)"
  /// What the names of unfinished files begin with.
  static let temporaryPrefix = "tmp_archive_"
  /// The most bytes of the file.
  static let sizeLimit = 16 << 20

  private static let format: StaticString = "redo-archives 1\n"

  /// Why the list cannot be read.
  package enum Failure: Error, Equatable, Sendable {
    /// A system call did not succeed.
    case system(SystemError)
    /// The file is of a version that is not known here.
    case unsupported(version: String)
    /// The file is damaged; what is still good in it is given.
    case damaged(line: Int, ArchiveRegister)
  }

  /// The archive of a name.
  package func archive(_ name: Digest) -> RegisteredArchive? {
    archives.first { $0.name == name }
  }

  /// Adds an archive, or puts it in the place of the one of its name.
  package mutating func put(_ archive: RegisteredArchive) {
    remove(archive.name)
    let place = archives.firstIndex { archive.name < $0.name } ?? archives.count
    archives.insert(archive, at: place)
  }

  /// Takes an archive out.
  package mutating func remove(_ name: Digest) { archives.removeAll { $0.name == name } }

  // MARK: Text

  /// The bytes of the file.
  package func encoded() -> [UInt8] {
    var bytes: [UInt8] = Array("redo-archives 1\n".utf8)
    for archive in archives { archive.append(to: &bytes) }
    let digest = SHA256.digest(of: bytes.span)
    Hex.append(digest.bytes.span, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// Reads the bytes of the file.
  ///
  /// - Parameter bytes: all of them.
  /// - Throws: `unsupported`; `damaged` for anything but what `encoded` gives.
  package init(_ bytes: [UInt8]) throws(Failure) {
    if let version = unknownVersion(bytes, "redo-archives ") {
      throw .unsupported(version: version)
    }
    var scanner = LineScanner(bytes, in: 0..<bytes.count)
    var number = 1
    var wrong: Int? = scanner.take(Self.format) ? nil : 1
    if wrong != nil { _ = scanner.line() }
    while !scanner.isAtEnd {
      number += 1
      let start = scanner.position
      if let archive = RegisteredArchive(&scanner, bytes) {
        if let last = archives.last, last.name >= archive.name { wrong = wrong ?? number }
        put(archive)
        continue
      }
      var end = LineScanner(bytes, in: start..<bytes.count)
      if let digest = end.digest(), end.take("\n"), end.isAtEnd {
        if digest == SHA256.digest(of: bytes.span.extracting(0..<start)), wrong == nil { return }
        throw .damaged(line: wrong ?? number, self)
      }
      wrong = wrong ?? number
      guard end.line() != nil else { break }
      scanner = LineScanner(bytes, in: end.position..<bytes.count)
    }
    throw .damaged(line: wrong ?? number, self)
  }

  // MARK: File

  /// Reads the list of a store.
  ///
  /// - Parameter store: the store's directory.
  /// - Returns: the list; empty when there is no file.
  /// - Throws: `system`, `unsupported`, `damaged`.
  package static func read(in store: borrowing Directory) throws(Failure) -> ArchiveRegister {
    let bytes: [UInt8]?
    do throws(SystemError) {
      bytes = try store.readFile(path, limit: sizeLimit, isFollowing: false)
    } catch {
      if error.isMissing { return ArchiveRegister() }
      throw .system(error)
    }
    guard let bytes else { return ArchiveRegister() }
    return try ArchiveRegister(bytes)
  }

  /// Whether a store has a list.
  ///
  /// - Throws: the answer of stat(2) when that cannot be told.
  package static func isThere(in store: borrowing Directory) throws(SystemError) -> Bool {
    try store.status(path) != nil
  }

  /// Replaces the list of a store; the lock of packs is held.
  ///
  /// The file is synced whatever the policy of the store: no other file says where old nodes are.
  ///
  /// - Parameter store: the store's directory.
  /// - Throws: what the calls answered; the old list stays then.
  package func write(in store: borrowing Directory) throws(SystemError) {
    let folder = try Self.openFolder(in: store)
    var temporary = try TemporaryFile(in: folder, prefix: Self.temporaryPrefix, mode: 0o644)
    try temporary.file.writeAll(encoded())
    try temporary.file.sync()
    _ = try temporary.commit(as: Self.fileName, replacing: .always)
    try folder.sync()
  }

  /// The directory of the list, created if it is missing.
  static func openFolder(in store: borrowing Directory) throws(SystemError) -> Directory {
    if try store.makeDirectory(folder) { try store.sync() }
    return try store.openSubdirectory(folder, isFollowing: false)
  }
}

extension ArchiveRegister.Failure: CustomStringConvertible {
  /// One line for people.
  package var description: String {
    switch self {
    case .system(let error): error.description
    case .unsupported(let version):
      "'.redo/\(ArchiveRegister.path)' has the unknown format version '\(version)'"
    case .damaged(let line, _): "'.redo/\(ArchiveRegister.path)' is damaged in line \(line)"
    }
  }
}
