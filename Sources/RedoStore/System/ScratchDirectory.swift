// A directory that is gone with its process: what a command needs as files, but nobody after it. What a killed process
// leaves behind is removed by the next one that makes such a directory, because nobody holds its lock any more.

internal import Glibc

/// A temporary directory of one process.
///
/// A class, because what is read in it and what removes it share it.
package final class ScratchDirectory: Sendable {
  /// Its path.
  package let path: String
  private let parent: Directory
  private let name: String
  private let lock: LockFile

  private static let prefix = "redo-scratch-"
  private static let lockName = "lock"
  /// How often it is tried to remove one.
  private static let removalLimit = 100
  /// One that is younger may not have its lock yet.
  private static let sweepAgeNanoseconds: Int64 = 60_000_000_000

  /// Makes a directory that only its owner can enter, and removes what others of this user have left.
  ///
  /// - Parameter place: the directory for temporary files.
  /// - Throws: what the calls answered.
  package init(in place: String) throws(SystemError) {
    parent = try Directory.open(place)
    Self.sweep(parent)
    name = Self.prefix + Random.hex16()
    try parent.makeDirectory(name, mode: 0o700)
    path = joinPath(place, name)
    let own = try parent.openSubdirectory(name, isFollowing: false)
    guard
      let lock = try LockFile.acquire(
        in: own, name: Self.lockName, timeoutMilliseconds: 1000, permissions: 0o600)
    else { throw SystemError(code: EAGAIN, operation: "lock", path: joinPath(path, Self.lockName)) }
    self.lock = lock
  }

  /// Removes it with all that is in it; doing that twice is no error.
  package func remove() {
    // Another thread may be making files in it, until there is no place for more of them.
    for _ in 0..<Self.removalLimit {
      _ = try? parent.clear(name)
      do throws(SystemError) {
        try parent.removeDirectory(name)
        return
      } catch {
        if error.code == ENOENT { return }
      }
    }
    // There is nobody to report it to; the next one removes what is left.
  }

  /// Removes the directories of processes that are no more.
  private static func sweep(_ parent: borrowing Directory) {
    guard let names = try? parent.list() else { return }
    let limit = SystemClock.wallMilliseconds() * 1_000_000 - sweepAgeNanoseconds
    for name in names where name.hasPrefix(prefix) {
      guard let status = (try? parent.status(name)) ?? nil, status.kind == .directory,
        status.userID == CurrentProcess.effectiveUserID, status.modifiedNanoseconds < limit,
        let old = try? parent.openSubdirectory(name, isFollowing: false),
        (try? LockFile.isHeld(in: old, name: lockName)) == false
      else { continue }
      _ = try? parent.clear(name)
      try? parent.removeDirectory(name)
    }
  }
}
