// Stores that a server serves to many clients: each exchange opens its store again, in a thread of its own, and sees it
// as it is at that moment. Only what was made of the history is kept, as long as nothing has changed.

package import RedoRemote
internal import RedoStore

/// Serves clients from stores.
package struct ServedStores: Sendable {
  package let effects: Effects
  package let allowsUnsigned: Bool?
  private let shelf = SourceShelf()

  /// Creates access to the stores in some surroundings.
  ///
  /// - Parameters:
  ///   - effects: the surroundings; the server decides when to cancel an exchange.
  ///   - allowsUnsigned: whether nodes without a signature are exchanged; `nil` for each store's settings.
  package init(_ effects: Effects, allowsUnsigned: Bool?) {
    self.effects = effects.uncancelled().untraced()
    self.allowsUnsigned = allowsUnsigned
  }

  /// Opens a store.
  package func open(_ path: String) throws -> Repository {
    try effects.openOther(StorePlace.find(path, path))
  }

  /// The store of a directory, opened once to make sure that it can be.
  ///
  /// - Parameter path: a directory with a store in it; `nil` for the store that the command is in.
  /// - Returns: the absolute path of the store.
  /// - Throws: `RemoteFault` or `StoreDirectoryError` when there is none, or it may not be used.
  package func check(_ path: String?) throws -> String {
    let opened =
      if let path {
        try effects.openOther(StorePlace.find(effects.resolve(path), path))
      } else {
        try effects.openRepository()
      }
    let found = opened.store.path
    return try SystemError.naming(found) {
      try CurrentProcess.realPath(found)
    }
  }

  /// Whether any node of a store has an access list.
  ///
  /// - Parameter path: the path of the store.
  /// - Returns: whether one has.
  /// - Throws: the error when the store or its lists cannot be read.
  package func hasAccessLists(_ path: String) throws -> Bool {
    let found = try open(path).store.access.read()
    if let damage = found.damage { throw damage }
    return !found.isEmpty
  }

  /// The result of an exchange.
  package struct Outcome: Sendable {
    /// Why it ended early; the client has been told if it can still be reached.
    package let error: RemoteError?
    /// The events that were reported.
    package let events: [RedoEvent]
  }

  /// Serves one client.
  ///
  /// - Parameters:
  ///   - stream: the connection.
  ///   - path: the absolute path of the store.
  ///   - mayPush: whether the client may push.
  ///   - sight: how much of the store it sees.
  ///   - client: its name in messages and the reflog; may be empty.
  ///   - turnLimit: the most bytes that it may send at once.
  /// - Returns: the result.
  package func answer<Stream: ByteStream>(
    _ stream: Stream, from path: String, mayPush: Bool, sight: ServeSession.Sight, client: String,
    turnLimit: Int? = nil
  ) -> Outcome {
    let log = EventLog()
    let effects = effects.telling(log)
    var error: RemoteError?
    do {
      let opened = try effects.openOther(StorePlace.find(path, path))
      var options = ServeSession.Options()
      options.rights = mayPush && opened.takesPushes(effects) ? .write : .read
      options.sight = sight
      options.shelf = shelf
      options.turnLimit = turnLimit
      options.message = client.isEmpty ? "push" : "push \(client)"
      if !client.isEmpty { options.peer = client }
      options.allowsUnsigned = try opened.servesUnsigned(allowsUnsigned)
      options.kinds = Set(try opened.kinds("serve.kinds"))
      options.quota = QuarantineQuota(
        account: client, limit: try opened.serveQuota().quarantine)
      error = ServeSession.run(stream, opened, options, effects).error
      if error != nil { ServeSession.takeRest(opened, options, effects) }
    } catch {
      // The client need not know why a store cannot be opened; it may work another time.
      var writer = FrameWriter(stream)
      let fault = PeerFault(.unavailable, "the store cannot be used now")
      try? writer.write(.fault, fault.bytes)
      return Outcome(error: .stopped(effects.describe(error)), events: log.events)
    }
    return Outcome(error: error, events: log.events)
  }
}

extension Repository {
  /// Whether clients may push: not where a hook that might refuse their changes is passed over.
  ///
  /// - Parameter effects: receives an event if they may not.
  /// - Returns: whether they may.
  package func takesPushes(_ effects: Effects) -> Bool {
    guard !store.standing.isOwn else { return true }
    let hooks = store.actingParts().hooks
    guard let name = HookProcess.asked.first(where: hooks.contains) else { return true }
    effects.report(.opening(.hookUnasked(name: name, path: store.path)))
    return false
  }

  /// Whether nodes without a signature are exchanged.
  ///
  /// - Parameter given: the choice on the command line; `nil` for the settings.
  /// - Returns: whether they are.
  /// - Throws: `ConfigError` when the setting is not a Boolean.
  package func servesUnsigned(_ given: Bool?) throws -> Bool {
    if let given { return given }
    return try store.config.bool("serve.allowunsigned") ?? false
  }
}
