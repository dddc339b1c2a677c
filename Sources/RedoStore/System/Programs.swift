// Finding programs (execvp(3)): before they are started, so that a message can say that one is missing.

/// Looks for programs.
package enum Programs {
  /// Where programs are looked for when nothing says so.
  package static let usualPath = "/usr/local/bin:/usr/bin:/bin"

  /// The file of a program.
  ///
  /// - Parameters:
  ///   - name: its name, or a path with a slash in it.
  ///   - isBeside: whether it is looked for beside the program that runs now, too, and there first.
  ///   - path: the directories to look in, with colons between them.
  /// - Returns: `nil` when there is no such program.
  package static func find(
    _ name: String, isBeside: Bool = false, in path: String
  ) -> String? {
    guard !name.isEmpty else { return nil }
    if name.utf8.contains(UInt8(ascii: "/")) { return isProgram(name) ? name : nil }
    var folders = path.split(separator: ":").map(String.init)
    if isBeside, let own = directory { folders.insert(own, at: 0) }
    // A relative directory would depend on the current directory.
    return folders.lazy.filter { $0.hasPrefix("/") }.map { joinPath($0, name) }
      .first { isProgram($0) }
  }

  /// The directory of the program that runs now.
  private static var directory: String? {
    guard let path = try? CurrentProcess.realPath("/proc/self/exe"),
      let slash = path.lastIndex(of: "/")
    else { return nil }
    return String(path[..<slash])
  }

  private static func isProgram(_ path: String) -> Bool {
    guard let status = (try? FileStatus.at(path)) ?? nil else { return false }
    return status.kind == .regular && status.mode & 0o111 != 0
  }
}
