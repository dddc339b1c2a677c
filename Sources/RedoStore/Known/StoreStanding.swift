// Whether a store is the user's own or a stranger's. A store that was unpacked, copied or exchanged belongs to the user
// as far as the kernel knows, but whoever made it wrote its settings, hooks and caches.

/// What the user knows of a store.
package enum StoreStanding: String, Sendable {
  /// The user has made it, or has accepted it.
  case own
  /// The same, but something other than `redo config` has changed settings since that have to be accepted.
  case changed
  /// Anybody may have made it: nothing in it is used that could act or mislead.
  case stranger

  /// Whether hooks, caches and the trust file of the store are used.
  package var isOwn: Bool { self != .stranger }
}

/// What of a store acts, or is believed, only if the store is the user's own.
package struct ActingParts: Sendable {
  /// The settings that only a store of the user's own may say.
  package var settings: [Config.Entry] = []
  /// The names of hooks.
  package var hooks: [String] = []
  /// Whether there is a file that says who may sign.
  package var hasTrust = false
  /// The names of what is kept in the directory of caches.
  package var caches: [String] = []

  /// Whether there is nothing of the kind.
  package var isEmpty: Bool {
    settings.isEmpty && hooks.isEmpty && !hasTrust && caches.isEmpty
  }

  /// The settings of a store that has nothing else of the kind.
  package init(settings: [Config.Entry]) { self.settings = settings }

  /// What there is in a store; what cannot be examined counts as present.
  ///
  /// - Parameters:
  ///   - settings: the settings of the kind.
  ///   - directory: the store's directory.
  init(settings: [Config.Entry], in directory: borrowing Directory) {
    self.settings = settings
    for name in HookProcess.names where Self.isThere(joinPath(Layout.hooks, name), directory) {
      hooks.append(name)
    }
    hasTrust = Self.isThere(Layout.trust, directory)
    for name in CacheCheck.indexNames + [LivingNotes.name, DamageNotes.name, Layout.tables]
    where Self.isThere(joinPath(Layout.cache, name), directory) {
      caches.append(name)
    }
    for path in [Layout.snapshots, Layout.tokens] where Self.hasEntries(path, directory) {
      caches.append(String(path.dropFirst(Layout.cache.utf8.count + 1)))
    }
  }

  private static func isThere(_ path: String, _ directory: borrowing Directory) -> Bool {
    do throws(SystemError) { return try directory.status(path) != nil } catch { return true }
  }

  private static func hasEntries(_ path: String, _ directory: borrowing Directory) -> Bool {
    guard isThere(path, directory) else { return false }
    guard let folder = try? directory.openSubdirectory(path, isFollowing: false),
      let names = try? folder.list()
    else { return true }
    return !names.isEmpty
  }
}

extension Config {
  /// The settings of the store that only a store of the user's own may say, in force or not.
  var acceptable: [Entry] {
    let inForce = entries.filter {
      !$0.origin.isProtected && KnownKey.speaker(of: $0) == .ownStore
    }
    let passed = passedOver.filter { $0.reason == .stranger || $0.reason == .changed }
    return inForce + passed.map(\.entry)
  }
}

extension Config {
  /// The address of a remote, if a secret must not go there: the user's own settings say where the secret is, and the
  /// address is from a store that is not known as the user's own, or was changed there by something other than
  /// `redo config`.
  ///
  /// - Parameters:
  ///   - secret: the setting that says where the secret is.
  ///   - remote: the name of the remote.
  /// - Returns: `nil` when the secret may go to the remote's address.
  package func strangeAddress(for secret: Entry, of remote: String) -> Entry? {
    guard standing != .own, secret.origin.isProtected,
      let address = entry("\(KnownKey.remotePrefix)\(remote).url"), !address.origin.isProtected
    else { return nil }
    return address
  }
}

extension StoreDirectory {
  /// What of the store acts only if the store is the user's own, whether or not it is.
  package func actingParts() -> ActingParts {
    ActingParts(settings: config.acceptable, in: directory)
  }

  /// What of the store is passed over because the store, or a part of its settings, is not known as the user's own.
  package func passedOver() -> ActingParts {
    switch standing {
    case .own: ActingParts(settings: [])
    case .changed: ActingParts(settings: config.acceptable)
    case .stranger: actingParts()
    }
  }

  /// Accepts the store as the user's own from now on.
  ///
  /// The caches of a stranger are removed: nothing forged is believed.
  ///
  /// - Returns: `false` when there is no state directory, so that nothing can be remembered.
  /// - Throws: what a system call answered; the store is then as little known as before.
  package func accept() throws(StoreDirectoryError) -> Bool {
    guard let record else { return false }
    let own: [Config.Entry]
    do throws(ConfigError) { own = try Config.entries(of: directory) } catch {
      throw .config(error)
    }
    do throws(SystemError) {
      if standing == .stranger { try directory.clear(Layout.cache) }
      try record.write(own)
    } catch {
      throw .system(error)
    }
    return true
  }

  /// Forgets that the store is the user's own.
  ///
  /// - Returns: whether it was remembered.
  /// - Throws: what unlink(2) answered.
  package func forget() throws(SystemError) -> Bool { try record?.remove() ?? false }

  /// Changes the settings of the store in one step.
  ///
  /// A store whose settings have been accepted is known with the new ones
  /// afterwards; one that is not stays as little known as it was.
  ///
  /// - Parameter body: changes the text.
  /// - Throws: as `ConfigFile.change`.
  package func changeSettings(
    _ body: (inout ConfigText) throws(ConfigError) -> Void
  ) throws(ConfigError) {
    do throws(SystemError) { try checkWritable() } catch { throw .system(error) }
    let record = record
    var before: [Config.Entry]?
    do throws(ConfigError) {
      try ConfigFile.store(path).change(makesDirectories: false) { text throws(ConfigError) in
        let old = text.entries
        let isKnown = record?.standing(of: old) == .own
        try body(&text)
        guard isKnown, let record, record.standing(of: text.entries) != .own else { return }
        // Under the lock of the file, so that of two changes at once the second knows the settings of the first. What
        // cannot be remembered has to be accepted again, which the next command says.
        before = old
        try? record.write(text.entries)
      }
    } catch {
      // The file stays as it was.
      if let before { try? record?.write(before) }
      throw error
    }
  }
}
