// Where a store may keep copies besides its objects: everything that can be derived or fetched again is removed, and
// bytes of damaged files if they name what is removed.

package import RedoObject
package import RedoStore

/// Removes copies of what is wiped.
package struct WipeCopies {
  private let opened: Repository
  private let scope: WipeScope
  private let ids: Set<ObjectID>

  package init(_ opened: Repository, _ scope: WipeScope, _ ids: Set<ObjectID>) {
    self.opened = opened
    self.scope = scope
    self.ids = ids
  }

  /// Removes what can be derived again: to be done before anything else is removed, so that after an interruption no
  /// state of removed nodes is left.
  ///
  /// - Throws: the error of a system call.
  func removeDerived() throws(SystemError) {
    try opened.store.directory.clear(Layout.cache)
  }

  /// Removes the copies.
  ///
  /// - Returns: the files that stay, because they do not say whose changes they contain.
  /// - Throws: the error of a system call.
  package func remove() throws(SystemError) -> [String] {
    let store = opened.store.directory.share()
    try store.clear(Layout.cache)
    try store.clear(Layout.quarantine)
    guard case .authors(let users) = scope else {
      try store.clear(Layout.remotes)
      try store.clear(ArchiveRegister.folder)
      if try store.status(ArchiveRegister.folder) != nil {
        try store.removeDirectory(ArchiveRegister.folder)
      }
      try store.clear(Layout.lostFound)
      if try store.status(Layout.lostFound) != nil { try store.removeDirectory(Layout.lostFound) }
      return []
    }
    guard try store.status(Layout.lostFound)?.kind == .directory else { return [] }
    let lostFound = try store.openSubdirectory(Layout.lostFound, isFollowing: false)
    var kept: [String] = []
    for name in try lostFound.list().sorted() {
      guard try lostFound.status(name)?.kind == .regular else {
        kept.append(joinPath(Layout.lostFound, name))
        continue
      }
      guard let bytes = try lostFound.readFile(name, isFollowing: false) else { continue }
      // Lines of refs contain no text written by anybody.
      if WipeText.names(bytes, users, ids) || WipeText.names(Array(name.utf8), [], ids) {
        try lostFound.unlink(name)
      } else if !name.hasPrefix("journal-") {
        kept.append(joinPath(Layout.lostFound, name))
      }
    }
    return kept
  }
}
