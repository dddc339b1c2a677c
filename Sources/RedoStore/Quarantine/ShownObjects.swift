// `quarantine/hook-<16 hex>/`: what a hook is shown of what comes, as a directory of objects, before any of it is in the store.
// It lasts as long as the hook, and so does the lock in it: a directory whose lock nobody holds is what a crash has left, and
// shows nothing.

package import RedoObject

/// Objects that hooks can read although they are not in the store yet.
///
/// A class, because whoever runs hooks and whatever removes it share it.
package final class ShownObjects: Sendable {
  private static let prefix = "hook-"
  static let lockName = "lock"

  /// Its path, without links.
  package let path: String
  private let quarantine: Directory
  private let name: String
  private let lock: LockFile

  /// Whether a name is one of such a directory.
  static func isName(_ name: String) -> Bool {
    let digits = name.utf8.dropFirst(prefix.utf8.count)
    return name.hasPrefix(prefix) && digits.count == 16
      && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Makes a directory without objects, and removes what a crash has left of others.
  ///
  /// - Parameter quarantine: the directory `quarantine`, while no other process takes anything in.
  /// - Throws: what the calls answered.
  init(in quarantine: borrowing Directory) throws(SystemError) {
    self.quarantine = quarantine.share()
    try Self.sweep(quarantine)
    name = Self.prefix + Random.hex16()
    try quarantine.makeDirectory(name, mode: 0o700)
    let own = try quarantine.openSubdirectory(name, isFollowing: false)
    path = joinPath(try CurrentProcess.realPath(quarantine.path), name)
    guard
      let lock = try LockFile.acquire(
        in: own, name: Self.lockName, timeoutMilliseconds: 1000, permissions: 0o600)
    else {
      throw SystemError.notRegular(path)
    }
    self.lock = lock
    try own.makeDirectory(PackStore.folder)
  }

  /// Writes objects, so that they can be read.
  ///
  /// - Parameter visit: gives the objects, parents before children, in parts.
  /// - Throws: `system` when they cannot be written; what the closure throws.
  package func write(
    _ visit: ((_ part: [StoredObject]) throws -> Void) throws -> Void
  ) throws {
    let store = ObjectStore(primary: try LooseStore(path: path, syncPolicy: .none))
    var transaction = ObjectTransaction(store)
    try visit { part throws in _ = try transaction.add(part.map { ObjectWrite($0, key: nil) }) }
    _ = try transaction.commit()
  }

  /// Removes it with all that is in it; doing that twice is no error.
  package func remove() {
    _ = try? quarantine.clear(name)
    try? quarantine.removeDirectory(name)
  }

  /// Removes what crashes have left.
  static func sweep(_ quarantine: borrowing Directory) throws(SystemError) {
    for name in try quarantine.list() where isName(name) {
      guard let old = try? quarantine.openSubdirectory(name, isFollowing: false),
        (try? LockFile.isHeld(in: old, name: lockName)) == false
      else { continue }
      _ = try? quarantine.clear(name)
      try? quarantine.removeDirectory(name)
    }
  }
}

/// What the environment of a hook says about one store.
package struct ShownPlace: Sendable {
  /// The directory of the objects; `nil` when the hook that it was made for has ended.
  package let path: String?

  /// What is shown of a store; `nil` when the environment is not that of a hook of this store.
  ///
  /// A variable that names anything but a directory of that kind in this very store means nothing: it neither shows objects
  /// nor keeps anybody from writing.
  ///
  /// - Parameters:
  ///   - named: what the environment names.
  ///   - store: the store's directory.
  init?(_ named: String?, in store: borrowing Directory) {
    guard let named, let slash = named.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    let name = String(named[named.utf8.index(after: slash)...])
    guard ShownObjects.isName(name), let real = try? CurrentProcess.realPath(store.path),
      named == joinPath(joinPath(real, Layout.quarantine), name)
    else { return nil }
    guard let quarantine = try? store.openSubdirectory(Layout.quarantine, isFollowing: false),
      let own = try? quarantine.openSubdirectory(name, isFollowing: false),
      let status = try? own.ownStatus(), let around = try? store.ownStatus(),
      status.userID == around.userID || status.userID == 0, status.mode & 0o022 == 0,
      (try? LockFile.isHeld(in: own, name: ShownObjects.lockName)) == true
    else {
      path = nil
      return
    }
    path = own.path
  }
}
