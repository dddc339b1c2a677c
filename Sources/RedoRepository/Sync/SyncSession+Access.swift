// Access lists in an exchange: a remote gives nodes their lists (Receiver), and says which lists it has changed since it
// was asked last. It has no say about nodes that are here without it.

internal import RedoHistory
internal import RedoObject
internal import RedoRemote
internal import RedoStore

extension SyncSession {
  /// The words about access lists in the greeting.
  ///
  /// - Parameter history: the history here.
  /// - Returns: that lists are kept, and from where on changes are asked for.
  /// - Throws: `SystemError` when what is remembered cannot be read.
  func accessWords(_ history: some ComparedObjects) throws -> [String] {
    let keeps = [WireCapabilities.accessWord]
    guard let name = remote.name, kind.fetches, !options.isDryRun, try history.counts.history > 0
    else {
      return keeps
    }
    return keeps + [WireCapabilities.access + (try knownAccess(name)?.text ?? "0")]
  }

  /// Up to where the lists of the remote are known.
  private func knownAccess(_ name: RemoteName) throws -> AccessNotes.Place? {
    // What was noted may have been lost together with the file.
    guard
      try SystemError.naming(
        Layout.access,
        {
          try opened.store.directory.status(Layout.access)
        }) != nil
    else { return nil }
    return try RemoteMemory(name, opened).access()
  }

  /// Notes which lists the remote has changed, and up to where they are known then.
  ///
  /// - Parameters:
  ///   - rows: what it says.
  ///   - effects: receives a report when it cannot be noted.
  /// - Throws: `ConfigError` when a setting has no meaning, `SystemError` when the place cannot be remembered.
  func note(_ rows: [AccessRow], _ effects: Effects) throws {
    guard let name = remote.name, kind.fetches, !options.isDryRun else { return }
    let writer = AccessWriter(in: opened.store.directory, try opened.refsOptions())
    do throws(RefsError) {
      try writer.append(rows.map { ($0.id, $0.list) }, from: name.text) { $1 == name.text }
    } catch {
      effects.report(.opening(.accessUnnoted(error)))
      return
    }
    let prefix = WireCapabilities.access
    let places = (server?.capabilities.words ?? []).lazy.filter { $0.hasPrefix(prefix) }
      .compactMap { AccessNotes.Place(text: $0.dropFirst(prefix.utf8.count)) }
    if let place = places.first { try RemoteMemory(name, opened).remember(access: place) }
  }
}

extension Repository {
  /// Gives access lists to nodes that have none.
  func giveAccess(_ rows: [AccessNotes.Row]) throws {
    let writer = AccessWriter(in: store.directory, try refsOptions())
    try writer.append(rows) { $1 == nil }
  }

  /// The access lists that go along with nodes.
  ///
  /// - Parameter effects: receives a report when they cannot be read: nodes go without lists then, which shows them to
  ///   nobody but replicas.
  /// - Returns: all lists; `nil` when they cannot be read.
  func accessLists(_ effects: Effects) -> AccessNotes.Found? {
    let found = store.access.read()
    guard let damage = found.damage else { return found }
    effects.report(.opening(.accessUnread(damage)))
    return nil
  }
}
