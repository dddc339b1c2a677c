// Emptying a directory, whatever is in it (unlink(2), rmdir(2)); links are removed, never followed.

extension Directory {
  /// Removes what is in a directory below this one; the directory itself stays.
  ///
  /// - Parameter name: its name; nothing is done if it does not exist.
  /// - Returns: how many files were removed.
  /// - Throws: what the calls answered; a part may be gone then.
  @discardableResult
  package func clear(_ name: String) throws(SystemError) -> Int {
    guard try status(name)?.kind == .directory else { return 0 }
    var count = 0
    // Directories in the order in which they were found: each comes after the one that contains it.
    var directories = [name]
    var next = 0
    while next < directories.count {
      let path = directories[next]
      next += 1
      let directory = try openSubdirectory(path, isFollowing: false)
      for entry in try directory.list() {
        if try directory.status(entry)?.kind == .directory {
          directories.append(joinPath(path, entry))
        } else if try directory.unlink(entry) {
          count += 1
        }
      }
    }
    for path in directories.dropFirst().reversed() { try removeDirectory(path) }
    return count
  }
}
