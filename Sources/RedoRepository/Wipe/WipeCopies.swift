// Where a store may keep copies besides its objects: what can be derived or fetched again goes
// altogether, bytes of damaged files where they name what goes.

package import RedoObject
package import RedoStore

/// Removes copies of what a wipe is about.
package struct WipeCopies {
  private let opened: Repository
  private let scope: WipeScope
  private let ids: Set<ObjectID>

  package init(_ opened: Repository, _ scope: WipeScope, _ ids: Set<ObjectID>) {
    self.opened = opened
    self.scope = scope
    self.ids = ids
  }

  /// Removes what can be derived again: to be done before anything else goes, so that whatever comes between, no
  /// state is kept of nodes that are gone.
  ///
  /// - Throws: what the system calls answered.
  func removeDerived() throws(SystemError) {
    try opened.store.directory.clear(Layout.cache)
  }

  /// Removes them.
  ///
  /// - Returns: the files that stay, because they do not say whose changes they have.
  /// - Throws: what the system calls answered.
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
      // Lines of refs have no text of anybody in them.
      if WipeText.names(bytes, users, ids) {
        try lostFound.unlink(name)
      } else if !name.hasPrefix("journal-") {
        kept.append(joinPath(Layout.lostFound, name))
      }
    }
    return kept
  }
}
