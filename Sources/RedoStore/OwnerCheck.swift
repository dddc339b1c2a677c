// Whether a store may be trusted: somebody else's could hold settings that harm the user who opens it.

/// Compares the owner of a store with the user.
struct OwnerCheck {
  private let userID: UInt32
  private let sudoUserID: UInt32?
  private let safe: StoreList

  /// A check with the settings of the user, never the store's own.
  init(_ sources: ConfigSources, _ config: Config) {
    self.init(
      userID: CurrentProcess.effectiveUserID, sudoUserID: sources.sudoUserID, config)
  }

  /// A check for a given user.
  init(userID: UInt32, sudoUserID: UInt32?, _ config: Config) {
    self.userID = userID
    self.sudoUserID = sudoUserID
    safe = StoreList(config.all("safe.directory"))
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
      isTrusted = try safe.contains(directory)
    } catch {
      throw .system(error)
    }
    guard isTrusted else { throw .unsafeOwner(path: directory.path, userID: owner) }
  }

  private func isOwn(_ owner: UInt32) -> Bool {
    owner == userID || (userID == 0 && owner == sudoUserID)
  }
}

/// Stores that a setting lists: `*` for all, `<path>/*` for all below a directory, or a path.
struct StoreList {
  private let values: [String]

  /// The list of a setting with any number of values.
  init(_ entries: [Config.Entry]) {
    var values: [String] = []
    for entry in entries {
      // An empty value cancels what weaker layers allow.
      if let value = entry.value, !value.isEmpty { values.append(value) } else { values = [] }
    }
    self.values = values
  }

  /// Whether a store is listed, by its own path or that of the directory around it.
  ///
  /// - Parameter directory: the store's directory.
  /// - Returns: whether it is.
  /// - Throws: what readlink(2) answered.
  func contains(_ directory: borrowing Directory) throws(SystemError) -> Bool {
    guard !values.isEmpty else { return false }
    let store = try directory.realPath()
    let around = String(store.prefix(upTo: store.lastIndex(of: "/") ?? store.startIndex))
    return values.contains { value in
      if value == "*" { return true }
      if value.hasSuffix("/*") { return store.hasPrefix(value.dropLast(1)) }
      let trimmed = value.count > 1 && value.hasSuffix("/") ? String(value.dropLast()) : value
      return trimmed == store || trimmed == (around.isEmpty ? "/" : around)
    }
  }
}
