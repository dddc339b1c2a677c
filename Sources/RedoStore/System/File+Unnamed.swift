// A file without a name: O_TMPFILE of open(2). It disappears when it is closed.

internal import Glibc

extension File {
  /// `__O_TMPFILE | O_DIRECTORY` of asm-generic/fcntl.h, which Swift's Glibc module does not show.
  private static let temporaryFlag: Int32 = 0o20_000_000 | O_DIRECTORY

  /// Makes an empty file without a name, which only its owner may open.
  ///
  /// Where the file system knows none, it has a name while it is empty, and loses it before this returns.
  ///
  /// - Parameter directory: where its blocks are.
  /// - Returns: the file, open for reading and writing.
  /// - Throws: what open(2) or unlink(2) answered.
  package static func unnamed(in directory: String) throws(SystemError) -> File {
    let options: Options = [.exclusive]
    do throws(SystemError) {
      return try open(
        at: AT_FDCWD, "", directory, .readWrite,
        Options(rawValue: options.rawValue | temporaryFlag), 0o600)
    } catch {
      guard error.code == EOPNOTSUPP || error.code == EISDIR || error.code == ENOENT else {
        throw error
      }
    }
    let around = try Directory.open(directory)
    let name = ".tmp_redo_" + Random.hex16()
    let file = try around.openFile(name, .readWrite, [.create, .exclusive], mode: 0o600)
    try around.unlink(name)
    return file
  }
}
