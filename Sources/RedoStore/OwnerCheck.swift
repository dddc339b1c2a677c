// Whether a store may be trusted: somebody else's could hold settings that harm the user who opens it.

/// Compares the owner of a store with the user.
struct OwnerCheck {
  private let userID: UInt32
  private let sudoUserID: UInt32?
  private let safe: [String]

  /// A check with the settings of the user, never the store's own.
  init(_ sources: ConfigSources, _ config: Config) {
    self.init(
      userID: CurrentProcess.effectiveUserID, sudoUserID: sources.sudoUserID, config)
  }

  /// A check for a given user.
  init(userID: UInt32, sudoUserID: UInt32?, _ config: Config) {
    self.userID = userID
    self.sudoUserID = sudoUserID
    var safe: [String] = []
    for entry in config.all("safe.directory", isProtected: true) {
      // An empty value cancels what weaker layers allow.
      if let value = entry.value, !value.isEmpty { safe.append(value) } else { safe = [] }
    }
    self.safe = safe
  }

  /// Makes sure that a store may be trusted.
  ///
  /// - Parameter directory: the store's directory.
  /// - Throws: `unsafeOwner`, `system`.
  func check(_ directory: borrowing Directory) throws(StoreDirectoryError) {
    let owner: UInt32
    let isTrusted: Bool
    do throws(SystemError) {
      owner = try directory.status().userID
      if isOwn(owner) { return }
      isTrusted = try isListed(directory.path)
    } catch {
      throw .system(error)
    }
    guard isTrusted else { throw .unsafeOwner(path: directory.path, userID: owner) }
  }

  private func isOwn(_ owner: UInt32) -> Bool {
    owner == userID || (userID == 0 && owner == sudoUserID)
  }

  /// Whether the settings list a store, by its own path or that of the directory around it.
  private func isListed(_ path: String) throws(SystemError) -> Bool {
    guard !safe.isEmpty else { return false }
    let store = try CurrentProcess.realPath(path)
    let around = String(store.prefix(upTo: store.lastIndex(of: "/") ?? store.startIndex))
    return safe.contains { value in
      if value == "*" { return true }
      if value.hasSuffix("/*") { return store.hasPrefix(value.dropLast(1)) }
      let trimmed = value.count > 1 && value.hasSuffix("/") ? String(value.dropLast()) : value
      return trimmed == store || trimmed == (around.isEmpty ? "/" : around)
    }
  }
}
